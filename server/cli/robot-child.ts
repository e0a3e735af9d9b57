/** The emulated robot as `berth serve` and the soak test start it: on the WebSocket of the loop, or on a pseudo terminal that it makes. */
import type { Settings } from '../../config/settings.ts';
import type { PlaceRequest } from '../../hil/emulator/process-options.ts';
import { BerthError } from '../../src/base/errors.ts';
import { BerthChild } from './child.ts';

const PTY_TIMEOUT_MS = 120_000;
const PLACE_TIMEOUT_MS = 30_000;

/**
 * Start the emulated robot; `target` is `--pty` or `--ws URL`, `more` is appended. `key` proves it to the loop; it goes by the environment, for a
 * command line is seen by every user of the machine.
 */
export function startRobot(
  settings: Settings,
  target: readonly string[],
  more: readonly string[] = [],
  key: string = settings.robot.key,
): BerthChild {
  const baud = ['--baud', String(settings.robot.baud)];
  const period = ['--period', String(settings.loop.period_s * 1000)];
  const place = ['--scenario', settings.scenario, '--arm', settings.robot.emulated_arm, ...period];
  const line = target.at(0) === '--pty' ? baud : [];
  const { certificate } = settings.robot.tls;
  const trust = target.at(0) === '--ws' && certificate !== '' ? ['--ca', certificate] : [];
  const args = [...target, ...place, ...line, ...trust, '--child', '--quiet', ...more];
  return new BerthChild('emulate', args, { BERTH_ROBOT_KEY: key });
}

/** Path of the pseudo terminal, from the robot's first line. */
export async function ptyPath(robot: BerthChild): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      clearTimeout(timer);
      const text = 'The emulated robot did not open a pseudo terminal.';
      reject(new BerthError('BERTH_SERIAL', text, { field: 'robot.serial_path' }));
    };
    const timer = setTimeout(fail, PTY_TIMEOUT_MS);
    void robot.ended.then(fail);
    robot.lines.on('line', (line) => {
      const path = /"(\/dev\/[^"]+)"/.exec(line)?.[1];
      if (path === undefined) return;
      clearTimeout(timer);
      resolve(path);
    });
  });
}

/** Puts the emulated robot where a scenario begins. @throws BerthError when it does not say that it is there */
export async function placeRobot(robot: BerthChild, scenario: string): Promise<void> {
  const request: PlaceRequest = { scenario };
  return new Promise((resolve, reject) => {
    const finish = (why: string): void => {
      clearTimeout(timer);
      robot.lines.off('line', take);
      if (why === '') resolve();
      else
        reject(new BerthError('BERTH_TIMEOUT', `The emulated robot is not at the start: ${why}.`));
    };
    const take = (line: string): void => {
      if (!line.includes('"placed"')) return;
      const { error = '' } = JSON.parse(line) as { readonly error?: string };
      finish(error);
    };
    const timer = setTimeout(() => finish('it gives no answer'), PLACE_TIMEOUT_MS);
    void robot.ended.then(() => finish('it has ended'));
    robot.lines.on('line', take);
    robot.write(JSON.stringify(request));
  });
}
