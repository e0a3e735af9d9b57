/**
 * Live view for Foxglove at /foxglove: read only, the channels of a recording (hil/recording/channels.ts) that are made of
 * telemetry rows, scenes and events, at 100 Hz. A client that does not read fast enough gets the newest only and a warning; one
 * that does not read at all is closed. Best effort: the recording is the promise.
 */
import type { RawData, WebSocket } from 'ws';
import { Column, ROW_WIDTH } from '../../hil/contract/columns.ts';
import { MessageEncoder, NUMBER_CHANNELS } from '../../hil/recording/channels.ts';
import { Stamp } from '../../hil/recording/stamp.ts';
import { TelemetryRing } from '../../hil/memory/ring.ts';
import type { LoopEvent, Runtime } from '../../hil/threads/runtime-types.ts';
import { SCENE_WIDTH } from '../../hil/contract/scene-columns.ts';
import {
  messageData,
  parseRequest,
  removeStatus,
  StatusLevel,
  statusMessage,
  type Subscription,
  timeMessage,
} from './foxglove-messages.ts';
import type { ServerCounters } from '../metrics/metrics-families.ts';
import { CloseCode, measureSockets, SocketSender } from '../access/socket.ts';
import { TokenBucket } from '../access/token-bucket.ts';

const SAMPLE_MS = 10;
/** Scene and time come with every second sample: the scene ring has a row every 20 ms. */
const SLOW_SAMPLES = 2;
const REQUESTS_PER_S = 100;
const TIME_COLUMN = Column.time_s;
const SLOW_ID = 'slow';

/** Channels that a live view can offer, by their number. */
const CHANNELS = NUMBER_CHANNELS.filter(({ source }) => source !== 'input').map((of, index) => ({
  id: index + 1,
  of,
  encoder: new MessageEncoder(of),
}));
type LiveChannel = (typeof CHANNELS)[number];

class Viewer {
  readonly sender: SocketSender;
  readonly bucket: TokenBucket;
  /** Subscription of each channel: the protocol has one at a time. */
  readonly subscriptions = new Map<number, number>();
  dropped = 0;
  reportedSlow = false;

  constructor(sender: SocketSender, now_s: number) {
    this.sender = sender;
    this.bucket = new TokenBucket(REQUESTS_PER_S, REQUESTS_PER_S, now_s);
  }
}

export class FoxgloveServer {
  readonly #runtime: Runtime;
  readonly #counters: ServerCounters;
  readonly #viewers = new Set<Viewer>();
  readonly #row = new Float64Array(ROW_WIDTH);
  readonly #scene = new Float64Array(SCENE_WIDTH);
  readonly #event = new Float64Array(6);
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #stamp: Stamp | null = null;
  #last_s = 0;
  #samples = 0;

  constructor(runtime: Runtime, counters: ServerCounters) {
    this.#runtime = runtime;
    this.#counters = counters;
    this.#unsubscribe = runtime.onEvent((event) => this.#onLoopEvent(event));
    this.#timer = setInterval(() => this.#sample(performance.now() / 1000), SAMPLE_MS);
    this.#timer.unref();
  }

  /** Take over an upgraded socket. */
  accept(socket: WebSocket): void {
    const sender = new SocketSender(socket, 'foxglove', this.#counters);
    const viewer = new Viewer(sender, performance.now() / 1000);
    this.#viewers.add(viewer);
    socket.on('message', (data, isBinary) => this.#receive(viewer, data, isBinary));
    socket.on('close', () => this.#viewers.delete(viewer));
    const info = {
      op: 'serverInfo',
      name: 'Berth',
      capabilities: ['time', 'parameters'],
      supportedEncodings: [],
      metadata: { scenario: this.#runtime.scenario, mode: this.#runtime.mode },
    };
    sender.sendRaw(JSON.stringify(info));
    const channels = CHANNELS.map(({ id, of }) => {
      const { topic, encoding, schemaName, schema, schemaEncoding } = of;
      return { id, topic, encoding, schemaName, schema, schemaEncoding };
    });
    sender.sendRaw(JSON.stringify({ op: 'advertise', channels }));
  }

  #receive(viewer: Viewer, data: RawData, isBinary: boolean): void {
    const { sender } = viewer;
    if (!viewer.bucket.take(performance.now() / 1000)) {
      sender.close(CloseCode.RATE, 'rate', `At most ${REQUESTS_PER_S} messages a second.`);
      return;
    }
    const request = isBinary ? { unserved: 'publish' } : parseRequest((data as Buffer).toString());
    if (request === null) {
      sender.close(CloseCode.BAD_MESSAGE, 'bad_message', 'Not a message of the protocol.');
    } else if ('unserved' in request) {
      const text = `This view is read only: "${request.unserved}" is not served.`;
      sender.sendRaw(statusMessage(StatusLevel.WARNING, text));
    } else if (request.op === 'subscribe') {
      this.#subscribe(viewer, request.subscriptions);
    } else if (request.op === 'unsubscribe') {
      for (const [channel, id] of viewer.subscriptions) {
        if (request.subscriptionIds.includes(id)) viewer.subscriptions.delete(channel);
      }
    } else {
      const all = this.#parameters();
      const wanted = request.parameterNames;
      const parameters =
        wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name));
      const known = request.id === undefined ? {} : { id: request.id };
      sender.sendRaw(JSON.stringify({ op: 'parameterValues', parameters, ...known }));
    }
  }

  /** A channel once and an id once, as the protocol has it: the cost of a viewer does not grow with its requests. */
  #subscribe({ subscriptions, sender }: Viewer, wanted: readonly Subscription[]): void {
    const refused: string[] = [];
    for (const { id, channelId } of wanted) {
      if (!CHANNELS.some((channel) => channel.id === channelId)) {
        refused.push(`There is no channel ${channelId}.`);
      } else if (subscriptions.has(channelId)) {
        refused.push(`Channel ${channelId} has a subscription already.`);
      } else if ([...subscriptions.values()].includes(id)) {
        refused.push(`The id ${id} is that of another subscription.`);
      } else subscriptions.set(channelId, id);
    }
    if (refused.length === 0) return;
    const more = refused.length > 1 ? ` ${refused.length - 1} more were refused.` : '';
    sender.sendRaw(statusMessage(StatusLevel.ERROR, refused[0] + more));
  }

  #parameters(): { name: string; value: string }[] {
    const { scenario, mode, robotAddress } = this.#runtime;
    return [
      { name: '/berth/scenario', value: scenario },
      { name: '/berth/mode', value: mode },
      { name: '/berth/robot_address', value: robotAddress },
    ];
  }

  /** Stamps run evenly from the wall clock at the first row of a loop. */
  #stampAt(time_s: number): Stamp {
    if (this.#stamp === null || time_s < this.#last_s) {
      this.#stamp = new Stamp(BigInt(Date.now()) * 1_000_000n, time_s * 1e6);
    }
    this.#last_s = time_s;
    return this.#stamp.set(time_s * 1e6);
  }

  #sample(now_s: number): void {
    measureSockets(this.#viewers, 'foxglove', this.#counters);
    if (this.#viewers.size === 0 || !this.#runtime.readNewest(this.#row)) return;
    const stamp = this.#stampAt(this.#row[TIME_COLUMN]);
    const slow = this.#samples++ % SLOW_SAMPLES === 0;
    const hasScene =
      slow && new TelemetryRing(this.#runtime.shared.scene, SCENE_WIDTH).readNewest(this.#scene);
    for (const channel of CHANNELS) {
      if (channel.of.source === 'row') this.#publish(channel, this.#row, stamp, now_s);
      else if (channel.of.source === 'scene' && hasScene) {
        this.#publish(channel, this.#scene, stamp, now_s);
      }
    }
    if (!slow) return;
    const time = timeMessage(stamp.nanoseconds);
    for (const viewer of this.#viewers) {
      viewer.sender.sendLatest(time, now_s);
      this.#reportSlow(viewer);
    }
  }

  /** Encode once, send to every subscription. */
  #publish(channel: LiveChannel, values: Float64Array, stamp: Stamp, now_s: number): void {
    let payload: Uint8Array | null = null;
    for (const { subscriptions, sender } of this.#viewers) {
      const subscription = subscriptions.get(channel.id);
      if (subscription === undefined) continue;
      payload ??= channel.encoder.encode(values, stamp, this.#runtime.names);
      sender.sendLatest(messageData(subscription, stamp.nanoseconds, payload), now_s);
    }
  }

  /** Say once that messages are left out, and take it back when they are not any more. */
  #reportSlow(viewer: Viewer): void {
    const { sender } = viewer;
    const slow = sender.dropped > viewer.dropped;
    viewer.dropped = sender.dropped;
    if (slow === viewer.reportedSlow) return;
    viewer.reportedSlow = slow;
    const text = 'This client reads too slowly: it gets the newest messages only.';
    sender.sendRaw(
      slow ? statusMessage(StatusLevel.WARNING, text, SLOW_ID) : removeStatus(SLOW_ID),
    );
  }

  #onLoopEvent({ kind, tick, time_s, a, b, c }: LoopEvent): void {
    if (this.#viewers.size === 0) return;
    this.#event.set([kind, tick, time_s, a, b, c]);
    const stamp = this.#stampAt(Math.max(time_s, this.#last_s));
    const now_s = performance.now() / 1000;
    for (const channel of CHANNELS) {
      if (channel.of.source === 'event') this.#publish(channel, this.#event, stamp, now_s);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
    for (const { sender } of this.#viewers) sender.close(1001, null, 'The server is stopping.');
  }
}
