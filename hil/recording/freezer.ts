/**
 * Freezes what came before a fault: keeps the records of the last ticks in memory, in every mode of recording. When a fault
 * comes, it writes them to a small file of their own. A file has the 1,000 ticks before the fault and the tick of the fault
 * itself. A replay can only begin at a STATE record, so the ticks from the newest STATE before them on come first.
 */
import { EventKind } from '../contract/events.ts';
import { FAULT_CODES, FaultCode } from '../contract/codes.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import { type LogRecord, RecordKind } from '../memory/records.ts';

/** Ticks before a fault that its file has. */
export const FROZEN_TICKS = 1000;
/** Ends that were asked for: no faults. */
const UNFROZEN: ReadonlySet<number> = new Set([
  FaultCode.DEADMAN_RELEASED,
  FaultCode.OPERATOR_HOLD,
  FaultCode.SHUTDOWN,
]);
/** Files that are written at the same time; a fault beyond them has no file of its own. */
const MOST_AT_ONCE = 4;
const SEGMENT_BYTES = 1 << 21;
const HEAD_BYTES = 16;

/** A file that was written. */
export interface Freeze {
  /** Faults of that tick, FAULT_CODES names; the first is in the name of the file. */
  readonly codes: readonly string[];
  readonly tick: number;
  readonly file: string;
}

/** Options of a freezer: those of a recorder, which it makes for each file. */
export interface FreezerOptions extends Omit<RecorderOptions, 'onWrite'> {
  readonly onFrozen: (freeze: Freeze) => void;
}

/** The records from one STATE to the next, one after the other. */
class Segment {
  bytes: Uint8Array = new Uint8Array(SEGMENT_BYTES);
  length = 0;
  /** Number of its first and its newest tick, −1 for none. */
  first = -1;
  last = -1;

  clear(): void {
    this.length = 0;
    this.first = -1;
    this.last = -1;
  }

  add({ kind, time_us, bytes }: LogRecord): void {
    const end = this.length + HEAD_BYTES + (bytes.length + 7 - ((bytes.length + 7) % 8));
    if (end > this.bytes.length) {
      const more = new Uint8Array(2 * Math.max(end, this.bytes.length));
      more.set(this.bytes);
      this.bytes = more;
    }
    const view = new DataView(this.bytes.buffer, this.length);
    view.setUint32(0, kind, true);
    view.setUint32(4, bytes.length, true);
    view.setFloat64(8, time_us, true);
    this.bytes.set(bytes, this.length + HEAD_BYTES);
    this.length = end;
  }

  *records(): Generator<LogRecord> {
    for (let at = 0; at < this.length; ) {
      const view = new DataView(this.bytes.buffer, at);
      const length = view.getUint32(4, true);
      const bytes = this.bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length);
      yield { kind: view.getUint32(0, true), time_us: view.getFloat64(8, true), bytes };
      at += HEAD_BYTES + length + 7 - ((length + 7) % 8);
    }
  }
}

/** Keeps the last ticks in memory and writes them to a file after a fault. */
export class Freezer {
  readonly #options: FreezerOptions;
  readonly #writing = new Set<Promise<void>>();
  /** Oldest first; the last one grows. */
  readonly #segments: Segment[] = [];
  readonly #free: Segment[] = [];
  /** Faults of the tick whose records come in. */
  #codes: number[] = [];
  #wanted = false;
  /** Of the newest record, µs of the loop clock. */
  #time_us = 0;

  constructor(options: FreezerOptions) {
    this.#options = options;
    options.requestState();
  }

  /** Take one record; its bytes may be used again afterwards. */
  take(record: LogRecord): void {
    const { kind, bytes } = record;
    if (kind === RecordKind.STATE || kind === RecordKind.TICK || kind === RecordKind.GAP) {
      this.flush();
    }
    if (kind === RecordKind.GAP) this.#forgetAll();
    if (kind === RecordKind.STATE) this.#begin();
    const segment = this.#segments.at(-1);
    if (segment === undefined) return; // nothing can be replayed before the first STATE
    segment.add(record);
    if (kind === RecordKind.TICK) {
      this.#time_us = record.time_us;
      this.#count(segment, doubleAt(bytes, 0));
    }
    if (kind === RecordKind.EVENT && doubleAt(bytes, 0) === EventKind.FAULT) {
      const code = doubleAt(bytes, 3);
      if (!UNFROZEN.has(code) && !this.#codes.includes(code)) this.#codes.push(code);
    }
  }

  /** The tick that was taken last is complete: write a file if it had a fault. */
  flush(): void {
    if (this.#codes.length === 0) return;
    const codes = this.#codes.map((code) => FAULT_CODES[code] ?? 'unknown');
    this.#codes = [];
    if (this.#writing.size >= MOST_AT_ONCE) {
      this.#options.onTrouble(`Faults come too fast: ${codes.join(', ')} has no freeze of its own`);
      return;
    }
    const writing = this.#write(codes).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      this.#options.onTrouble(`The freeze of ${codes[0]} cannot be written: ${text}`);
    });
    this.#writing.add(writing);
    void writing.then(() => this.#writing.delete(writing));
  }

  /** Wait until every file is written. */
  async close(): Promise<void> {
    this.flush();
    await Promise.all(this.#writing);
  }

  /** A STATE begins a segment; those that no file needs any more are used again. */
  #begin(): void {
    const segments = this.#segments;
    const last = segments.at(-1)?.last ?? -1;
    while (segments.length > 1 && last - segments[1].first >= FROZEN_TICKS) {
      this.#free.push(segments.shift()!);
    }
    const segment = this.#free.pop() ?? new Segment();
    segment.clear();
    segments.push(segment);
    this.#wanted = false;
  }

  #count(segment: Segment, tick: number): void {
    if (segment.first < 0) segment.first = tick;
    segment.last = tick;
    if (this.#wanted || tick - segment.first < FROZEN_TICKS) return;
    this.#wanted = true;
    this.#options.requestState();
  }

  /** Records are missing: nothing before them can be replayed up to what comes. */
  #forgetAll(): void {
    this.#free.push(...this.#segments.splice(0));
    this.#options.requestState();
  }

  async #write(codes: readonly string[]): Promise<void> {
    const { settings, facts, disk, retention, onTrouble, onFrozen } = this.#options;
    const tick = this.#segments.at(-1)?.last ?? -1;
    const from = Math.max(
      0,
      this.#segments.findLastIndex(({ first }) => first >= 0 && tick - first >= FROZEN_TICKS),
    );
    const since_us = Math.round(this.#time_us - facts.loopStart_us);
    const file = freezeName(codes[0], facts.wallStart_ns + BigInt(since_us) * 1000n);
    const recorder = new Recorder({
      settings: { ...settings, mode: 'continuous', rotate_bytes: Infinity },
      facts,
      disk,
      retention,
      file,
      requestState: () => undefined,
      onWrite: () => undefined,
      onTrouble,
    });
    for (const segment of this.#segments.slice(from)) {
      for (const record of segment.records()) recorder.take(record);
    }
    const first = Math.max(tick - FROZEN_TICKS, this.#segments[from]?.first ?? tick);
    recorder.mark('freeze', {
      codes: codes.join(' '),
      tick: String(tick),
      first_tick: String(first),
    });
    await recorder.close();
    if (recorder.lost > 0) throw new Error('the disk did not take it');
    onFrozen({ codes, tick, file });
    await retention.keepFreezes();
  }
}

function doubleAt(bytes: Uint8Array, index: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + 8 * index, 8).getFloat64(0, true);
}

/** `freeze-<code>-<UTC time>.mcap`. */
function freezeName(code: string, wall_ns: bigint): string {
  const time = new Date(Number(wall_ns / 1_000_000n)).toISOString().replaceAll(':', '-');
  return `freeze-${code}-${time}.mcap`;
}
