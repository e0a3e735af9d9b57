/** Interface for audit entries: actor, action and result. */
import { describeError } from '../contract/errors.ts';

/** One line of the audit log. Never a secret: no token, ticket or key in `detail`. */
export interface AuditEntry {
  /** Who: `operator#3` for a socket, `http:operator` for a request, `server` for the server itself. */
  readonly actor: string;
  /** What, e.g. `session.stop`, `authority.change`, `alarm.ack`. */
  readonly action: string;
  /** `ok` or the code of the refusal. */
  readonly result: string;
  readonly detail?: Record<string, unknown>;
}

export interface AuditSink {
  /** Take one entry; must not throw and must not wait. */
  write(entry: AuditEntry): void;
}

/** Do something and write down how it went: `ok`, or the code of what was thrown, which is thrown on. */
export async function audited<T>(
  audit: AuditSink,
  actor: string,
  action: string,
  detail: Record<string, unknown>,
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    const done = await run();
    audit.write({ actor, action, result: 'ok', detail });
    return done;
  } catch (error) {
    audit.write({ actor, action, result: describeError(error).body.code, detail });
    throw error;
  }
}
