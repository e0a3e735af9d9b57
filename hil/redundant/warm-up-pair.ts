/** Runs what only redundant workers run on a shadow before the first real tick: V8 compiles it there (see ../loop/warm-up.ts). */
import { makeSystem } from '../../src/system/system.ts';
import { assembleTick } from '../loop/loop-parts.ts';
import { DoorbellPair } from '../memory/os-doorbell.ts';
import { LogRing } from '../memory/log-ring.ts';
import { ShadowRobot } from '../loop/shadow-robot.ts';
import { allocateShared, ControlWord } from '../memory/shared.ts';
import type { LoopWorkerData } from '../loop/worker-data.ts';
import { allocatePair, joinPair } from './pair.ts';

const TICKS = 6000;
/** Ticks that one of both runs before the other takes over. */
const TURN_TICKS = 4;
/** Period of the shadow grid, s: once it is compiled, a tick has time left to sleep and to poll in; before that, periods are dropped. */
const PERIOD_S = 200e-6;
const SPIN_S = 50e-6;
const SHADOW_LOG_BYTES = 1 << 20;

/** Takes about three seconds. */
export function warmUpPair(data: LoopWorkerData): void {
  const recorded = data.shared.log.byteLength > 0;
  const real = allocateShared(recorded ? SHADOW_LOG_BYTES : 0);
  const doorbell = DoorbellPair.open(new Int32Array(real.control));
  const loop = { ...data.settings.loop, period_s: PERIOD_S, spin_s: SPIN_S };
  const settings = { ...data.settings, loop, robot: { ...data.settings.robot, key: '' } };
  const memory = allocatePair(real, makeSystem(data.model).state.length);
  const poses: Float64Array[] = [];
  const workers = memory.stages.map(({ buffers }, worker) => {
    const parts = assembleTick({ ...data, settings, shared: buffers }, () => undefined);
    const stall = (): void => undefined;
    poses.push(parts.tick.measured);
    const own = { memory, real, worker, settings, stall, realtime: [0, 0] as const };
    return joinPair({ ...parts, ...own, headStart_s: 0 });
  });
  const robot = new ShadowRobot(real, settings, poses[0]);
  Atomics.store(new Int32Array(real.control), ControlWord.ROBOT_CONNECTED, 1);
  const log = recorded ? new LogRing(real.log) : null;
  const step = (worker: number): void => {
    workers[worker].loop.step();
    log?.discard();
    robot.step();
  };
  for (let i = 0; i < TICKS; i++) step(Math.floor(i / TURN_TICKS) % workers.length);
  doorbell?.close();
}
