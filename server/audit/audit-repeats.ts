/**
 * Repeats on their way to the audit log. Of the same requests of one role with one result, the
 * first ones of a minute are separate records. The others are counted in one record a minute, until
 * a minute without them. STOP and HOLD are never refused, and their repeats must not push older
 * records out of the log.
 */
import type { AuditEntry, AuditSink } from './audit-sink.ts';

const GATHER_MS = 60_000;
/** Repeats per minute that are written separately; more than manual operation causes. */
export const WRITTEN_WHOLE = 30;

/** Requests with the same action and result by the same role. */
interface Repeats {
  readonly entry: AuditEntry;
  written: number;
  counted: number;
}

/** All sockets of one role count together, because a key allows any number of them. */
const roleOf = (actor: string): string => actor.replace(/#\d+$/, '');

/** Passes records on, and counts repeats. */
export class GatheredAudit implements AuditSink {
  readonly #audit: AuditSink;
  readonly #repeats = new Map<string, Repeats>();
  readonly #timer: NodeJS.Timeout;

  constructor(audit: AuditSink) {
    this.#audit = audit;
    this.#timer = setInterval(() => this.#writeRepeats(), GATHER_MS);
    this.#timer.unref();
  }

  write(entry: AuditEntry): void {
    const { actor, action, result } = entry;
    // refused peers are counted by address already (refusals.ts)
    if (actor === 'http' && result !== 'ok') {
      this.#audit.write(entry);
      return;
    }
    const role = roleOf(actor);
    const name = `${role} ${action} ${result}`;
    const known = this.#repeats.get(name) ?? {
      entry: { actor: role, action, result },
      written: 0,
      counted: 0,
    };
    this.#repeats.set(name, known);
    if (known.written < WRITTEN_WHOLE) {
      known.written++;
      this.#audit.write(entry);
    } else known.counted++;
  }

  /** Writes the counted repeats and restarts the others. */
  #writeRepeats(): void {
    for (const [name, known] of this.#repeats) {
      if (known.counted === 0) this.#repeats.delete(name);
      else {
        this.#audit.write({ ...known.entry, detail: { more: known.counted } });
        known.counted = 0;
      }
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#writeRepeats();
  }
}
