/** Loads the settings of the service. */
import { existsSync, statSync } from 'node:fs';
import { MOST_TEXT_BYTES, readInput } from './input-file.ts';
import { join } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import { keyFaults } from './key-quality.ts';
import { packageRoot } from './paths.ts';
import { readBySchema } from './read.ts';
import { shownPath } from './scenario.ts';
import { type Settings, SettingsSchema } from './settings.ts';
import { ConfigError, YamlSource } from './yaml-source.ts';

/** Path of the settings file in the package. */
export function defaultSettingsFile(): string {
  return join(packageRoot(), 'config', 'berth.yaml');
}

/**
 * Loads settings from a file, with defaults.
 * @param path - default `config/berth.yaml` of the package
 * @param overrides - `path=value`, applied in order
 * @throws BerthError with `file:line:column`
 */
export function loadSettings(
  path: string = defaultSettingsFile(),
  overrides: readonly string[] = [],
): Settings {
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new BerthError('BERTH_MISSING_FILE', `there is no settings file "${path}"`, {
      field: 'settings',
    });
  }
  const source = openSettings(path);
  for (const override of overrides) source.override(override);
  const settings = readBySchema(source, SettingsSchema) as Settings;
  if (settings.robot.transport === 'serial' && settings.robot.serial_path === '') {
    throw new ConfigError([
      {
        code: 'BERTH_MISSING_FIELD',
        where: source.where(source.nodeAt(['robot', 'transport'])),
        path: 'robot.serial_path',
        message:
          'robot.serial_path is empty; allowed with transport serial: the path of a serial device, such as /dev/ttyUSB0',
      },
    ]);
  }
  const weak = keyFaults(settings).map(({ path: names, text }) => ({
    code: 'BERTH_AUTH' as const,
    where: source.where(source.nodeAt(names)),
    path: names.join('.'),
    message: text,
  }));
  if (weak.length > 0) throw new ConfigError(weak);
  return settings;
}

const openSettings = (path: string): YamlSource =>
  new YamlSource(shownPath(path), readInput(path, 'settings', MOST_TEXT_BYTES).toString());

/** Whether a settings file gives a setting itself, and does not leave it to its default. @throws ConfigError for what is no YAML */
export function isGiven(path: string, names: readonly string[]): boolean {
  const source = openSettings(path);
  return source.nodeAt(names) !== source.nodeAt(names.slice(0, -1));
}
