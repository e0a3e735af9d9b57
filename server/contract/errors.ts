/** The one error format of the HTTP face: `{code, message, field}` with a fitting status. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { BERTH_ERRORS, BerthError, type BerthErrorCode } from '../../src/base/errors.ts';

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

/** Codes of the answers of the loop to the commands that HTTP offers. */
const REFUSALS: Readonly<Record<string, BerthErrorCode>> = {
  not_allowed: 'BERTH_NOT_ALLOWED',
  wrong_state: 'BERTH_WRONG_STATE',
  robot_not_normal: 'BERTH_ROBOT_NOT_NORMAL',
  reason_needed: 'BERTH_REASON_NEEDED',
  timeout: 'BERTH_TIMEOUT',
};

/** Code of an answer of the loop other than `ok`. */
export function refusalCode(answer: string): BerthErrorCode {
  return REFUSALS[answer] ?? 'BERTH_WRONG_STATE';
}

/** Codes of what Fastify and its plugins throw, by status. */
const HTTP_CODES: Readonly<Record<number, BerthErrorCode>> = {
  404: 'BERTH_NOT_FOUND',
  413: 'BERTH_TOO_BIG',
  429: 'BERTH_RATE',
};

/** What is sent for any thrown value. */
export function describeError(error: unknown): {
  status: number;
  body: { code: BerthErrorCode; message: string; field: string | null };
} {
  if (error instanceof BerthError) {
    const { code, message, field } = error;
    return { status: BERTH_ERRORS[code].status, body: { code, message, field } };
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
  const code = HTTP_CODES[status] ?? (status < 500 ? 'BERTH_BAD_REQUEST' : 'BERTH_INTERNAL');
  // What went wrong inside is for the log, not for the client.
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
