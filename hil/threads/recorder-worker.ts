/**
 * Worker thread of the recorder: drains the loop's log ring every few milliseconds into the
 * recorder, counts, and signals the loop that it is alive. A slow or full disk costs records and
 * never delays the loop: the ring is drained in any case.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { packageVersion } from '../../config/paths.ts';
import { monotonic_us } from '../os/clock.ts';
import { WRITE_BUCKETS, RECORDER_FAMILIES, slotsOf, observe } from '../contract/counters.ts';
import { LAYOUT_HASH } from '../protocol/layout.ts';
import { possibleCompression } from '../recording/chunk-codec.ts';
import { systemDisk } from '../recording/disk.ts';
import { Freezer } from '../recording/freezer.ts';
import { InjectingDisk } from '../recording/injecting-disk.ts';
import { expectedRate, roomForFlights, timeWords } from '../recording/kept-time.ts';
import { LogRing, type LogView } from '../memory/log-ring.ts';
import { Recorder } from '../recording/recorder.ts';
import { RemovalIndex, type RemovalReason } from '../contract/removal-reasons.ts';
import { Retention } from '../recording/retention.ts';
import { ControlWord } from '../memory/shared.ts';
import { applyWorkerFault } from './worker-fault.ts';
import type { RecorderRequest, RecorderWorkerData, WorkerMessage } from '../loop/worker-data.ts';

const TURN_MS = 10;
/** Interval at which free space is reported and the write rate is measured, ms. */
const SURVEY_MS = 60_000;

const data = workerData as RecorderWorkerData;
const port = parentPort!;
const post = (message: WorkerMessage): void => port.postMessage(message);

const control = new Int32Array(data.shared.control);
const counters = new Float64Array(data.shared.recorderCounters);
const RecorderSlot = slotsOf(RECORDER_FAMILIES);

const ring = new LogRing(data.shared.log);
const record: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
const lostBefore = ring.lost;
const droppedBefore = counters[RecorderSlot.recorder_dropped_records_total];
const disk = new InjectingDisk(systemDisk);
const wanted = data.settings.recording;
const retention = new Retention({ disk, settings: wanted, onRemoved: reportRemoved });
const options = {
  settings: wanted,
  facts: {
    settings: data.settings,
    model: data.model,
    scenario: data.scenario,
    mode: data.mode,
    version: packageVersion(),
    node: process.version,
    protocolHash: `0x${LAYOUT_HASH.toString(16).padStart(8, '0')}`,
    wallStart_ns: BigInt(Date.now()) * 1_000_000n,
    loopStart_us: monotonic_us(),
  },
  disk,
  retention,
  requestState: () => void Atomics.store(control, ControlWord.STATE_WANTED, 1),
  onTrouble: (message: string) => post({ kind: 'note', message }),
};
const recorder =
  options.settings.mode === 'off'
    ? null
    : new Recorder({
        ...options,
        onWrite: (bytes, duration_s) => {
          counters[RecorderSlot.recorder_bytes_total] += bytes;
          observe(counters, RecorderSlot.recorder_write_seconds, WRITE_BUCKETS, duration_s);
        },
      });
const freezer =
  options.settings.freezes === 0
    ? null
    : new Freezer({ ...options, onFrozen: (freeze) => post({ kind: 'freeze', ...freeze }) });
recorder?.reserve();
let shown = '';

function reportRemoved(name: string, bytes: number, reason: RemovalReason): void {
  counters[RecorderSlot.recorder_removed_files_total + RemovalIndex[reason]]++;
  const why = reason === 'disk_full' ? 'the disk is full' : `recording.${reason} asks for it`;
  const message = `Removed the recording ${name} (${(bytes / 1e6).toFixed(1)} MB): ${why}`;
  post({ kind: 'note', message });
}

const compression = possibleCompression(wanted.compression);
let rate_Bps = expectedRate(compression, data.settings.loop.period_s);
const bytesBefore = counters[RecorderSlot.recorder_bytes_total];
const since_us = monotonic_us();

/** Free space, and how long a flight it holds. */
async function survey(): Promise<{ room: number; others: number }> {
  const { bytes, others, free_bytes } = await retention.survey();
  const room = roomForFlights(wanted, bytes, free_bytes);
  counters[RecorderSlot.recorder_free_bytes] = free_bytes;
  counters[RecorderSlot.recorder_keeps_seconds] = wanted.mode === 'off' ? 0 : room / rate_Bps;
  return { room, others };
}

async function reportKept(): Promise<void> {
  const { room, others } = await survey();
  const parts: string[] = [];
  if (wanted.mode === 'continuous') {
    const room_GB = (room / 1e9).toFixed(1);
    const rate = `${(rate_Bps / 1e6).toFixed(2)} MB/s`;
    parts.push(`keeps about ${timeWords(room / rate_Bps)} of flight in ${room_GB} GB at ${rate}`);
  }
  if (wanted.mode === 'on-fault') parts.push(`keeps ${(room / 1e9).toFixed(1)} GB of excerpts`);
  if (wanted.freezes > 0) parts.push(`the ${wanted.freezes} newest files before a fault`);
  if (others > 0) parts.push(`${others} recordings that it did not make are left alone`);
  post({ kind: 'note', message: `Recorder, ${wanted.folder}: ${parts.join('; ')}` });
  if (wanted.compression !== 'none' && compression === '') {
    const message =
      'Recordings are not compressed: the package @foxglove/wasm-zstd cannot be loaded';
    post({ kind: 'note', message });
  }
}

/** Reports the space once the rate is known, after a minute. */
function measureSpace(): void {
  if (wanted.mode === 'continuous') {
    const measured =
      (counters[RecorderSlot.recorder_bytes_total] - bytesBefore) /
      (1e-6 * (monotonic_us() - since_us));
    if (measured > 0) rate_Bps = measured;
  }
  survey().catch(() => undefined); // an unreadable folder causes an error when a file is made
}

/** Drains the log ring and reports the state of the recorder. */
function turn(): void {
  while (ring.read(record)) {
    recorder?.take(record);
    freezer?.take(record);
  }
  freezer?.flush();
  if (recorder !== null) report(recorder);
}

function report(recorder: Recorder): void {
  recorder.poll(monotonic_us());
  counters[RecorderSlot.recorder_dropped_records_total] =
    droppedBefore + (ring.lost - lostBefore) + recorder.lost;
  counters[RecorderSlot.recorder_queue_ratio] = recorder.queueRatio;
  const { state, file } = recorder;
  counters[RecorderSlot.recorder_up] = state === 'failed' ? 0 : 1;
  if (state !== 'failed') Atomics.add(control, ControlWord.RECORDER_BEAT, 1);
  if (shown === state + file) return;
  shown = state + file;
  post({ kind: 'recording', state, file });
}

ring.discard(); // records of an earlier loop for a recorder that has ended
const timer = setInterval(turn, TURN_MS);
const surveyTimer = setInterval(measureSpace, SURVEY_MS);
port.on('message', (request: RecorderRequest) => {
  if (request.kind === 'note') {
    turn(); // records before the note come first
    recorder?.note(request.text, request.level, monotonic_us());
    return;
  }
  if (request.kind === 'inject') {
    if (request.fault === 'recorder_full') disk.full = request.amount > 0;
    else if (request.fault === 'recorder_slow_Bps') disk.slow_Bps = request.amount;
    else applyWorkerFault(request);
    return;
  }
  clearInterval(timer);
  clearInterval(surveyTimer);
  turn();
  void Promise.allSettled([recorder?.close(), freezer?.close()]).finally(() => {
    counters[RecorderSlot.recorder_up] = 0;
    port.close();
  });
});
await reportKept().catch(() => undefined);
post({ kind: 'ready', port: 0 });
