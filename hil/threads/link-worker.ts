/**
 * Worker thread that speaks WebSocket with the robot controller, on a port of its own: one HLP/1 frame a message, binary or
 * as a MessagePack map, into and out of the shared rings of the loop. One robot at a time; everything that is not a robot is
 * turned away before the upgrade completes.
 */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { BlockList, type OnReadOpts, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocketServer, type WebSocket } from 'ws';
import { monotonic_us } from '../os/clock.ts';
import { ConnectionPlaces, peerOf } from '../access/connection-places.ts';
import { LINK_FAMILIES, counterSlot, layoutCounters } from '../contract/counters.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { raiseThread } from '../os/os.ts';
import { sufferWorkerFault } from './worker-fault.ts';
import { FrameType } from '../protocol/frames.ts';
import { RejectCode } from '../protocol/handshake.ts';
import { fieldOffset } from '../protocol/layout.ts';
import { frameToMessagePack, messagePackToFrame } from '../protocol/messagepack.ts';
import { FrameRing } from '../memory/ring.ts';
import { RobotDoor } from '../access/robot-door.ts';
import { ControlWord, LoopState } from '../memory/shared.ts';
import { contextOptions, cutUnproven, listenerOptions } from '../access/tls.ts';
import type { LinkRequest, LinkWorkerData, WorkerMessage } from '../loop/worker-data.ts';

const BINARY = 'berth.robot.v1';
const MESSAGEPACK = 'berth.robot.v1.msgpack';
const MOST_BUFFERED = 65536;

const data = workerData as LinkWorkerData;
const port = parentPort!;
const say = (message: WorkerMessage): void => port.postMessage(message);

const control = new Int32Array(data.shared.control);
const toRobot = new FrameRing(data.shared.toRobot);
const fromRobot = new FrameRing(data.shared.fromRobot);
const counters = new Float64Array(data.shared.linkCounters);
const loop = new Float64Array(data.shared.loopCounters);
const layout = layoutCounters(LINK_FAMILIES);
const slot = (name: string, ...labels: string[]): number =>
  counterSlot(layout, LINK_FAMILIES, name, ...labels);
const SESSIONS = slot('robot_sessions');
const DROPPED_IN = slot('robot_ring_dropped_total', 'rx');
const DROPPED_OUT = slot('robot_ring_dropped_total', 'tx');

/** After the end of its session a robot keeps its place for so long; then another may take it. */
const GONE_us = 2e6;
/** Who connects has so long for a handshake before another may take the place: several times what one takes on a busy machine. */
const HANDSHAKE_us = 5e6;
/** A robot asks for its upgrade at once; whoever does not is cut off, ms. */
const LISTENER_TIMES = {
  headersTimeout: 2000,
  requestTimeout: 2000,
  keepAliveTimeout: 1000,
  connectionsCheckingInterval: 500,
};
/** Connections that have not become a robot's. */
const LISTENER_PLACES = { total: 16, perPeer: 8 };
const REJECT_CODE = fieldOffset(FrameType.REJECT, 'code');
/** A robot that was shut out has so long to read why and to close, ms. */
const FAREWELL_MS = 200;
const door = new RobotDoor();
const outgoing = new Uint8Array(512);
const incoming = new Uint8Array(512);
const NO_FRAME = new Uint8Array(1);
let robot: WebSocket | null = null;
let robotPeer = '';
/** When it connected, and when it was last heard in session, µs. */
let connected_us = 0;
let session_us = 0;

/** Refuse an upgrade with a plain HTTP answer. */
function refuse(socket: Duplex, status: string, reason: string, text: string): void {
  counters[slot('robot_rejects_total', reason)] += 1;
  socket.once('finish', () => socket.destroy()); // whoever keeps its side open
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** The loop is in session with the robot, by frames that it took: garbage keeps nobody's place. */
function inSession(): boolean {
  return loop[LoopSlot.LINK_UP] === 1;
}

/** Whether the robot that is connected has a right to its place against another one. */
function isPlaceHeld(): boolean {
  if (robot === null) return false;
  // a loop that is loading a scenario has no session with anybody
  if (Atomics.load(control, ControlWord.LOOP_STATE) !== LoopState.RUNNING) return true;
  if (inSession()) return true;
  const now = monotonic_us();
  return now - session_us < GONE_us || now - connected_us < HANDSHAKE_us;
}

const sockets = new WebSocketServer({
  noServer: true,
  maxPayload: 2048,
  perMessageDeflate: false,
  handleProtocols: (offered) => (offered.has(BINARY) ? BINARY : MESSAGEPACK),
});

function accept(socket: WebSocket, raw: Socket): void {
  raw.setNoDelay(true);
  robot = socket;
  robotPeer = peerOf(raw.remoteAddress);
  connected_us = monotonic_us();
  session_us = 0;
  while (toRobot.pop(outgoing) > 0); // what an earlier robot did not fetch is stale
  Atomics.store(control, ControlWord.ROBOT_CONNECTED, 1);
  counters[SESSIONS] = 1;
  const packed = socket.protocol === MESSAGEPACK;

  socket.on('message', (message: Buffer) => {
    const arrived = monotonic_us();
    if (inSession()) session_us = arrived;
    let frame: Uint8Array = message;
    let length = message.length;
    if (packed) {
      length = messagePackToFrame(message, incoming);
      frame = incoming;
    }
    // a message that is no frame goes on as one byte, for the loop to count: nothing at all would look like the end of what has come
    if (length === 0) {
      frame = NO_FRAME;
      length = 1;
    }
    if (length > 512 || !fromRobot.push(frame, length, arrived)) counters[DROPPED_IN] += 1;
  });
  socket.on('close', () => {
    if (robot !== socket) return;
    robot = null;
    Atomics.store(control, ControlWord.ROBOT_CONNECTED, 0);
    counters[SESSIONS] = 0;
  });
  socket.on('error', () => socket.terminate());
}

const answer: RequestListener = (_request, response) => {
  response.writeHead(426, {
    'Content-Type': 'text/plain',
    Upgrade: 'websocket',
    Connection: 'close',
  });
  response.end('This is the robot link of Berth: connect with WebSocket to /robot\n');
};
const secure =
  data.tls === null
    ? null
    : createTlsServer({ ...listenerOptions(data.tls), ...LISTENER_TIMES }, answer);
secure?.on('secureConnection', cutUnproven);
const server = secure ?? createServer(LISTENER_TIMES, answer);
// strangers cannot keep a robot out by connections that say nothing: the oldest of them gives way
new ConnectionPlaces(LISTENER_PLACES, new BlockList(), () => {
  counters[slot('robot_rejects_total', 'places')] += 1;
}).attach(server);
server.on('upgrade', (request, socket, head) => {
  socket.on('error', () => socket.destroy());
  const path = (request.url ?? '').split('?')[0];
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((p) => p.trim());
  if (path !== '/robot') {
    refuse(socket, '404 Not Found', 'path', 'The robot link is at /robot\n');
  } else if (request.headers.origin !== undefined) {
    refuse(socket, '403 Forbidden', 'key', 'The robot link is not for web pages\n');
  } else if (!offered.includes(BINARY) && !offered.includes(MESSAGEPACK)) {
    const text = `Offer the sub-protocol ${BINARY} or ${MESSAGEPACK}\n`;
    refuse(socket, '426 Upgrade Required', 'protocol', text);
  } else if (!door.isOpen(peerOf(request.socket.remoteAddress), performance.now())) {
    const text = 'Too many wrong keys came from this address: try again in some seconds\n';
    refuse(socket, '429 Too Many Requests', 'key', text);
  } else if (isPlaceHeld()) {
    refuse(socket, '409 Conflict', 'busy', 'Another robot is connected\n');
  } else if (socket instanceof Socket) {
    robot?.terminate(); // it has lost power or its cable, and its end of the connection will never say so
    sockets.handleUpgrade(request, socket, head, (client) => accept(client, socket));
  }
});

/** The loop has refused the key of the robot that is connected. */
function hearReject(to: WebSocket): void {
  if (outgoing[REJECT_CODE] !== RejectCode.tag) return;
  if (!door.wrong(robotPeer, performance.now())) return;
  to.close(1008, 'too many wrong keys');
  setTimeout(() => to.terminate(), FAREWELL_MS);
}

/** Send everything that the loop has queued. */
function flush(): void {
  for (let length = toRobot.pop(outgoing); length > 0; length = toRobot.pop(outgoing)) {
    if (robot === null || robot.bufferedAmount > MOST_BUFFERED) {
      counters[DROPPED_OUT] += 1;
      continue;
    }
    if (robot.protocol === MESSAGEPACK) robot.send(frameToMessagePack(outgoing, length));
    else robot.send(Buffer.from(outgoing.subarray(0, length)));
    if (outgoing[1] === FrameType.REJECT) hearReject(robot);
  }
}

/** Send what is queued whenever the loop's doorbell rings; one that fails ends this worker, and another is started. */
function listen(): void {
  const callback = (): boolean => {
    flush();
    return true;
  };
  const onread: OnReadOpts = { buffer: new Uint8Array(4096), callback };
  const options = { fd: data.doorbellFd, readable: true, writable: false, onread };
  new Socket(options);
}

/** Sleep until the loop announces frames, or for a while, for ever. */
async function pump(): Promise<void> {
  for (;;) {
    const seen = Atomics.load(toRobot.header, 0);
    flush();
    const wait = Atomics.waitAsync(toRobot.header, 0, seen, 1000);
    if (wait.async) await wait.value;
  }
}

server.on('error', (error: NodeJS.ErrnoException) => {
  const message =
    error.code === 'EADDRINUSE'
      ? `robot.port: port ${data.port} on ${data.host} is in use; choose another port, or 0 for any free one`
      : `robot.host: the robot link cannot listen on ${data.host}:${data.port} (${error.message})`;
  say({ kind: 'error', code: 'BERTH_PORT_IN_USE', message });
});
server.listen(data.port, data.host, () => {
  const grant = raiseThread(data.priority);
  if (!grant.realtime && data.priority > 0) {
    say({ kind: 'note', message: `Robot link thread without real-time class: ${grant.reason}` });
  }
  const address = server.address();
  say({ kind: 'ready', port: typeof address === 'object' && address !== null ? address.port : 0 });
});
if (data.doorbellFd >= 0) listen();
else void pump();
port.on('message', (request: LinkRequest) => {
  if (request !== 'close') {
    if (request.kind === 'tls') secure?.setSecureContext(contextOptions(request.tls));
    else if (request.kind === 'drop') robot?.terminate();
    else sufferWorkerFault(request);
    return;
  }
  robot?.close(1001);
  setTimeout(() => process.exit(0), robot === null ? 0 : 50);
});
