/**
 * The whole service for a measurement: the loop with its default settings, the web face, the emulated robot and the scripted
 * flight in processes of their own, all on free ports. What `berth serve` runs, with the shared memory within reach.
 */
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { Runtime } from '../hil/runtime-types.ts';
import { startRuntime } from '../hil/runtime.ts';
import type { LoopModeName } from '../hil/safety/codes.ts';
import { buildApp } from '../server/app.ts';
import { BerthChild } from '../server/cli/child.ts';
import { ptyPath, startRobot } from '../server/cli/robot-child.ts';
import { listeningPort } from '../server/upgrade.ts';

/** How the robot is connected. */
export type Transport = 'ws' | 'pty';

/** A running service with its robot. */
export interface Rig {
  readonly settings: Settings;
  readonly runtime: Runtime;
  /** Where the web face answers. */
  readonly url: string;
  /** Start a flight down to the plateau that recovers from holds and faults. */
  fly(onLine: (line: string) => void): BerthChild;
  /** End the flights, then the loop (category-1 stop), then the robot. */
  close(): Promise<void>;
}

/** A day: the flight stays down as long as the measurement lasts. */
const HOLD_S = 86_400;

/**
 * Start everything but a flight, without recording; `scenario` is a name or the path of a file, `adjust` may change settings,
 * `robotOptions` go to `berth emulate`.
 */
export async function startRig(
  mode: LoopModeName,
  transport: Transport,
  onNote: (note: string) => void,
  scenario = 'half-sphere-on-plate',
  adjust: (settings: Settings) => void = () => undefined,
  robotOptions: readonly string[] = [],
): Promise<Rig> {
  const settings = structuredClone(loadSettings());
  settings.scenario = scenario;
  settings.mode = mode;
  settings.server.port = 0;
  settings.server.log_level = 'silent';
  settings.robot.port = 0;
  settings.recording.mode = 'off';
  settings.recording.freezes = 0;
  settings.audit.enabled = false;
  adjust(settings);
  const ending: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ending.splice(0).reverse()) await end();
  };
  try {
    let robot: BerthChild | null = null;
    if (transport === 'pty') {
      robot = startRobot(settings, ['--pty'], robotOptions);
      ending.push(() => robot!.end());
      settings.robot.transport = 'serial';
      settings.robot.serial_path = await ptyPath(robot);
    }
    const runtime = await startRuntime(settings, { onNote });
    if (transport === 'ws') {
      robot = startRobot(settings, ['--ws', runtime.robotAddress], robotOptions);
      ending.push(() => robot!.end());
    }
    ending.push(() => runtime.close());
    const app = await buildApp({ settings, runtime });
    ending.push(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${listeningPort(app)}`;
    const fly = (onLine: (line: string) => void): BerthChild => {
      const flight = new BerthChild('fly', ['--url', url, '--hold', `${HOLD_S}`, '--persist'], {});
      flight.lines.on('line', onLine);
      ending.push(() => flight.end());
      return flight;
    };
    return { settings, runtime, url, fly, close };
  } catch (error) {
    await close();
    throw error;
  }
}
