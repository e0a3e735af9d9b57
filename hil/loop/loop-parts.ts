/** Puts the tick of a running service together, and warms its code up before the clock starts. */
import { contactKernels } from '../../config/contact-kernels.ts';
import { makeSystem, type System } from '../../src/system/system.ts';
import { RealClock } from '../os/clock.ts';
import { InjectingLink } from '../faults/injecting-link.ts';
import type { Link } from '../contract/link.ts';
import { RingLink } from '../links/ring-link.ts';
import { SerialLink } from '../links/serial-link.ts';
import { Rehearsal } from './rehearsal.ts';
import { makeSession, makeTaggingLink } from './loop-session.ts';
import { RecordingLink } from '../recording/recording-link.ts';
import { makeTap, type RecordingTap } from '../telemetry/tap.ts';
import { LOOP_MODES } from '../contract/codes.ts';
import { HandshakePen } from '../telemetry/handshakes.ts';
import { ControlWord, touchMemory } from '../memory/shared.ts';
import { Tick } from './tick.ts';
import { TickTiming } from '../contract/timing.ts';
import { visitPlaces } from './visit-places.ts';
import { warmUp } from './warm-up.ts';
import type { LoopWorkerData } from './worker-data.ts';

/** What the loop worker runs. */
export interface LoopParts {
  readonly tick: Tick;
  readonly clock: RealClock;
  readonly timing: TickTiming;
  readonly ringLink: RingLink | null;
  readonly injector: InjectingLink | null;
  readonly tap: RecordingTap | null;
  /** Tell the robot that the session is over. */
  readonly farewell: () => void;
}

/** Everything that the loop worker needs, its code warmed up if the data require it. */
export function buildTick(data: LoopWorkerData, onError: (error: unknown) => void): LoopParts {
  const system = makeSystem(data.model, contactKernels());
  if (data.warmUp !== false) {
    touchMemory(data.shared);
    visitPlaces(system, warmUp(data));
  }
  return assembleTick(data, onError, system);
}

/** The same without a warm-up. */
export function assembleTick(
  data: LoopWorkerData,
  onError: (error: unknown) => void,
  system: System = makeSystem(data.model, contactKernels()),
): LoopParts {
  const { settings, shared, runKey = '' } = data;
  const control = new Int32Array(shared.control);
  const sleepWord = control.subarray(ControlWord.LOOP_SLEEP, ControlWord.LOOP_SLEEP + 1);
  const clock = new RealClock(sleepWord, settings.loop.spin_s);
  const timing = new TickTiming();
  const { transport } = settings.robot;
  const ringLink =
    transport === 'websocket'
      ? new RingLink(shared.fromRobot, shared.toRobot, shared.control)
      : null;
  const seat = control.subarray(ControlWord.SERIAL, ControlWord.SERIAL + 1);
  const serial = transport === 'serial' ? new SerialLink(seat, clock) : null;
  const inner: Link | null = ringLink ?? serial;
  // tags belong to the line: what is injected and recorded has none
  const tagging = inner === null ? null : makeTaggingLink(inner, settings, runKey);
  const injector =
    tagging !== null && settings.allow_fault_injection
      ? new InjectingLink(tagging, settings.loop.period_s)
      : null;
  const tap = makeTap(shared, timing, settings.loop.period_s);
  const line = injector ?? tagging;
  // what the session receives is recorded, injected faults included
  const link = line !== null && tap !== null ? new RecordingLink(line, tap) : line;
  const session =
    link === null ? null : makeSession(settings, tap, runKey, new HandshakePen(shared));
  if (tagging !== null && session !== null) tagging.session = session.tags;
  const tick = new Tick({
    system,
    mode: LOOP_MODES.indexOf(data.mode),
    session,
    link,
    injector,
    clock,
    timing,
    settings,
    shared,
    tap,
    onError,
  });
  clock.spare = new Rehearsal(tick);
  const farewell = (): void => {
    if (session === null || link === null) return;
    session.now_us[0] = clock.now_us();
    session.sendBye(link);
    ringLink?.announce();
  };
  return { tick, clock, timing, ringLink, injector, tap, farewell };
}
