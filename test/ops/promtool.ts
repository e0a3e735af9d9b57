/** promtool, when this machine has it. */
import { spawnSync } from 'node:child_process';

/** Why promtool cannot be used here, or false: the value of a test's `skip`. */
export const promtoolMissing: string | false =
  spawnSync('promtool', ['--version']).error === undefined
    ? false
    : 'promtool is not installed (Debian package "prometheus")';

/** Run promtool; @returns its exit code and all it wrote. */
export function promtool(args: readonly string[], input = ''): { code: number; text: string } {
  const done = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { code: done.status ?? -1, text: done.stdout + done.stderr };
}
