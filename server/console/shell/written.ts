/** Where the service writes what a person decides. */

/** States of the recorder in which a line of its log comes into a file. */
const RECORDS: readonly string[] = ['recording', 'fault'];

/** "The reason is written to the audit log." `what` begins the sentence. */
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
