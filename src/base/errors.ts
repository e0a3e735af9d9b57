/**
 * Errors that a user of Berth sees: one clear sentence that names the field, the value and what is allowed, and a code.
 * Codes are stable names; every area adds its own here.
 */

/** Every code, in one list. */
export const BERTH_ERROR_CODES = [
  // models
  'BERTH_PARAMETER_RANGE',
  'BERTH_UNKNOWN_NAME',
  'BERTH_DUPLICATE_NAME',
  'BERTH_MISMATCH',
  'BERTH_UNSUPPORTED',
  // files
  'BERTH_MISSING_FILE',
  'BERTH_YAML',
  'BERTH_XML',
  'BERTH_UNKNOWN_FIELD',
  'BERTH_MISSING_FIELD',
  'BERTH_UNIT',
  // server and loop
  'BERTH_USAGE',
  'BERTH_WRONG_STATE',
  'BERTH_AUTH',
  'BERTH_TLS',
  'BERTH_PORT_IN_USE',
  'BERTH_SERIAL',
  'BERTH_BAUD_TOO_LOW',
  'BERTH_PROTOCOL',
  'BERTH_WORKER',
  'BERTH_TIMEOUT',
] as const;

/** Name of a kind of error. */
export type BerthErrorCode = (typeof BERTH_ERROR_CODES)[number];

/** Where an error belongs. */
export interface BerthErrorDetail {
  /** Path of the field at fault, as the user wrote it. */
  readonly field?: string;
  readonly cause?: unknown;
}

/** An error with a stable code. */
export class BerthError extends Error {
  readonly code: BerthErrorCode;
  readonly field: string | null;

  constructor(code: BerthErrorCode, message: string, detail: BerthErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'BerthError';
    this.code = code;
    this.field = detail.field ?? null;
  }
}
