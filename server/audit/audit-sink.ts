/** Interface for audit entries: actor, action and result. */
import { describeError } from '../contract/errors.ts';

/** One line of the audit log. Never a secret: no token, ticket or key in `detail`. */
export interface AuditEntry {
  /** Actor: `operator#3` for a socket, `http:operator` for a request, `server` for the server itself. */
  readonly actor: string;
  /** Action, e.g. `session.stop`, `authority.change`, `alarm.ack`. */
  readonly action: string;
  /** `ok` or the code of the refusal. */
  readonly result: string;
  readonly detail?: Record<string, unknown>;
}

export interface AuditSink {
  /** Takes one entry; it must neither throw nor wait. */
  write(entry: AuditEntry): void;
}

/** Runs a function and writes its result: `ok`, or the code of its error, which is rethrown. */
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
