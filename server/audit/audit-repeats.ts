/**
 * Repeats on their way to the audit log: of what one role asks again and again with one result, so many are records of their own, the
 * others are counted in one record a minute until a minute is quiet. STOP and HOLD are never refused, however often they are
 * asked for, and must not push older records out of the log's files.
 */
import type { AuditEntry, AuditSink } from './audit-sink.ts';

const GATHER_MS = 60_000;
/** Repeats of a minute that are written whole: more than hands ask for. */
export const WRITTEN_WHOLE = 30;

/** Same action and result, asked for by the same role. */
interface Repeats {
  readonly entry: AuditEntry;
  written: number;
  counted: number;
}

/** Sockets of one role are one: whoever has its key may open them anew. */
const roleOf = (actor: string): string => actor.replace(/#\d+$/, '');

/** Passes records on, and counts what repeats. */
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
    // strangers are counted by address already (refusals.ts)
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

  /** Write what was counted; what was not counted in this minute begins anew. */
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
