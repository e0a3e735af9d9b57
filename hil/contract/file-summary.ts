/** What a recording says of itself in a list of many. */

/** A fault that is marked in a file. */
export interface MarkedFault {
  readonly code: string;
  /** Since the first message of the file, s. */
  readonly at_s: number;
}

export interface FileSummary {
  readonly scenario: string;
  readonly mode: string;
  readonly part: string;
  /** Time of the first message, ms since 1970; of the start of the recorder without one. */
  readonly start_ms: number;
  readonly length_s: number;
  readonly faults: readonly MarkedFault[];
  /** Whether the file was closed in order. */
  readonly closed: boolean;
}
