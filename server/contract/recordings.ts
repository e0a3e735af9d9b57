/** The list of recordings, as `GET /api/recordings` answers it and the console shows it. */
import type { FileSummary } from '../../hil/contract/file-summary.ts';

/** A recording in the list. */
export interface ListedRecording {
  readonly name: string;
  /** A flight or an excerpt of one, the ticks before a fault, or a file that the recorder did not make and never removes. */
  readonly kind: 'flight' | 'excerpt' | 'freeze' | 'other';
  readonly bytes: number;
  readonly pinned: boolean;
  /** It is being written. */
  readonly writing: boolean;
  /** The next of its kind to be removed. */
  readonly next: boolean;
  /** What its file says; null when that cannot be read, for `trouble`. */
  readonly summary: FileSummary | null;
  readonly trouble: string;
}

/** What is kept. */
export interface KeptRoom {
  /** Flights that may be removed, and the room that they have, bytes. */
  readonly flight_bytes: number;
  readonly room_bytes: number;
  readonly keep_bytes: number;
  readonly free_bytes: number;
  readonly keep_free_bytes: number;
  /** Time until the oldest flight goes, s; null when nothing is recorded. */
  readonly left_s: number | null;
  readonly freezes: number;
  readonly keep_freezes: number;
}

/** Answer of `GET /api/recordings`. */
export interface RecordingList {
  readonly folder: string;
  readonly kept: KeptRoom;
  /** Newest first. */
  readonly recordings: readonly ListedRecording[];
  /** Files that are not listed, as there are too many. */
  readonly more: number;
}
