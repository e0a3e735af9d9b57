/** A process that records at 1 kHz until it is killed, and prints after every 10 ticks how many the recorder has. */
import { writeSync } from 'node:fs';
import { Feed } from './feed.ts';

const BATCH = 10;
/** Batches that a timer makes up for at once after a stall: the disk has to come along. */
const MOST = 5;

const feed = new Feed(process.argv[2]);
const start_ms = performance.now();
let giving = false;

async function give(): Promise<void> {
  if (giving) return;
  giving = true;
  for (let n = 0; n < MOST && feed.tick + BATCH <= performance.now() - start_ms; n++) {
    await feed.run(BATCH);
    writeSync(1, `${feed.tick}\n`);
  }
  giving = false;
}

setInterval(() => void give(), BATCH);
