/**
 * Far end of the latency measurement, in a separate process. It sends a STATE about every
 * millisecond and records when the SETPOINT that acknowledges it (ack_seq) arrives; or it sends as
 * many bytes to a bare echo and records their return. One thread and one clock give both times.
 *
 * `loop-latency.ts` starts it with: LINE (ws or pty), WHAT (robot or echo), and the address for ws.
 */
import { extname } from 'node:path';
import { monotonic_us } from '../hil/os/clock.ts';
import { raiseThread } from '../hil/os/os.ts';
import { DEFAULT_LIMITS } from '../hil/emulator/options.ts';
import { TaggingLink } from '../hil/links/tagging-link.ts';
import { Role } from '../hil/protocol/endpoint.ts';
import { MAX_FRAME, frameLayout } from '../hil/protocol/layout.ts';
import { FrameType, StateFrame } from '../hil/protocol/frames.ts';
import { RobotSession } from '../hil/protocol/robot-session.ts';
import { SafetyState } from '../hil/contract/codes.ts';
import { startThread } from '../hil/os/start-thread.ts';
import type { PaceData } from './pace-thread.ts';
import { type PeerLink, PtyPeer, SocketPeer } from './peer-link.ts';

/** Report of this process at its end. */
export interface PeerReport {
  readonly latencies_us: readonly number[];
  /** Frames sent while counting. */
  readonly sent: number;
}

const SLOTS = 4096;
/** Slightly different from the loop's period, so that the phase sweeps evenly over it, about four times a second. */
const SEND_EVERY_us = 1003.7;
/** Time after the first answer that is not counted: V8 compiles, the clocks are matched. */
const WARM_UP_MS = 1500;
const PRIORITY = 60;
const STATE_BYTES = frameLayout(FrameType.STATE).length;

const [line, what, address = ''] = process.argv.slice(2);
const key = process.env['BERTH_ROBOT_KEY'] ?? '';
const link: PeerLink = line === 'pty' ? new PtyPeer() : new SocketPeer(address);
const sentAt = new Float64Array(SLOTS);
const sentSeq = new Float64Array(SLOTS).fill(-1);
const latencies_us: number[] = [];
let sent = 0;
let firstAnswer_us = 0;
const counting = (now_us: number): boolean =>
  firstAnswer_us > 0 && now_us - firstAnswer_us > WARM_UP_MS * 1000;

function noteSent(seq: number, now_us: number): void {
  sentAt[seq % SLOTS] = now_us;
  sentSeq[seq % SLOTS] = seq;
  if (counting(now_us)) sent++;
}

/** One sample a frame: the first answer that names it. */
function noteAnswer(seq: number, arrived_us: number): void {
  const slot = seq % SLOTS;
  if (sentSeq[slot] !== seq) return;
  sentSeq[slot] = -1;
  if (firstAnswer_us === 0) firstAnswer_us = arrived_us;
  if (counting(sentAt[slot])) latencies_us.push(arrived_us - sentAt[slot]);
}

function makeRobot(): () => void {
  const { speed_mps, angular_speed_radps, acceleration_mps2, force_N, moment_Nm, workspace_m } =
    DEFAULT_LIMITS;
  const session = new RobotSession({
    period_s: 0.001,
    keyed: key !== '',
    device: 'berth-latency',
    firmware: '1',
    limits: { speed_mps, angular_speed_radps, acceleration_mps2, force_N, moment_Nm, workspace_m },
  });
  const tagged = new TaggingLink(link, Role.ROBOT, [key]);
  tagged.session = session.tags;
  const state = new StateFrame();
  state.orientation.set([0, 0, 0, 1]);
  state.linkState = SafetyState.MONITOR_READY;
  const poll = (): void => {
    session.now_us[0] = monotonic_us();
    session.poll(tagged);
    if (session.fresh) noteAnswer(session.setpoint.ackSeq, link.receivedAt_us);
  };
  link.onFrame = poll;
  return () => {
    poll(); // hello and heartbeat
    const now_us = monotonic_us();
    state.tMeas_us = now_us;
    session.now_us[0] = now_us;
    if (session.sendState(tagged, state)) noteSent(state.seq, now_us);
  };
}

function makeEcho(): () => void {
  const out = Buffer.alloc(STATE_BYTES, 0x5a);
  const back = Buffer.alloc(MAX_FRAME);
  let seq = 0;
  link.onFrame = () => {
    if (link.receive(back) === STATE_BYTES) noteAnswer(back.readUInt32LE(0), link.receivedAt_us);
  };
  return () => {
    seq++;
    out.writeUInt32LE(seq, 0);
    const now_us = monotonic_us();
    if (link.send(out, STATE_BYTES)) noteSent(seq, now_us);
  };
}

raiseThread(PRIORITY);
const send = what === 'robot' ? makeRobot() : makeEcho();
const words = new Int32Array(new SharedArrayBuffer(8));
const pace: PaceData = { words: words.buffer, period_us: SEND_EVERY_us, priority: PRIORITY };
startThread(new URL(`./pace-thread${extname(import.meta.url)}`, import.meta.url), {
  workerData: pace,
}).on('error', (error) => {
  throw error;
});

process.on('message', () => {
  const report: PeerReport = { latencies_us, sent };
  process.send!(report, () => process.exit(0));
});
process.on('disconnect', () => process.exit(1));
process.send!(link instanceof PtyPeer ? link.path : 'ready');
for (;;) {
  const seen = Atomics.load(words, 0);
  const next = Atomics.waitAsync(words, 0, seen, 1000);
  if (next.async) await next.value;
  send();
}
