/**
 * Thread of the robot: one cycle a period on the machine's clock. A delay by whole periods is
 * slipped and counted: the emulated plant stands still meanwhile, like everything else in the
 * process.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { RealClock } from '../os/clock.ts';
import type { Link } from '../contract/link.ts';
import { RingLink } from '../links/ring-link.ts';
import { SerialLink } from '../links/serial-link.ts';
import { raiseThread } from '../os/os.ts';
import { ControlWord } from '../memory/shared.ts';
import type { RobotMessage, RobotThreadData } from './process-options.ts';
import { PhaseLock } from './phase-lock.ts';
import { EmulatedRobot } from './robot.ts';
import { StatusColumn } from './process-options.ts';

const data = workerData as RobotThreadData;
const control = new Int32Array(data.control);
const status = new Float64Array(data.status);
/** Room for any frame. */
const MOST_FRAME_BYTES = 512;
/** Poll before each release, s. It may be short, because the loop keeps the time. */
const SPIN_S = 50e-6;

const clock = new RealClock(new Int32Array(new SharedArrayBuffer(4)), SPIN_S);
const ring = data.fd < 0 ? new RingLink(data.fromLoop, data.toLoop, data.control) : null;
const link: Link = ring ?? new SerialLink(Int32Array.of(data.fd), clock);
const robot = new EmulatedRobot({ ...data.robot, link });
const period_s = data.robot.period_s;
const period_us = period_s * 1e6;
const grant = raiseThread(data.realtime_priority);
const post = (message: RobotMessage): void => parentPort!.postMessage(message);
post({ kind: 'ready', realtime: grant.realtime, reason: grant.reason });

// the phase hardly matters for an arm that follows; a pure delay must have the requested length
const lock = data.robot.tracking === 'ideal' ? new PhaseLock(period_s) : null;

let slipped = 0;
let stops = 0;
let latest_us = 0.5; // largest lateness since the last read by the main thread, which writes 0

function report(): void {
  const { tool, guard, session } = robot;
  const v = tool.twist;
  const f = robot.trueWrench;
  if (status[StatusColumn.lateness_max_us] === 0) latest_us = 0.5;
  status[StatusColumn.cycles] = robot.cycles;
  status[StatusColumn.slipped] = slipped;
  status[StatusColumn.phase] = session.phase;
  status[StatusColumn.linkState] = guard.linkState;
  status[StatusColumn.safety] = guard.safety;
  status[StatusColumn.fault] = guard.fault;
  for (let i = 0; i < 3; i++) status[StatusColumn.x_m + i] = tool.position[i];
  status[StatusColumn.speed_mps] = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  status[StatusColumn.force_N] = Math.sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  status[StatusColumn.lateness_max_us] = latest_us;
  status[StatusColumn.framesIn] = robot.link.incoming.passed;
  status[StatusColumn.framesOut] = robot.link.outgoing.passed;
  status[StatusColumn.lostIn] = robot.link.incoming.lost;
  status[StatusColumn.lostOut] = robot.link.outgoing.lost;
}

// what came for a robot that was here before is nothing to this one
const stale = new Uint8Array(MOST_FRAME_BYTES);
while (link.receive(stale) > 0);

clock.release_us = clock.now_us() + period_us;
while (Atomics.load(control, ControlWord.SHUTDOWN) === 0) {
  clock.waitForRelease();
  const now = clock.now_us();
  const late = now - clock.release_us;
  if (late > latest_us) latest_us = late;
  robot.step(period_s, now);
  ring?.announce();
  report();
  if (robot.stop.stops !== stops) {
    stops = robot.stop.stops;
    const { guard, tool } = robot;
    post({
      kind: 'stopped',
      stop: robot.stop.report(guard.endedBy, guard.fault, tool.position),
    });
  }
  const missed = Math.floor(late / period_us);
  slipped += missed;
  const shift =
    lock !== null && robot.session.fresh ? lock.observe(robot.session.cmdAge_us - late) : 0;
  clock.release_us += (missed + 1) * period_us + shift;
}
