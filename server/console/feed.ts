/**
 * The telemetry feed, 100 times a second. It goes to listeners and into the history, not through
 * signals. Only its freshness is a signal, updated ten times a second.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { TelemetryClient } from '../client/telemetry-client.ts';
import type { Telemetry, Topic } from '../client/messages.ts';
import { History } from './history.ts';

const RATE_HZ = 100;
/** Age above which a message or tick is stale, and above which it counts as lost, s. */
const STALE_S = 0.4;
const LOST_S = 1.5;
const WATCH_MS = 100;

/** Topics that are always subscribed, for the history and the list of contacts. */
const ALWAYS: readonly Topic[] = ['state', 'wrench', 'timing', 'contact', 'loop_energy'];

const now_s = (): number => performance.now() / 1000;

/** `silent`: no messages; `standing`: messages arrive but the loop's tick stays. */
export type FeedState = 'none' | 'fresh' | 'stale' | 'silent' | 'standing';

const state = signal<FeedState>('none');
export const feedState: ReadonlySignal<FeedState> = state;

/** Quality that the connection gives to all displayed values. */
export const freshness = computed(() => {
  if (state.value === 'fresh') return 'good' as const;
  return state.value === 'stale' ? ('stale' as const) : ('disconnected' as const);
});

class Feed {
  /** Newest message; null before the first. */
  newest: Telemetry | null = null;
  readonly history = new History();
  /** Whether the wrench of the accommodation is the measured one. */
  hardware = false;
  readonly #listeners = new Set<(message: Telemetry) => void>();
  readonly #wanted = new Map<Topic, number>(ALWAYS.map((topic) => [topic, 1]));
  #client: TelemetryClient | null = null;
  #changed = false;
  #message_s = now_s();
  #tick_s = -Infinity;
  #tick = -1;

  /** Calls `listener` with every message, at most 100 a second. @returns a function that ends the calls */
  on(listener: (message: Telemetry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Subscribes to further topics. @returns a function that ends the subscription */
  subscribe(...topics: Topic[]): () => void {
    const count = (step: number): void => {
      for (const topic of topics) this.#wanted.set(topic, (this.#wanted.get(topic) ?? 0) + step);
      this.#subscribe();
    };
    count(1);
    return () => count(-1);
  }

  /** Takes the messages of a connected client. */
  attach(client: TelemetryClient): void {
    this.#client = client;
    client.on('telemetry', (message) => this.#take(message));
    client.on('close', () => {
      if (this.#client === client) this.#client = null;
    });
    this.#subscribe();
  }

  /** Updates the freshness; a timer calls it. */
  watch(): void {
    const now = now_s();
    const silence_s = now - this.#message_s;
    const stand_s = now - this.#tick_s;
    if (this.newest === null) state.value = silence_s > LOST_S ? 'silent' : 'none';
    else if (silence_s > LOST_S) state.value = 'silent';
    else if (stand_s > LOST_S) state.value = 'standing';
    else state.value = Math.max(silence_s, stand_s) > STALE_S ? 'stale' : 'fresh';
  }

  /** Sends one subscription for all changes of one moment. */
  #subscribe(): void {
    if (this.#changed) return;
    this.#changed = true;
    queueMicrotask(() => {
      this.#changed = false;
      const topics = [...this.#wanted].filter(([, count]) => count > 0).map(([topic]) => topic);
      void this.#client?.subscribe(topics, RATE_HZ);
    });
  }

  #take(message: Telemetry): void {
    const now = now_s();
    const tick = message.state?.tick ?? -1;
    if (tick !== this.#tick) this.#tick_s = now;
    this.#tick = tick;
    this.#message_s = now;
    this.newest = message;
    this.history.add(message, now, this.hardware);
    if (state.peek() !== 'fresh') this.watch();
    for (const listener of this.#listeners) listener(message);
  }
}

/** The one feed of the page. */
export const feed = new Feed();
setInterval(() => feed.watch(), WATCH_MS);
