/** A process that writes one record into an audit log, prints that, and holds the log until it is killed. */
import { writeSync } from 'node:fs';
import { openAuditLog } from '../../../server/audit/audit.ts';

const log = await openAuditLog({
  file: process.argv[2],
  onRecord: () => writeSync(1, 'written\n'),
});
log.write({ actor: 'server', action: 'try', result: 'ok' });
setInterval(() => undefined, 1000);
