/**
 * A link carries whole HLP/1 frames between the loop and a robot controller. The loop owns the protocol; a link owns only
 * bytes: it never parses beyond finding where a frame ends. Calls never block, allocate or throw.
 */
export interface Link {
  /** 'serial', 'websocket' or 'loopback'. */
  readonly transport: string;
  /**
   * Next received frame, oldest first, into `frame` from offset 0 (header to CRC, no delimiter).
   * @returns its length, 0 when there is none; over-long or unframed bytes are counted and skipped.
   */
  receive(frame: Uint8Array): number;
  /** Arrival time of the frame that `receive` just returned, µs of the loop clock. */
  readonly receivedAt_us: number;
  /** Queue one frame of `length` bytes. @returns false when the link could not take it. */
  send(frame: Uint8Array, length: number): boolean;
  /** Whether a peer is connected (a serial line: whether it is there). */
  readonly connected: boolean;
  /** Bytes and resyncs so far, for the counters. */
  readonly bytesReceived: number;
  readonly bytesSent: number;
  readonly resyncs: number;
  readonly oversized: number;
}
