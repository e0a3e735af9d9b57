/**
 * Records the whole service in flight, then replays every file (`npm run test:recording`): virtual mode, emulated robot over a WebSocket,
 * the battery box inserted again and again. Exit 1 when a set-point or a frame differs by one bit.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run as replay } from '../../server/cli/replay.ts';
import { recordingsIn } from '../fixtures/recordings-in.ts';
import { startRig } from '../fixtures/rig.ts';

const USAGE = `Usage: node dist/test/acceptance/record-and-replay.js [--seconds N]

  --seconds N   length of the recorded flight (default 60)`;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const seconds = Number(values.seconds);
if (!(seconds >= 5 && seconds <= 86_400)) {
  console.error(USAGE);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'berth-recording-'));
try {
  const rig = await startRig(
    'virtual',
    'ws',
    (note) => console.log(note),
    'battery-box-insertion',
    (s) => {
      s.recording.mode = 'continuous';
      s.recording.folder = folder;
      s.recording.keep_bytes = 100_000_000_000;
    },
  );
  let flying = true;
  const fly = (): void => {
    void rig
      .fly(() => undefined)
      .ended.then(() => {
        if (flying) fly(); // a hold that finds no way out ends a flight, not the recording
      });
  };
  fly();
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  flying = false;
  await rig.close();
  for (const name of recordingsIn(folder)) {
    const file = join(folder, name);
    console.log(`${name}: ${(statSync(file).size / 1e6).toFixed(0)} MB`);
    if ((await replay([file])) !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
