/**
 * Requests with their actors, and alarms, as sentences for the log of the recording, between the
 * events of the loop.
 */
import { LogLevel } from '../../hil/recording/event-words.ts';
import type { AuditEntry, AuditSink } from './audit-sink.ts';
import type { Alarm } from '../client/messages.ts';

/** Entries about the network, which never reach the loop. */
const NOT_NOTED: readonly string[] = ['ticket', 'upgrade', 'refusals'];
/** Results of a request that succeeded. */
const WELL: readonly string[] = ['ok', 'asked'];

/** Free text stands in quotes, so that it cannot look like part of the sentence. */
const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w./-]+$/.test(value);

/** An entry of the audit log as one sentence. */
export function auditWords({ actor, action, result, detail = {} }: AuditEntry): string {
  if (action === 'authority') {
    const { who } = detail;
    return `authority to ${typeof who === 'string' ? who : 'nobody'}: ${result}`;
  }
  const parts = Object.entries(detail).map(
    ([name, value]) => `${name} ${isWord(value) ? value : JSON.stringify(value)}`,
  );
  return `${actor}: ${[action, ...parts].join(', ')}: ${result}`;
}

/** Sink that passes entries to `audit` and their words to `note`, as `Runtime.note`. */
export function notedAudit(
  audit: AuditSink,
  note: (text: string, level: number) => void,
): AuditSink {
  return {
    write(entry) {
      audit.write(entry);
      if (NOT_NOTED.includes(entry.action)) return;
      const well = entry.action === 'authority' || WELL.includes(entry.result);
      note(auditWords(entry), well ? LogLevel.INFO : LogLevel.WARN);
    },
  };
}

/** A raised alarm: sentence and level. */
export function alarmNote({ id, code, severity, message }: Alarm): [string, number] {
  const level = severity === 'critical' ? LogLevel.ERROR : LogLevel.WARN;
  return [`alarm ${id} raised, ${code}: ${message}`, level];
}
