/** The one error format of the HTTP face: `{code, message, field}` with a fitting status. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { BerthError, type BerthErrorCode } from '../../src/base/errors.ts';

/** Body of every answer that is not a success. */
export const ErrorSchema = Type.Object({
  code: Type.String({ description: 'Stable name of the kind of error.' }),
  message: Type.String({
    description: 'One sentence that says what is wrong and what is allowed.',
  }),
  field: Type.Union([Type.String(), Type.Null()], {
    description: 'Field at fault, if there is one.',
  }),
});

/** An error that already knows its HTTP status. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | null;

  constructor(status: number, code: string, message: string, field: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** Status of the library's errors; everything that is not listed is the client's bad input. */
const STATUS: Partial<Record<BerthErrorCode, number>> = {
  BERTH_MISSING_FILE: 404,
  BERTH_UNKNOWN_NAME: 404,
  BERTH_WRONG_STATE: 409,
  BERTH_AUTH: 401,
  BERTH_WORKER: 500,
  BERTH_TIMEOUT: 504,
  BERTH_SERIAL: 503,
};

/** What is sent for any thrown value. */
export function describeError(error: unknown): {
  status: number;
  body: { code: string; message: string; field: string | null };
} {
  if (error instanceof RequestError) {
    const { code, message, field } = error;
    return { status: error.status, body: { code, message, field } };
  }
  if (error instanceof BerthError) {
    const { code, message, field } = error;
    return { status: STATUS[code] ?? 400, body: { code, message, field } };
  }
  const failure = error as Partial<FastifyError>;
  const status = failure.statusCode ?? 500;
  if (failure.validation !== undefined) {
    const first = failure.validation.at(0);
    const named = first?.params['missingProperty'] ?? first?.params['additionalProperty'];
    const path = (first?.instancePath ?? '').slice(1).replaceAll('/', '.');
    const field = [path, typeof named === 'string' ? named : ''].filter(Boolean).join('.') || null;
    const allowed = first?.params['allowedValues'];
    const choices = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
    const message = `${failure.message ?? 'The request does not fit its schema'}${choices}.`;
    return { status: 400, body: { code: 'BERTH_BAD_REQUEST', message, field } };
  }
  const codes: Record<number, string> = {
    404: 'BERTH_NOT_FOUND',
    413: 'BERTH_TOO_BIG',
    429: 'BERTH_RATE',
  };
  const code = codes[status] ?? (status < 500 ? 'BERTH_BAD_REQUEST' : 'BERTH_INTERNAL');
  // What went wrong inside is for the log, not for whoever asked.
  const message =
    status < 500 ? (failure.message ?? 'Bad request.') : 'Internal error; see the log.';
  return { status, body: { code, message, field: null } };
}

/** Fastify error handler. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body } = describeError(error);
  if (status >= 500) request.log.error({ err: error }, 'request failed');
  void reply.code(status).send(body);
}
