/** Robots by name or file: list, load, override, mount, check. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import { locatedField } from './located-field.ts';
import { MOST_TEXT_BYTES, readInput } from './input-file.ts';
import { compileRobot, type Robot } from './compile-robot.ts';
import { compileOrientation } from './orientation.ts';
import { packageRoot, shownPath } from './paths.ts';
import { nearest, readBySchema } from './read.ts';
import { mountRobot } from './robot-mount.ts';
import { type RobotFile, RobotSchema } from './robot-schema.ts';
import { readUrdf } from './urdf-robot.ts';
import { ConfigError, YamlSource } from './yaml-source.ts';

export type { Robot } from './compile-robot.ts';

/** Largest depth of robot files that name another one. */
const MOST_NESTED = 8;

/** Names of the robots in the package. */
export function robotNames(): string[] {
  return readdirSync(robotFolder())
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

function robotFolder(): string {
  return join(packageRoot(), 'config', 'robots');
}

/** Finds the file of a robot name or path. @throws BerthError when there is none */
function robotFile(nameOrPath: string, directory: string, field: string): string {
  if (/[/\\]|[.](ya?ml|urdf)$/i.test(nameOrPath)) {
    const file = resolve(directory, nameOrPath);
    if (existsSync(file) && statSync(file).isFile()) return file;
    throw new BerthError('BERTH_MISSING_FILE', `there is no robot file "${nameOrPath}"`, {
      field,
    });
  }
  const names = robotNames();
  if (names.includes(nameOrPath)) return join(robotFolder(), `${nameOrPath}.yaml`);
  const near = nearest(nameOrPath, names);
  const hint =
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `allowed: ${names.join(', ')}`;
  throw new BerthError('BERTH_MISSING_FILE', `robot "${nameOrPath}" does not exist; ${hint}`, {
    field,
  });
}

/**
 * Loads a robot by name or path (YAML or URDF), applies `path=value` overrides and checks it,
 * including physics. A robot with `mount` becomes one tree with its carrier.
 * @param directory folder to which a path is relative
 * @throws BerthError with `file:line:column`
 */
export function loadRobot(
  nameOrPath: string,
  overrides: readonly string[] = [],
  directory: string = process.cwd(),
): Robot {
  return load(robotFile(nameOrPath, directory, 'robot'), overrides, []);
}

function load(file: string, overrides: readonly string[], carried: readonly string[]): Robot {
  const shown = shownPath(file);
  if (/[.]urdf$/i.test(file)) {
    if (overrides.length === 0) return readUrdf(file, shown);
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `--set ${overrides[0]} cannot change ${shown}; allowed: overrides of YAML robots`,
      { field: 'robot' },
    );
  }
  const source = new YamlSource(shown, readInput(file, 'robot', MOST_TEXT_BYTES).toString());
  for (const override of overrides) source.override(override);
  const given = readBySchema(source, RobotSchema) as RobotFile;
  try {
    const { mount } = given;
    const named = (field: string, name: string): Robot => {
      const other = robotFile(name, dirname(file), field);
      checkNesting(other, [...carried, file], field, name);
      return load(other, [], [...carried, file]);
    };
    const robot =
      given.robot === undefined
        ? compileRobot(given, dirname(file))
        : renamed(given, named('robot', given.robot));
    return mount === undefined
      ? robot
      : mountRobot(named('mount.robot', mount.robot), mount.frame, robot);
  } catch (error) {
    if (error instanceof ConfigError || !(error instanceof BerthError)) throw error;
    throw locatedField(source, error);
  }
}

/** Takes a robot of another file, with the name and place of this file. */
function renamed(given: RobotFile, robot: Robot): Robot {
  const [extra] = [...given.links.map(() => 'links'), ...given.frames.map(() => 'frames')];
  if (extra !== undefined) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `${extra} stands beside robot ${given.robot ?? ''}; allowed: one of them, as that robot brings its own`,
      { field: extra },
    );
  }
  const { name, title, description, base } = given;
  const orientation = compileOrientation(base.orientation, 'base.orientation');
  return {
    ...robot,
    name,
    title,
    description,
    model: { ...robot.model, name, position: base.position_m, orientation },
  };
}

function checkNesting(file: string, above: readonly string[], field: string, name: string): void {
  const round = above.includes(file);
  if (!round && above.length <= MOST_NESTED) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    round
      ? `${field} is "${name}", which is made of this robot itself; allowed: another robot`
      : `${field} is "${name}", robot number ${above.length} of a file of a file; allowed: at most ${MOST_NESTED}`,
    { field },
  );
}
