/**
 * Errors for users of Berth: one clear sentence that names the field, the value and what is allowed, and a code of the
 * table below. A code is a stable name: it is never renamed, and a retired one is never used for something else.
 */

/** What holds for every error of one code. */
interface ErrorKind {
  /** What the code is for. */
  readonly meaning: string;
  /** HTTP status of an answer that carries it. */
  readonly status: number;
  /** Exit code of a command that ends with it. */
  readonly exit: number;
}

/** Every code. docs/errors.md shows this table. */
export const BERTH_ERRORS = {
  // descriptions and parameters
  BERTH_PARAMETER_RANGE: { status: 400, exit: 2, meaning: 'A number is outside its range.' },
  BERTH_UNKNOWN_NAME: { status: 404, exit: 2, meaning: 'A name refers to nothing that exists.' },
  BERTH_DUPLICATE_NAME: { status: 400, exit: 2, meaning: 'A name is given twice.' },
  BERTH_MISMATCH: { status: 400, exit: 2, meaning: 'Two inputs do not fit each other.' },
  BERTH_UNSUPPORTED: { status: 400, exit: 2, meaning: 'An option or kind is not available here.' },
  // files
  BERTH_MISSING_FILE: { status: 404, exit: 2, meaning: 'A file cannot be read or written.' },
  BERTH_YAML: { status: 400, exit: 2, meaning: 'A text is not the YAML that is expected.' },
  BERTH_XML: { status: 400, exit: 2, meaning: 'A text is not the XML that is expected.' },
  BERTH_UNKNOWN_FIELD: { status: 400, exit: 2, meaning: 'A field has no meaning here.' },
  BERTH_MISSING_FIELD: { status: 400, exit: 2, meaning: 'A required field is absent.' },
  BERTH_UNIT: { status: 400, exit: 2, meaning: 'A unit is missing or does not fit.' },
  // service and loop
  BERTH_USAGE: { status: 400, exit: 2, meaning: 'A command line or an option is not usable.' },
  BERTH_WRONG_STATE: {
    status: 409,
    exit: 2,
    meaning: 'The present state does not allow the request.',
  },
  BERTH_TOO_SLOW: {
    status: 409,
    exit: 2,
    meaning: 'This machine is too slow for what is asked.',
  },
  BERTH_TLS: { status: 400, exit: 2, meaning: 'A certificate, key or TLS setting is not usable.' },
  BERTH_PORT_IN_USE: { status: 400, exit: 2, meaning: 'Another program listens on the address.' },
  BERTH_SERIAL: { status: 503, exit: 2, meaning: 'The serial line cannot be opened or used.' },
  BERTH_BAUD_TOO_LOW: {
    status: 400,
    exit: 2,
    meaning: 'The serial line is too slow for the frames of a period.',
  },
  BERTH_WORKER: { status: 500, exit: 2, meaning: 'A worker thread failed or ended.' },
  BERTH_TIMEOUT: { status: 504, exit: 2, meaning: 'An answer did not come in time.' },
  // who may come in
  BERTH_AUTH: { status: 401, exit: 2, meaning: 'A key is missing, wrong or not acceptable.' },
  BERTH_ROLE: { status: 403, exit: 2, meaning: 'The role is too weak for the request.' },
  BERTH_GUESSES: {
    status: 429,
    exit: 2,
    meaning: 'Too many wrong keys came from the address.',
  },
  BERTH_RATE: { status: 429, exit: 2, meaning: 'Too many requests came within a minute.' },
  BERTH_HOST: { status: 421, exit: 2, meaning: 'The request names a host that is not served.' },
  BERTH_ORIGIN: { status: 403, exit: 2, meaning: 'The request comes from a foreign page.' },
  BERTH_TICKET: { status: 401, exit: 2, meaning: 'A ticket is missing, used or expired.' },
  BERTH_CAPACITY: { status: 503, exit: 2, meaning: 'Every place of a socket path is taken.' },
  // requests
  BERTH_BAD_REQUEST: { status: 400, exit: 2, meaning: 'A request does not fit its schema.' },
  BERTH_TOO_BIG: { status: 413, exit: 2, meaning: 'The body of a request is too long.' },
  BERTH_NOT_FOUND: { status: 404, exit: 2, meaning: 'Nothing is at the address.' },
  BERTH_PATH: { status: 404, exit: 2, meaning: 'No socket is at the address.' },
  BERTH_PROTOCOL: { status: 426, exit: 2, meaning: 'A socket protocol is not spoken or not kept.' },
  BERTH_NOT_READY: { status: 503, exit: 2, meaning: 'The loop does not advance.' },
  BERTH_NOT_ALLOWED: { status: 403, exit: 2, meaning: 'The request is not allowed here.' },
  BERTH_ROBOT_NOT_NORMAL: {
    status: 409,
    exit: 2,
    meaning: 'The robot does not report a normal safety state.',
  },
  BERTH_REASON_NEEDED: {
    status: 409,
    exit: 2,
    meaning: 'A latched fault is cleared with a reason only.',
  },
  BERTH_INTERNAL: {
    status: 500,
    exit: 1,
    meaning: 'The service has a defect; its log tells more.',
  },
} as const satisfies Readonly<Record<`BERTH_${string}`, ErrorKind>>;

/** Name of a kind of error. */
export type BerthErrorCode = keyof typeof BERTH_ERRORS;

/** Every code, in the order of the table. */
export const BERTH_ERROR_CODES = Object.keys(BERTH_ERRORS) as readonly BerthErrorCode[];

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
