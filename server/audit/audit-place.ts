/**
 * Place of the audit log of a service. A named file is used, or the service does not start. Without
 * a name it is beside the recordings. When another service uses it, or it must not be continued,
 * the service takes the next number. A service without write access reports that and runs without a
 * log.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { BerthError } from '../../src/base/errors.ts';
import { type AuditLogOptions, openAuditLog, type OpenAuditLog } from './audit.ts';

/** Largest number of services of one folder with a log. */
const MOST_NUMBERS = 32;

/** A sink that discards entries. */
export const NO_AUDIT: OpenAuditLog = {
  write: () => undefined,
  close: () => Promise.resolve(),
};

/** File of a service without a named one. */
export function defaultAuditFile({ recording }: Settings, number: number): string {
  return join(recording.folder, number === 1 ? 'audit.ndjson' : `audit-${number}.ndjson`);
}

/**
 * Checks that the log is a regular file, which can be read again. @throws BerthError for a named
 * device, pipe or folder
 */
export function checkAuditFile({ audit }: Settings): void {
  if (!audit.enabled || audit.file === '') return;
  if (isMissingOrRegular(audit.file)) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `audit.file: ${audit.file} is no regular file, so that nothing written there could be verified; allowed: a file, there already or not`,
    { field: 'audit.file' },
  );
}

/** Whether a file is missing or regular. Other errors appear with their reason when it is opened. */
function isMissingOrRegular(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return true;
  }
}

/** Opens the log of these settings; `NO_AUDIT` without one. @throws BerthError for a named file that cannot be used */
export async function openAuditOf(
  settings: Settings,
  options: Omit<AuditLogOptions, 'file'>,
): Promise<OpenAuditLog> {
  const { enabled, file, rotate_bytes, files } = settings.audit;
  const all = { ...options, rotate_bytes, files };
  if (!enabled) return NO_AUDIT;
  checkAuditFile(settings);
  if (file !== '') return openAuditLog({ ...all, file });
  let why = '';
  for (let number = 1; number <= MOST_NUMBERS; number++) {
    const tried = defaultAuditFile(settings, number);
    try {
      const log = await openAuditLog({ ...all, file: tried });
      if (why !== '') options.onNote?.(`${why}; the audit log is ${tried}`);
      return log;
    } catch (error) {
      if (!(error instanceof BerthError)) throw error;
      if (why === '') why = error.message;
    }
  }
  options.onNote?.(`${why}; no audit log is kept`);
  return NO_AUDIT;
}
