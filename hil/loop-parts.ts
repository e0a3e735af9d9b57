/** Puts the tick of a running service together, and warms its code up before the clock starts. */
import { makeSystem } from '../src/system.ts';
import { RealClock } from './clock.ts';
import { InjectingLink } from './links/injecting-link.ts';
import type { Link } from './links/link.ts';
import { RingLink } from './links/ring-link.ts';
import { SerialLink } from './links/serial-link.ts';
import { ServerSession } from './protocol/server-session.ts';
import { LOOP_MODES } from './safety/codes.ts';
import { ControlWord } from './shared.ts';
import { Tick } from './tick.ts';
import { TickTiming } from './timing.ts';
import { warmUp } from './warm-up.ts';
import type { LoopWorkerData } from './worker-data.ts';

/** What the loop worker runs. */
export interface LoopParts {
  readonly tick: Tick;
  readonly clock: RealClock;
  readonly timing: TickTiming;
  readonly ringLink: RingLink | null;
  readonly injector: InjectingLink | null;
  /** Tell the robot that the session is over. */
  readonly farewell: () => void;
}

/** Everything that the loop worker needs. */
export function buildTick(data: LoopWorkerData, onError: (error: unknown) => void): LoopParts {
  const { settings, shared } = data;
  warmUp(data);
  const control = new Int32Array(shared.control);
  const sleepWord = control.subarray(ControlWord.LOOP_SLEEP, ControlWord.LOOP_SLEEP + 1);
  const clock = new RealClock(sleepWord, settings.loop.spin_s);
  const timing = new TickTiming();
  const { transport } = settings.robot;
  const ringLink =
    transport === 'websocket'
      ? new RingLink(shared.fromRobot, shared.toRobot, shared.control)
      : null;
  const serial = transport === 'serial' ? new SerialLink(data.serialFd, clock) : null;
  const inner: Link | null = ringLink ?? serial;
  const injector =
    inner !== null && settings.allow_fault_injection ? new InjectingLink(inner) : null;
  const link = injector ?? inner;
  const session =
    link === null
      ? null
      : new ServerSession({
          period_s: settings.loop.period_s,
          key: settings.robot.key,
          limits: settings.limits,
          ...(transport === 'serial' ? { baud: settings.robot.baud } : {}),
        });
  const tick = new Tick({
    system: makeSystem(data.model),
    mode: LOOP_MODES.indexOf(data.mode),
    session,
    link,
    injector,
    clock,
    timing,
    settings,
    shared,
    onError,
  });
  const farewell = (): void => {
    if (session === null || link === null) return;
    session.now_us[0] = clock.now_us();
    session.sendBye(link);
    ringLink?.announce();
  };
  return { tick, clock, timing, ringLink, injector, farewell };
}
