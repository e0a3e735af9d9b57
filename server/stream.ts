/**
 * Telemetry sockets: each client names topics and a rate of at most 100 Hz and gets the newest row at that rate, with the
 * worst lateness and force since its previous message. Behind back-pressure messages are left out, never queued.
 */
import { encode } from '@msgpack/msgpack';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { WebSocket } from 'ws';
import { ROW_WIDTH } from '../hil/columns.ts';
import { TelemetryRing } from '../hil/ring.ts';
import type { Runtime } from '../hil/runtime-types.ts';
import { SCENE_WIDTH } from '../hil/scene-columns.ts';
import type { Role } from './auth.ts';
import type { ServerCounters } from './metrics-families.ts';
import { CloseCode, readMessage, SocketSender } from './socket.ts';
import {
  lateness_s,
  makeRow,
  makeSceneRow,
  NORMAL_FORCE_COLUMN,
  sceneTopic,
  TOPIC_NAMES,
  TOPICS,
  type Topic,
} from './status.ts';
import { TokenBucket } from './token-bucket.ts';

/** Fastest rate of a client, Hz, and the interval in which the ring is read, ms. */
export const MAXIMUM_HZ = 100;
const SAMPLE_MS = 10;
/** Subscriptions are rare; more than this is a fault. */
const MESSAGE_RATE = 20;

const Subscribe = Compile(
  Type.Object(
    {
      v: Type.Literal(1),
      type: Type.Literal('subscribe'),
      id: Type.Integer({ minimum: 0 }),
      topics: Type.Array(Type.Union(TOPIC_NAMES.map((name) => Type.Literal(name))), {
        maxItems: 16,
      }),
      hz: Type.Number({ exclusiveMinimum: 0, maximum: MAXIMUM_HZ }),
    },
    { additionalProperties: false },
  ),
);

class Viewer {
  readonly sender: SocketSender;
  readonly bucket: TokenBucket;
  topics: Topic[] = [];
  interval_s = Infinity;
  next_s = 0;
  sequence = 0;
  lateness_s = 0;
  force_N = 0;

  constructor(sender: SocketSender, now_s: number) {
    this.sender = sender;
    this.bucket = new TokenBucket(MESSAGE_RATE, MESSAGE_RATE, now_s);
  }
}

export class TelemetryStream {
  readonly #runtime: Runtime;
  readonly #counters: ServerCounters;
  readonly #viewers = new Set<Viewer>();
  readonly #row = makeRow();
  readonly #scene = makeSceneRow();
  readonly #timer: NodeJS.Timeout;
  readonly #period_s: number;
  #next = 0;

  constructor(runtime: Runtime, counters: ServerCounters, period_s: number) {
    this.#runtime = runtime;
    this.#period_s = period_s;
    this.#counters = counters;
    this.#timer = setInterval(() => this.#sample(performance.now() / 1000), SAMPLE_MS);
    this.#timer.unref();
  }

  /** Take over an upgraded socket. */
  accept(socket: WebSocket, role: Role): void {
    const sender = new SocketSender(socket, 'telemetry', this.#counters);
    const viewer = new Viewer(sender, performance.now() / 1000);
    this.#viewers.add(viewer);
    socket.on('message', (data, isBinary) => {
      if (!viewer.bucket.take(performance.now() / 1000)) {
        sender.close(CloseCode.RATE, 'rate', `At most ${MESSAGE_RATE} messages a second.`);
        return;
      }
      const message = readMessage(data, isBinary);
      if (!Subscribe.Check(message)) {
        const first = message === undefined ? undefined : Subscribe.Errors(message)[0];
        const detail = first === undefined ? '' : ` ${first.instancePath} ${first.message}`;
        sender.close(CloseCode.BAD_MESSAGE, 'bad_message', `Not a subscribe map.${detail}`);
        return;
      }
      viewer.topics = [...new Set(message.topics)];
      viewer.interval_s = 1 / message.hz;
      viewer.next_s = 0;
      sender.send({ type: 'ack', id: message.id, ok: true, code: 'ok', message: '' });
    });
    socket.on('close', () => this.#viewers.delete(viewer));
    socket.on('error', (error: Error & { code?: string }) => {
      const big = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      this.#counters.add('ws_rejects_total', 1, big ? 'too_big' : 'bad_message');
    });
    sender.send({ type: 'welcome', role, topics: TOPIC_NAMES, maximum_hz: MAXIMUM_HZ });
  }

  #sample(now_s: number): void {
    this.#measureBuffers();
    if (this.#viewers.size === 0) return;
    const ring = new TelemetryRing(this.#runtime.shared.telemetry, ROW_WIDTH);
    const row = this.#row;
    const written = ring.written;
    // Only rows of the last half second can matter to somebody who watches.
    if ((written - this.#next) >>> 0 > 500) this.#next = Math.max(0, written - 500);
    let lateness = 0;
    let force = 0;
    for (; this.#next < written; this.#next++) {
      if (!ring.read(this.#next, row)) continue;
      lateness = Math.max(lateness, lateness_s(row, this.#period_s));
      force = Math.max(force, row[NORMAL_FORCE_COLUMN]);
    }
    if (!ring.readNewest(row)) return;
    new TelemetryRing(this.#runtime.shared.scene, SCENE_WIDTH).readNewest(this.#scene);
    for (const viewer of this.#viewers) {
      viewer.lateness_s = Math.max(viewer.lateness_s, lateness);
      viewer.force_N = Math.max(viewer.force_N, force);
      if (now_s < viewer.next_s || viewer.topics.length === 0) continue;
      this.#sendRow(viewer, now_s);
    }
  }

  #sendRow(viewer: Viewer, now_s: number): void {
    const data: Record<string, unknown> = {};
    for (const topic of viewer.topics) {
      data[topic] =
        topic === 'scene' ? sceneTopic(this.#scene) : TOPICS[topic](this.#row, this.#period_s);
    }
    const bytes = encode({
      v: 1,
      type: 'telemetry',
      seq: viewer.sequence++,
      dropped: viewer.sender.dropped,
      peak: { lateness_s: viewer.lateness_s, normal_force_N: viewer.force_N },
      ...data,
    });
    // Keep the grid of the client's rate unless it has fallen behind it.
    const grid = viewer.next_s + viewer.interval_s;
    viewer.next_s = grid > now_s ? grid : now_s + viewer.interval_s - SAMPLE_MS / 2000;
    if (!viewer.sender.sendLatest(bytes, now_s)) return;
    viewer.lateness_s = 0;
    viewer.force_N = 0;
  }

  #measureBuffers(): void {
    let bytes = 0;
    for (const { sender } of this.#viewers) bytes += sender.socket.bufferedAmount;
    this.#counters.set('ws_buffered_bytes', bytes, 'telemetry');
    this.#counters.set('ws_sessions', this.#viewers.size, 'telemetry');
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { sender } of this.#viewers) sender.close(1001, null, 'The server is stopping.');
  }
}
