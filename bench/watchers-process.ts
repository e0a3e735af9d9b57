/**
 * Twenty viewers and a scraper in a separate process, for `watched-loop.ts`: every topic at 100 Hz,
 * and /metrics 100 times a second. Its argument is the address of the service. SIGTERM ends it; it
 * then prints what it received as one JSON line.
 */
import { TelemetryClient } from '../server/client/node.ts';
import { TOPIC_NAMES } from '../server/telemetry/stream.ts';

/** What the watchers got. */
export interface Watched {
  readonly messages: number;
  readonly left_out: number;
  readonly closed: number;
  readonly scrapes: number;
  readonly refused: number;
}

const HZ = 100;
const [, , url, viewers] = process.argv;
let messages = 0;
let leftOut = 0;
let closed = 0;
let scrapes = 0;
let refused = 0;
let ending = false;

const clients = await Promise.all(
  Array.from({ length: Number(viewers) }, async (_, index) => {
    const client = await TelemetryClient.connect({ url, name: `viewer ${index}` });
    let dropped = 0;
    client.on('telemetry', (message) => {
      messages++;
      leftOut += message.dropped - dropped;
      dropped = message.dropped;
    });
    client.on('close', () => {
      if (!ending) closed++;
    });
    await client.subscribe(TOPIC_NAMES, HZ);
    return client;
  }),
);

async function scrape(): Promise<void> {
  try {
    const answer = await fetch(`${url}/metrics`);
    await answer.text();
    if (answer.ok) scrapes++;
    else refused++;
  } catch {
    if (!ending) refused++;
  }
}
const timer = setInterval(() => void scrape(), 1000 / HZ);
console.log('ready');
process.once('SIGTERM', () => {
  ending = true;
  clearInterval(timer);
  for (const client of clients) client.close();
  const watched: Watched = { messages, left_out: leftOut, closed, scrapes, refused };
  console.log(JSON.stringify(watched));
  setTimeout(() => process.exit(0), 100);
});
