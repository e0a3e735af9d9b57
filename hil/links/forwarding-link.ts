/** Link in front of another link. It changes frames on their way and passes on the state of the line. */
import type { Link } from '../contract/link.ts';

export abstract class ForwardingLink implements Link {
  abstract readonly receivedAt_us: number;
  protected readonly inner: Link;

  constructor(inner: Link) {
    this.inner = inner;
  }

  get transport(): string {
    return this.inner.transport;
  }

  get connected(): boolean {
    return this.inner.connected;
  }

  get bytesReceived(): number {
    return this.inner.bytesReceived;
  }

  get bytesSent(): number {
    return this.inner.bytesSent;
  }

  get resyncs(): number {
    return this.inner.resyncs;
  }

  get oversized(): number {
    return this.inner.oversized;
  }

  abstract receive(frame: Uint8Array): number;
  abstract send(frame: Uint8Array, length: number): boolean;
}
