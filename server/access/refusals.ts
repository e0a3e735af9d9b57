/**
 * Refusals of requests without a valid key, on their way to the audit log: of each address the first at once, the others counted
 * in one record a minute. A client without a key may be refused any number of times, and must not fill the disk with it.
 */
import type { AuditEntry, AuditSink } from '../audit/audit-sink.ts';

const GATHER_MS = 60_000;
/** Addresses that are counted apart within a minute; all others are one. */
export const ADDRESSES_APART = 32;
const OTHERS = 'others';

export class Refusals {
  readonly #audit: AuditSink;
  /** Of each address that was refused lately: how often since its last record, by action and result. */
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #timer: NodeJS.Timeout;

  constructor(audit: AuditSink) {
    this.#audit = audit;
    this.#timer = setInterval(() => this.#report(), GATHER_MS);
    this.#timer.unref();
  }

  /** What goes to the log of an address: refusals are gathered, all else is written. */
  of(address: string): AuditSink {
    return {
      write: (entry) => {
        if (entry.result === 'ok') this.#audit.write(entry);
        else this.refused(address, entry);
      },
    };
  }

  /** @returns whether it was written, and not only counted */
  refused(address: string, entry: AuditEntry): boolean {
    const counts = this.#counts;
    const apart = counts.has(address) || counts.size < ADDRESSES_APART;
    const from = apart ? address : OTHERS;
    const known = counts.get(from);
    if (known === undefined) {
      counts.set(from, new Map());
      this.#audit.write({ ...entry, detail: { ...entry.detail, from } });
      return true;
    }
    const what = `${entry.action} ${entry.result}`;
    known.set(what, (known.get(what) ?? 0) + 1);
    return false;
  }

  /** Write what was counted; an address that was not refused again is dropped. */
  #report(): void {
    for (const [from, counts] of this.#counts) {
      if (counts.size === 0) this.#counts.delete(from);
      else {
        const detail = { from, more: Object.fromEntries(counts) };
        this.#audit.write({ actor: 'http', action: 'refusals', result: 'counted', detail });
        counts.clear();
      }
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#report();
  }
}
