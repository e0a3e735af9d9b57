/**
 * The smallest robot that Berth can watch, as one would write it in Python: a WebSocket, MessagePack maps, nothing of Berth's own code.
 * It does the handshake and reports a tool that stands still; it refuses every ARM, so nothing ever moves.
 *
 *   node --import tsx examples/msgpack-robot.ts ws://127.0.0.1:7411/robot
 */
import { decode, encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';

type Frame = Record<string, unknown> & { type: string };
const LAYOUT_HASH = 3421433258; // of HLP/1 version 1.0; another layout is refused with a sentence
const nonce = [Date.now() % 2 ** 32, process.pid];
const socket = new WebSocket(
  process.argv[2] ?? 'ws://127.0.0.1:7411/robot',
  'berth.robot.v1.msgpack',
);
const now = (): number => Math.floor(performance.now() * 1000); // µs, any monotonic clock
let seq = 0;
let echoSeq = 0;
const send = (type: string, fields: object): void =>
  socket.send(encode({ type, seq: ++seq, t_us: now(), flags: 0, ...fields }));
const limits = {
  speed: 0.25,
  angularSpeed: 1,
  acceleration: 10,
  force: 500,
  moment: 150,
  workspace: 2,
};

function hello(peerNonce: unknown): void {
  const name = { device: 'msgpack-robot', firmware: '1' };
  const spoken = { role: 1, protocolMin: 0x10, protocolMax: 0x10, reserved: 0 };
  const cycle = { periodMin: 500, periodMax: 10_000, capabilities: 1 };
  send('HELLO', {
    ...spoken,
    layoutHash: LAYOUT_HASH,
    nonce,
    peerNonce,
    ...name,
    ...cycle,
    ...limits,
  });
}

function state(): void {
  const pose = { position: [0, 0, 0.001], orientation: [0, 0, 0, 1], twist: [0, 0, 0, 0, 0, 0] };
  const health = { linkState: 4, safety: 0, quality: 3, ctlMode: 0, fault: 0, success: 1000 };
  const ages = { echoSeq, cmdAge: 0, lostInRow: 0, ftAge: 0, tMeas: now() };
  send('STATE', { ...pose, wrench: [0, 0, 0, 0, 0, 0], ...health, ...ages });
}

let cycle: NodeJS.Timeout | null = null;
socket.on('open', () => hello([0, 0]));
socket.on('message', (message: Buffer) => {
  const arrived = now();
  const frame = decode(message) as Frame;
  if (frame.type === 'HELLO') hello(frame['nonce']);
  else if (frame.type === 'CONFIG') {
    const { version, period, session } = frame;
    send('CONFIG_ACK', { version, reserved: [0, 0, 0], period, session });
    cycle ??= setInterval(state, Number(period) / 1000);
  } else if (frame.type === 'SYNC') send('SYNC', { t1: frame['t1'], t2: arrived, t3: now() });
  else if (frame.type === 'SETPOINT') echoSeq = Number(frame['seq']);
  else if (frame.type === 'ARM') send('ARM_ACK', { request: frame['request'], accepted: 0 });
  else if (frame.type === 'REJECT') console.error(frame['text']);
});
socket.on('error', (error) => console.error(error.message));
socket.on('close', () => process.exit(0));
