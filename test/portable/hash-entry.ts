/**
 * Prints which scenarios end in other bits than the committed ones, and whether the stored recording replays; for one version of Node on one
 * kind of machine. Exit 1 when something differs.
 */
import { committedHashes, finalHash } from '../fixtures/final-hash.ts';
import { replayStored } from '../fixtures/stored-recording.ts';

const committed = committedHashes();
let different = 0;
for (const [name, wanted] of Object.entries(committed)) {
  const hash = finalHash(name);
  if (hash === wanted) continue;
  different++;
  console.log(`${name}: ${hash}, not ${wanted}`);
}
const replay = await replayStored();
const told = `${Object.keys(committed).length} scenarios, ${different} differ`;
console.log(`${told}; ${replay.ticks} ticks replayed, ${replay.differing} differ`);
if (replay.first !== null) {
  const { tick, what, recorded, replayed } = replay.first;
  console.log(`tick ${tick} first: ${what} was ${recorded}, is now ${replayed}`);
}
process.exitCode = different === 0 && replay.ticks > 0 && replay.first === null ? 0 : 1;
