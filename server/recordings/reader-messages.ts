/** What the thread that reads recordings is asked, and what it answers. */
import type { SceneDescription } from '../status/scene.ts';
import type { FileSummary } from '../../hil/contract/file-summary.ts';

/** Most frames of one answer. */
export const MOST_FRAMES = 1500;

export type ReaderRequest = { readonly id: number } & (
  | { readonly kind: 'summaries'; readonly paths: readonly string[] }
  | { readonly kind: 'scene'; readonly path: string }
  | {
      readonly kind: 'frames';
      readonly path: string;
      readonly from_s: number;
      readonly to_s: number;
      readonly hz: number;
    }
);

/** Summary of a file, or why there is none. */
export type Summarized = { readonly summary: FileSummary } | { readonly trouble: string };

/** A recording as it is drawn. */
export interface RecordedScene extends SceneDescription {
  readonly mode: string;
  readonly start_ms: number;
  readonly length_s: number;
  readonly faults: FileSummary['faults'];
}

export type ReaderAnswer = { readonly id: number } & (
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }
);
