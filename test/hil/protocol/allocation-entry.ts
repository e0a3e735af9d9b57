/** Runs two sessions over preallocated links and prints the heap growth of a tick. Started by allocation.test.ts. */
import { TaggingLink } from '../../../hil/links/tagging-link.ts';
import { SetpointFrame, StateFrame } from '../../../hil/protocol/frames.ts';
import { RobotSession } from '../../../hil/protocol/robot-session.ts';
import { ServerSession, SessionCount } from '../../../hil/protocol/server-session.ts';
import { quietLinks } from '../../fixtures/quiet-link.ts';
import { LIMITS } from '../../fixtures/session-pair.ts';

const clock = Float64Array.of(1_000_000);
const [serverLink, robotLink] = quietLinks(clock);
/** Empty: no tags. */
const key = process.argv[2] ?? '';
const keyed = key !== '';
const server = new ServerSession({ period_s: 0.001, keyed, limits: LIMITS });
const robot = new RobotSession({
  period_s: 0.001,
  keyed,
  device: 'quiet',
  firmware: '1',
  limits: LIMITS,
});
const serverLine = new TaggingLink(serverLink, 0, [key]);
const robotLine = new TaggingLink(robotLink, 1, [key]);
serverLine.session = server.tags;
robotLine.session = robot.tags;
const setpoint = new SetpointFrame();
const state = new StateFrame();

function tick(): void {
  clock[0] += 1000;
  const now_us = clock[0];
  robot.now_us[0] = now_us;
  robot.poll(robotLine);
  state.echoSeq = robot.setpoint.seq;
  state.tMeas_us = now_us;
  state.position[0] = (now_us % 1e6) * 1e-12;
  robot.sendState(robotLine, state);
  server.now_us[0] = now_us;
  server.poll(serverLine);
  setpoint.position[0] = state.position[0];
  server.sendSetpoint(serverLine, setpoint);
}

const collect = (globalThis as unknown as { gc: () => void }).gc;
const TICKS = 20_000;
for (let i = 0; i < 40_000; i++) tick();
let best = Infinity;
// The compiler works beside the program and may be late on a busy machine: rounds until its code is in place.
for (let round = 0; round < 12 && best >= 1; round++) {
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < TICKS; i++) tick();
  best = Math.min(best, (process.memoryUsage().heapUsed - before) / TICKS);
}
let errors = 0;
for (let i = SessionCount.ERRORS; i < SessionCount.LOST; i++) errors += server.counts[i];
console.log(
  JSON.stringify({ bytesPerTick: best, phase: server.phase, fresh: server.fresh ? 1 : 0, errors }),
);
