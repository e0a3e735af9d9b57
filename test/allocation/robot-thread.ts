/** The robot end of the allocation test: answers the handshake and sends the same STATE, in contact, every period. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Settings } from '../../config/settings.ts';
import { RealClock } from '../../hil/os/clock.ts';
import type { Link } from '../../hil/contract/link.ts';
import { StateFrame } from '../../hil/protocol/frames.ts';
import { RobotSession } from '../../hil/protocol/robot-session.ts';
import { FrameRing } from '../../hil/memory/ring.ts';
import type { SharedBuffers } from '../../hil/memory/shared.ts';

const { shared, settings, position } = workerData as {
  shared: SharedBuffers;
  settings: Settings;
  position: readonly number[];
};
const down = new FrameRing(shared.toRobot);
const up = new FrameRing(shared.fromRobot);
const clock = new RealClock(new Int32Array(new SharedArrayBuffer(4)), 0);
const link: Link = {
  transport: 'websocket',
  connected: true,
  bytesReceived: 0,
  bytesSent: 0,
  resyncs: 0,
  oversized: 0,
  receivedAt_us: 0,
  receive: (frame) => down.pop(frame),
  send: (frame, length) => up.push(frame, length, clock.now_us()),
};
const session = new RobotSession({
  period_s: settings.loop.period_s,
  keyed: false,
  device: 'test',
  firmware: '1',
  limits: settings.limits,
});
const state = new StateFrame();
state.position.set(position);
parentPort!.postMessage('ready');
clock.release_us = clock.now_us();
for (;;) {
  clock.release_us += settings.loop.period_s * 1e6;
  clock.waitForRelease();
  const now = clock.now_us();
  (link as { receivedAt_us: number }).receivedAt_us = now;
  session.now_us[0] = now;
  session.poll(link);
  state.tMeas_us = now;
  session.sendState(link, state);
}
