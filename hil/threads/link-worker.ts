/**
 * Worker thread for the WebSocket of the robot controller, on its own port: one HLP/1 frame per
 * message, binary or as a MessagePack map, to and from the shared rings of the loop. Candidates
 * take turns until one of them is in session (robot-turns.ts). A peer that cannot be a robot is
 * refused before the upgrade completes.
 */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { BlockList, type OnReadOpts, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocketServer, type WebSocket } from 'ws';
import { monotonic_us } from '../os/clock.ts';
import { ConnectionPlaces, peerOf } from '../access/connection-places.ts';
import {
  Direction,
  FRAME_ERRORS,
  FrameErrorIndex,
  LINK_FAMILIES,
  RobotReject,
  type RobotRejectName,
  slotsOf,
} from '../contract/counters.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { raiseThread } from '../os/os.ts';
import { applyWorkerFault } from './worker-fault.ts';
import { FRAME_OK, FrameReader, FrameType } from '../protocol/frames.ts';
import { RejectCode } from '../contract/reject-codes.ts';
import { fieldOffset } from '../protocol/layout.ts';
import { frameToMessagePack, messagePackToFrame } from '../protocol/messagepack.ts';
import { FrameRing } from '../memory/ring.ts';
import { RefusalPace } from '../access/refusal-pace.ts';
import { RobotDoor } from '../access/robot-door.ts';
import { RobotTurns } from '../access/robot-turns.ts';
import { ControlWord, LoopState } from '../memory/shared.ts';
import { contextOptions, cutUnproven, listenerOptions } from '../access/tls.ts';
import type { LinkRequest, LinkWorkerData, WorkerMessage } from '../loop/worker-data.ts';

const BINARY = 'berth.robot.v1';
const MESSAGEPACK = 'berth.robot.v1.msgpack';
const MOST_BUFFERED = 65536;

const data = workerData as LinkWorkerData;
const port = parentPort!;
const post = (message: WorkerMessage): void => port.postMessage(message);

const control = new Int32Array(data.shared.control);
const toRobot = new FrameRing(data.shared.toRobot);
const fromRobot = new FrameRing(data.shared.fromRobot);
const counters = new Float64Array(data.shared.linkCounters);
const loop = new Float64Array(data.shared.loopCounters);
const LinkSlot = slotsOf(LINK_FAMILIES);

/** Time for which a robot keeps its place after the end of its session, µs; then another may take it. */
const GONE_us = 2e6;
/** Pause between two turns, µs. The loop starts each handshake anew, which gives some of its longest periods. */
const PAUSE_us = 50_000;
const REVIEW_MS = 25;
/** Times within which a peer must request its upgrade, ms; a robot does so at once. */
const LISTENER_TIMES = {
  headersTimeout: 2000,
  requestTimeout: 2000,
  keepAliveTimeout: 1000,
  connectionsCheckingInterval: 500,
};
/** Time limit of the TLS handshake, before any request, ms. */
const HANDSHAKE_MS = 2000;
/** Places for connections that are not yet in session. */
const LISTENER_PLACES = { total: 16, perPeer: 8 };
const REJECT_CODE = fieldOffset(FrameType.REJECT, 'code');
/** Time for a rejected robot to read the reason and to close, ms. */
const FAREWELL_MS = 200;
/** Time for a robot with the turn to come into session before that is reported, ms. */
const SESSION_MS = 3000;
/** The same refusal of a peer is reported to the main thread again after this, ms. */
const REPORT_MS = 1000;
/** Close code for a peer that may try again (RFC 6455 registry). */
const TRY_AGAIN = 1013;

/** A connection that has, waits for, or had a turn. */
interface Candidate {
  readonly socket: WebSocket;
  readonly peer: string;
  /** Last HELLO received while it waited; empty for none. */
  hello: Uint8Array;
  /** Whether it has sent HELLO. */
  greeted: boolean;
  /** Whether the loop has sent it REJECT, or it the loop; that has been reported. */
  rejected: boolean;
  /** Messages before its session that are no frames, and what was wrong with the newest: 1 + index in FRAME_ERRORS. */
  unread: number;
  fault: number;
}

const pace = new RefusalPace(REPORT_MS);
const door = new RobotDoor();
const turns = new RobotTurns<Candidate>();
const reader = new FrameReader();
const outgoing = new Uint8Array(512);
const incoming = new Uint8Array(512);
const NO_FRAME = new Uint8Array(1);
const NOTHING = new Uint8Array(0);
/** Of what is too long or too short for a frame. */
const LENGTH_WRONG = 1 + FrameErrorIndex.length;
/** Candidate with the turn or the session. */
let robot: Candidate | null = null;
/** Start of the present turn, last frame in session, and end of the pause between turns, µs. */
let turn_us = 0;
let session_us = 0;
let pause_us = 0;
let review: NodeJS.Timeout | null = null;
/** Ends the time for the robot with the turn to come into session. */
let overdue: NodeJS.Timeout | undefined;

/** Counts a refusal and reports it, though not each of a flood. */
function noteRefusal(reason: RobotRejectName, peer: string, message: string, read = false): void {
  counters[LinkSlot.robot_rejects_total + RobotReject[reason]] += 1;
  const more = pace.count(`${reason} ${peer}`, performance.now());
  if (more > 0) post({ kind: 'refused', reason, peer, message, more, read });
}

/** Refuses an upgrade with a plain HTTP answer. */
function refuse(
  socket: Duplex,
  peer: string,
  status: string,
  reason: RobotRejectName,
  text: string,
): void {
  noteRefusal(reason, peer, `${status.slice(0, 3)}: ${text.trim()}`);
  socket.once('finish', () => socket.destroy()); // ends a connection whose peer keeps its side open
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/**
 * Whether the loop is in session with the robot. Only frames that the loop accepted count, so
 * garbage keeps no place.
 */
function inSession(): boolean {
  return loop[LoopSlot.robot_link_up] === 1;
}

/** Whether the connected robot keeps its place against another one. */
function isPlaceHeld(): boolean {
  if (robot === null) return false;
  // a loop that loads a scenario is in session with no peer
  if (Atomics.load(control, ControlWord.LOOP_STATE) !== LoopState.RUNNING) return true;
  return inSession() || monotonic_us() - session_us < GONE_us;
}

const sockets = new WebSocketServer({
  noServer: true,
  maxPayload: 2048,
  perMessageDeflate: false,
  handleProtocols: (offered) => (offered.has(BINARY) ? BINARY : MESSAGEPACK),
});

/** Whether a frame of a robot without a session is a HELLO. The loop finds out from which robot. */
function isHello(from: Candidate, frame: Uint8Array, length: number): boolean {
  const status = length > 0 && length <= 512 ? reader.load(frame, length) : LENGTH_WRONG;
  if (status !== FRAME_OK) {
    from.unread++;
    from.fault = status;
  } else if (reader.type === FrameType.REJECT) from.rejected = true;
  return status === FRAME_OK && reader.type === FrameType.HELLO;
}

function receive(from: Candidate, message: Buffer): void {
  const arrived = monotonic_us();
  let frame: Uint8Array = message;
  let length = message.length;
  if (from.socket.protocol === MESSAGEPACK) {
    length = messagePackToFrame(message, incoming);
    frame = incoming;
  }
  if (from !== robot) {
    if (!isHello(from, frame, length)) return;
    from.hello = frame.slice(0, length);
    from.greeted = true;
    turns.greeted(from);
    return;
  }
  if (inSession()) session_us = arrived;
  else if (isHello(from, frame, length)) from.greeted = true;
  // an invalid message goes on as one byte for the loop to count; an empty one would look like the
  // end of the queue
  if (length === 0) {
    frame = NO_FRAME;
    length = 1;
  }
  if (length > 512 || !fromRobot.push(frame, length, arrived))
    counters[LinkSlot.robot_ring_dropped_total + Direction.RX] += 1;
}

function beginTurn(of: Candidate): void {
  robot = of;
  turn_us = monotonic_us();
  session_us = -GONE_us;
  post({ kind: 'turn', peer: of.peer });
  clearTimeout(overdue);
  overdue = setTimeout(noteOverdue, SESSION_MS, of);
  while (toRobot.pop(outgoing) > 0); // frames for an earlier robot are stale
  Atomics.store(control, ControlWord.ROBOT_CONNECTED, 1);
  counters[LinkSlot.robot_sessions] = 1;
  const { hello } = of;
  of.hello = NOTHING;
  if (hello.length > 0 && !fromRobot.push(hello, hello.length, turn_us))
    counters[LinkSlot.robot_ring_dropped_total + Direction.RX] += 1;
}

/** A robot that is connected and not in session, with what it sent: reported once a turn. */
function noteOverdue(one: Candidate): void {
  if (one !== robot || one.rejected || inSession()) return;
  if (Atomics.load(control, ControlWord.LOOP_STATE) !== LoopState.RUNNING) return;
  const time = `${SESSION_MS / 1000} s`;
  const last = FRAME_ERRORS[one.fault - 1];
  let sent = 'no HELLO came';
  if (one.greeted) sent = 'HELLO came, and no session';
  else if (one.unread > 0) sent = `no HELLO came; unreadable frames: ${one.unread} (${last})`;
  noteRefusal('timeout', one.peer, `connected for ${time}: ${sent}`, one.greeted);
}

function endTurn(): void {
  clearTimeout(overdue);
  robot = null;
  pause_us = monotonic_us() + PAUSE_us;
  Atomics.store(control, ControlWord.ROBOT_CONNECTED, 0);
  counters[LinkSlot.robot_sessions] = 0;
}

/** Closes a candidate without a place. A peer without power or cable never answers, so the close has a time limit. */
function farewell({ socket }: Candidate, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), FAREWELL_MS);
}

/** The same for one that did not get a turn. */
function turnAway(one: Candidate, reason: string): void {
  noteRefusal('busy', one.peer, reason);
  farewell(one, TRY_AGAIN, reason);
}

/** Moves the turn on, repeatedly while candidates wait. */
function reviewTurns(): void {
  const now_us = monotonic_us();
  if (robot !== null && inSession()) {
    for (const one of turns.settled(robot.peer)) turnAway(one, 'another robot is in');
  } else if (robot !== null && !isPlaceHeld()) {
    const turn = { since_ms: turn_us / 1000, greeted: robot.greeted };
    if (turns.isOver(turn, now_us / 1000)) {
      turns.lost(robot.peer, now_us / 1000);
      const text = 'no handshake in time';
      if (!robot.rejected) noteRefusal('timeout', robot.peer, text, robot.greeted);
      farewell(robot, TRY_AGAIN, text);
      endTurn();
    }
  } else if (robot === null && now_us >= pause_us) {
    const next = turns.next(now_us / 1000);
    if (next !== null) beginTurn(next);
  }
  const isBusy = turns.waiting > 0;
  if (isBusy && review === null) review = setInterval(reviewTurns, REVIEW_MS);
  if (!isBusy && review !== null) {
    clearInterval(review);
    review = null;
  }
}

function accept(socket: WebSocket, raw: Socket): void {
  raw.setNoDelay(true);
  const one: Candidate = {
    socket,
    peer: peerOf(raw.remoteAddress),
    hello: NOTHING,
    greeted: false,
    rejected: false,
    unread: 0,
    fault: 0,
  };
  socket.on('message', (message: Buffer) => receive(one, message));
  socket.on('close', () => {
    turns.leave(one);
    if (robot === one) endTurn();
  });
  socket.on('error', () => socket.terminate());
  const { entered, gone } = turns.enter(one, one.peer, monotonic_us() / 1000);
  if (gone !== null) turnAway(gone, 'too many wait');
  if (!entered) turnAway(one, 'too many wait');
  reviewTurns();
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
    : createTlsServer(
        { ...listenerOptions(data.tls), ...LISTENER_TIMES, handshakeTimeout: HANDSHAKE_MS },
        answer,
      );
secure?.on('secureConnection', cutUnproven);
const server = secure ?? createServer(LISTENER_TIMES, answer);
// silent connections cannot keep a robot out: the oldest of them is closed
new ConnectionPlaces(LISTENER_PLACES, new BlockList(), () => {
  counters[LinkSlot.robot_rejects_total + RobotReject.places] += 1;
}).attach(server);
server.on('upgrade', (request, socket, head) => {
  socket.on('error', () => socket.destroy());
  const path = (request.url ?? '').split('?')[0];
  const peer = peerOf(request.socket.remoteAddress);
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((p) => p.trim());
  if (path !== '/robot') {
    refuse(socket, peer, '404 Not Found', 'path', 'The robot link is at /robot\n');
  } else if (request.headers.origin !== undefined) {
    refuse(socket, peer, '403 Forbidden', 'key', 'The robot link is not for web pages\n');
  } else if (!offered.includes(BINARY) && !offered.includes(MESSAGEPACK)) {
    const text = `Offer the sub-protocol ${BINARY} or ${MESSAGEPACK}\n`;
    refuse(socket, peer, '426 Upgrade Required', 'protocol', text);
  } else if (!door.isOpen(peer, performance.now())) {
    const text = 'Too many wrong keys came from this address: try again in some seconds\n';
    refuse(socket, peer, '429 Too Many Requests', 'key', text);
  } else if (isPlaceHeld()) {
    refuse(socket, peer, '409 Conflict', 'busy', 'Another robot is connected\n');
  } else if (socket instanceof Socket) {
    sockets.handleUpgrade(request, socket, head, (client) => accept(client, socket));
  }
});

/** The loop has refused the connected robot. */
function receiveReject(to: Candidate): void {
  to.rejected = true;
  if (outgoing[REJECT_CODE] !== RejectCode.tag) return;
  counters[LinkSlot.robot_key_failures_total] += 1;
  // as often as the loop refuses; robot-door.ts keeps that rare
  post({ kind: 'wrong-key', peer: to.peer });
  if (door.wrong(to.peer, performance.now())) farewell(to, 1008, 'too many wrong keys');
}

/** Sends all frames queued by the loop. */
function flush(): void {
  for (let length = toRobot.pop(outgoing); length > 0; length = toRobot.pop(outgoing)) {
    if (robot === null || robot.socket.bufferedAmount > MOST_BUFFERED) {
      counters[LinkSlot.robot_ring_dropped_total + Direction.TX] += 1;
      continue;
    }
    const { socket } = robot;
    if (socket.protocol === MESSAGEPACK) socket.send(frameToMessagePack(outgoing, length));
    else socket.send(Buffer.from(outgoing.subarray(0, length)));
    if (outgoing[1] === FrameType.REJECT) receiveReject(robot);
  }
}

/** Sends the queued frames whenever the loop's doorbell rings. An error ends this worker, and a new one is started. */
function listen(): void {
  const callback = (): boolean => {
    flush();
    return true;
  };
  const onread: OnReadOpts = { buffer: new Uint8Array(4096), callback };
  const options = { fd: data.doorbellFd, readable: true, writable: false, onread };
  new Socket(options);
}

/** Sleeps until the loop announces frames, or for a while, repeatedly. */
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
  post({ kind: 'error', code: 'BERTH_PORT_IN_USE', message });
});
server.listen(data.port, data.host, () => {
  const grant = raiseThread(data.priority);
  if (!grant.realtime && data.priority > 0) {
    post({ kind: 'note', message: `Robot link thread without real-time class: ${grant.reason}` });
  }
  const address = server.address();
  post({ kind: 'ready', port: typeof address === 'object' && address !== null ? address.port : 0 });
});
if (data.doorbellFd >= 0) listen();
else void pump();
port.on('message', (request: LinkRequest) => {
  if (request !== 'close') {
    if (request.kind === 'tls') secure?.setSecureContext(contextOptions(request.tls));
    else if (request.kind === 'drop') robot?.socket.terminate();
    else applyWorkerFault(request);
    return;
  }
  robot?.socket.close(1001);
  setTimeout(() => process.exit(0), robot === null ? 0 : 50);
});
