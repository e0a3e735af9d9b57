/**
 * Viewers of the soak test, in a separate process. In turns of half a minute: a scrape a second
 * alone; then twenty viewers of every topic at 100 Hz, some of which leave and join again all the
 * time, and a hundred scrapes of /metrics a second. It prints `all` when the twenty are connected
 * and `none` when they are gone. SIGTERM ends it; it then prints its results as a line of JSON.
 */
import { ConnectError, TelemetryClient } from '../../server/client/node.ts';
import { TOPIC_NAMES } from '../../server/telemetry/stream.ts';
import { Random } from '../../src/math/random.ts';

/** What the viewers got. */
export interface Viewed {
  readonly joined: number;
  readonly messages: number;
  /** Closed by the service, and joins that it refused. */
  readonly closed: number;
  readonly refused: number;
  /** Why the last join was refused. */
  readonly reason: string;
  /** Joins that had no answer in time: a machine that stands still gives none. */
  readonly unanswered: number;
  readonly scrapes: number;
  readonly scrapesFailed: number;
}

const VIEWERS = 20;
/** Number of viewers that leave and join again. */
const RESTLESS = 4;
const HZ = 100;
const TURN_MS = 30_000;

const url = process.argv[2];
const random = new Random(52);
const count = {
  joined: 0,
  messages: 0,
  closed: 0,
  refused: 0,
  unanswered: 0,
  scrapes: 0,
  scrapesFailed: 0,
};
let reason = '';
let watching = false;
let ending = false;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function join(): Promise<TelemetryClient | null> {
  try {
    const client = await TelemetryClient.connect({ url, name: 'soak viewer' });
    client.on('telemetry', () => count.messages++);
    await client.subscribe(TOPIC_NAMES, HZ);
    count.joined++;
    return client;
  } catch (error) {
    if (error instanceof ConnectError && error.code === 'BERTH_TIMEOUT') count.unanswered++;
    else {
      count.refused++;
      reason = error instanceof Error ? error.message : String(error);
    }
    await wait(500);
    return null;
  }
}

/** One viewer of one turn; the restless stay for 2 to 8 s at a time. */
async function view(restless: boolean): Promise<void> {
  while (watching) {
    const client = await join();
    const stay_ms = restless ? 2000 + (random.nextUint32() % 6000) : TURN_MS;
    const end = performance.now() + stay_ms;
    while (watching && performance.now() < end && client?.closed === false) await wait(50);
    if (client?.closed === true) count.closed++;
    client?.close();
  }
}

/** Most unanswered scrapes at a time. */
const PENDING_MOST = 5;
let pending = 0;

async function scrape(): Promise<void> {
  if (pending >= PENDING_MOST) return;
  pending++;
  try {
    const answer = await fetch(`${url}/metrics`);
    await answer.text();
    if (!answer.ok) count.scrapesFailed++;
    else count.scrapes++;
  } catch {
    if (!ending) count.scrapesFailed++;
  } finally {
    pending--;
  }
}

let tick = 0;
const timer = setInterval(() => {
  if (watching || tick++ % HZ === 0) void scrape();
}, 1000 / HZ);
process.once('SIGTERM', () => {
  ending = true;
  watching = false;
  clearInterval(timer);
  console.log(JSON.stringify({ ...count, reason } satisfies Viewed));
  setTimeout(() => process.exit(0), 200);
});
process.stdin.resume().once('end', () => process.exit(0)); // the soak was killed
while (!ending) {
  await wait(TURN_MS);
  if (ending) break;
  watching = true;
  const turn = Array.from({ length: VIEWERS }, (_, index) => view(index < RESTLESS));
  await wait(3000); // all have joined
  console.log('all');
  await wait(TURN_MS);
  console.log('none');
  watching = false;
  await Promise.all(turn);
}
