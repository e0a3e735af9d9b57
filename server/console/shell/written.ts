/** Sentences about where the service records a decision. */

/** States of the recorder in which lines of its log enter a file. */
const RECORDS: readonly string[] = ['recording', 'fault'];

/** "The reason is written to the audit log." `what` is the subject of the sentence. */
export function writtenSentence(what: string, auditLog: boolean, recorder: string): string {
  const places = [
    ...(auditLog ? ['the audit log'] : []),
    ...(RECORDS.includes(recorder) ? ['the recording'] : []),
  ];
  if (places.length === 0) {
    return `${what} is written down nowhere: no audit log is kept, and nothing is recorded.`;
  }
  const without = auditLog ? '' : '; no audit log is kept';
  return `${what} is written to ${places.join(' and ')}${without}.`;
}
