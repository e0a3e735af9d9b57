/** Checks whether other users can read a secret file. */
import { statSync } from 'node:fs';
import type { Settings } from './settings.ts';

/** Mode bit of reading by all users. */
const OTHERS_READ = 0o004;

function readableByOthers(file: string): boolean {
  if (process.platform === 'win32') return false; // its mode bits have no meaning
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS_READ) !== 0;
}

/** One sentence for each file with a secret that every user of this machine can read. @param file settings file */
export function secretFileWarnings(file: string, { server, robot }: Settings): string[] {
  const holdsKeys = Object.keys(server.keys).length > 0 || robot.key !== '';
  const files: [string, string][] = [
    ...(holdsKeys ? [['the keys of the settings', file] as [string, string]] : []),
    ['server.tls.key', server.tls.key],
    ['robot.tls.key', robot.tls.key],
  ];
  return files
    .filter(([, path]) => path !== '' && readableByOthers(path))
    .map(
      ([what, path]) => `${what}: every user of this machine can read ${path}; chmod o-r ${path}`,
    );
}
