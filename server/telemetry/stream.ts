/**
 * Telemetry sockets: each client names topics and a rate of at most 100 Hz and gets the newest row at that rate, with the
 * worst lateness and force since its previous message. Behind back-pressure messages are left out, never queued.
 * `lateness` is the histogram that /metrics shows, `overruns` the newest missed periods: both at most four times a second.
 */
import { encode } from '@msgpack/msgpack';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { WebSocket } from 'ws';
import { ROW_WIDTH } from '../../hil/contract/columns.ts';
import { LATENCY_BUCKETS } from '../../hil/contract/counters.ts';
import { EventKind } from '../../hil/contract/events.ts';
import { LoopSlot } from '../../hil/memory/loop-counters.ts';
import { TelemetryRing } from '../../hil/memory/ring.ts';
import type { LoopEvent, Runtime } from '../../hil/threads/runtime-types.ts';
import { MISS_CAUSES } from '../../hil/contract/codes.ts';
import { SCENE_WIDTH } from '../../hil/contract/scene-columns.ts';
import type { Role } from '../../hil/contract/roles.ts';
import type { LatenessHistogram, Overrun, Telemetry, Topic, Topics } from '../client/messages.ts';
import type { ServerCounters } from '../metrics/metrics-families.ts';
import { CloseCode, measureSockets, readMessage, SocketSender } from '../access/socket.ts';
import {
  jointsTopic,
  lateness_s,
  makeRow,
  makeSceneRow,
  NORMAL_FORCE_COLUMN,
  sceneTopic,
  type RowTopic,
  TOPICS,
} from '../status/status.ts';
import { loadedWitnesses } from '../status/witnesses.ts';
import { TokenBucket } from '../access/token-bucket.ts';

/** Fastest rate of a client, Hz, and the interval in which the ring is read, ms. */
export const MAXIMUM_HZ = 100;
const SAMPLE_MS = 10;
/** Subscriptions are rare; more than this is a fault. */
const MESSAGE_RATE = 20;
/** Topics that are long, or change slowly, come at most so often, s. */
const INTERVALS_S: { readonly [T in Topic]?: number } = {
  lateness: 0.25,
  overruns: 0.25,
  witnesses: 0.05,
};
/** Missed periods that are reported. */
const OVERRUNS_KEPT = 50;

/** Every topic of the telemetry socket. */
export const TOPIC_NAMES: readonly Topic[] = [
  ...(Object.keys(TOPICS) as RowTopic[]),
  'scene',
  'witnesses',
  'joints',
  'lateness',
  'overruns',
];

/** Lateness of all ticks since the loop's counters began; the maximum is that of the last 10 s. */
export function latenessTopic(counters: Float64Array): LatenessHistogram {
  const from = LoopSlot.loop_wake_lateness_seconds;
  return {
    edges_s: LATENCY_BUCKETS,
    counts: Array.from(counters.subarray(from, from + LATENCY_BUCKETS.length + 1)),
    maximum_s: counters[LoopSlot.loop_wake_lateness_max_seconds],
  };
}

/** Messages that a client may send here. */
export const SUBSCRIBE = Type.Object(
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
);
const Subscribe = Compile(SUBSCRIBE);

class Viewer {
  readonly sender: SocketSender;
  readonly bucket: TokenBucket;
  topics: Topic[] = [];
  interval_s = Infinity;
  next_s = 0;
  /** When a topic of `INTERVALS_S` comes again, s. */
  readonly nextOf_s = new Map<Topic, number>();
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
  readonly #counts: Float64Array;
  readonly #unsubscribe: () => void;
  #overruns: readonly Overrun[] = [];
  #next = 0;

  constructor(runtime: Runtime, counters: ServerCounters, period_s: number) {
    this.#runtime = runtime;
    this.#period_s = period_s;
    this.#counters = counters;
    this.#counts = new Float64Array(runtime.shared.loopCounters);
    this.#unsubscribe = runtime.onEvent((event) => this.#onLoopEvent(event));
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
      viewer.nextOf_s.clear();
      sender.send({ type: 'ack', id: message.id, ok: true, code: 'ok', message: '' });
    });
    socket.on('close', () => this.#viewers.delete(viewer));
    sender.send({ type: 'welcome', role, topics: TOPIC_NAMES, maximum_hz: MAXIMUM_HZ });
  }

  #onLoopEvent({ kind, tick, time_s, a, b, c }: LoopEvent): void {
    // A loop that has begun counts from 0: the missed periods of the previous one are none of its.
    if (kind === EventKind.REALTIME) this.#overruns = [];
    if (kind !== EventKind.OVERRUN) return;
    const cause = MISS_CAUSES[b] ?? 'unknown';
    const overrun = { tick, time_s, cause, lateness_s: c, slipped: a };
    this.#overruns = [...this.#overruns.slice(1 - OVERRUNS_KEPT), overrun];
  }

  #topic<T extends Topic>(topic: T): Topics[T];
  #topic(topic: Topic): Topics[Topic] {
    if (topic === 'scene') return sceneTopic(this.#scene);
    if (topic === 'witnesses') return loadedWitnesses(this.#runtime)(this.#scene);
    if (topic === 'joints') return jointsTopic(this.#scene);
    if (topic === 'lateness') return latenessTopic(this.#counts);
    if (topic === 'overruns') return this.#overruns;
    return TOPICS[topic](this.#row, this.#period_s);
  }

  #sample(now_s: number): void {
    measureSockets(this.#viewers, 'telemetry', this.#counters);
    if (this.#viewers.size === 0) return;
    const ring = new TelemetryRing(this.#runtime.shared.telemetry, ROW_WIDTH);
    const row = this.#row;
    const written = ring.written;
    // Only rows of the last half second can matter to a viewer.
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
    const topics = viewer.topics.filter((topic) => now_s >= (viewer.nextOf_s.get(topic) ?? 0));
    for (const topic of topics) viewer.nextOf_s.set(topic, now_s + (INTERVALS_S[topic] ?? 0));
    const telemetry: Telemetry = {
      seq: viewer.sequence++,
      dropped: viewer.sender.dropped,
      peak: { lateness_s: viewer.lateness_s, normal_force_N: viewer.force_N },
      ...Object.fromEntries(topics.map((topic) => [topic, this.#topic(topic)])),
    };
    const bytes = encode({ v: 1, type: 'telemetry', ...telemetry });
    // Keep the grid of the client's rate unless it has fallen behind it.
    const grid = viewer.next_s + viewer.interval_s;
    viewer.next_s = grid > now_s ? grid : now_s + viewer.interval_s - SAMPLE_MS / 2000;
    if (!viewer.sender.sendLatest(bytes, now_s)) return;
    viewer.lateness_s = 0;
    viewer.force_N = 0;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
    for (const { sender } of this.#viewers) sender.close(1001, null, 'The server is stopping.');
  }
}
