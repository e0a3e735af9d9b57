/** The recording that every build replays: made by test/portable/store-recording-entry.ts. */
import { join } from 'node:path';
import { packageRoot } from '../../config/paths.ts';
import { openRecording } from '../../hil/recording/read-recording.ts';
import { type ReplayResult, replayRecords } from '../../hil/recording/replay-run.ts';

/** Run the stored recording again. */
export async function replayStored(): Promise<ReplayResult> {
  const file = join(packageRoot(), 'test', 'vectors', 'half-sphere-slides.mcap');
  const recording = await openRecording(file);
  const { settings, model, mode } = recording.facts;
  return replayRecords({ settings, model, mode, robot: true }, recording.records());
}
