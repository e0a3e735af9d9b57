/** The session: what runs, what state it is in, and the commands that need no hand controller. */
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Type } from 'typebox';
import { listScenarios, scenarioNames } from '../../config/scenario.ts';
import { CommandKind, COMMANDS } from '../../hil/contract/commands.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { LOOP_MODES } from '../../hil/contract/codes.ts';
import { actorOf } from '../access/role-guard.ts';
import { BerthError } from '../../src/base/errors.ts';
import { ErrorSchema, refusalCode } from '../contract/errors.ts';
import { type AuditSink, audited } from '../audit/audit-sink.ts';
import { ClearReason, reasonFault } from '../contract/clear-reason.ts';
import type { OperatorHub } from '../operator/operator.ts';
import { requestClear, SENTENCES } from '../operator/operator-requests.ts';

const strict = { additionalProperties: false } as const;
const Done = Type.Object({ result: Type.Literal('ok') });
const refusals = { 400: ErrorSchema, 401: ErrorSchema, 403: ErrorSchema, 409: ErrorSchema };

/** Of commands that may come without a body. */
const emptyBody = (
  request: FastifyRequest,
  _reply: FastifyReply,
  next: HookHandlerDoneFunction,
): void => {
  (request as { body: unknown }).body ??= {};
  next();
};

/** What begins a motion is not among the commands: only the holder of authority may, and HTTP has no holder. */
export const sessionRoutes =
  (runtime: Runtime, operators: OperatorHub, audit: AuditSink): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const answer = (result: string): { result: 'ok' } => {
      if (result === 'ok') return { result };
      const detail = result === 'reason_needed' ? { field: 'reason' } : {};
      throw new BerthError(refusalCode(result), SENTENCES[result] ?? result, detail);
    };

    app.get(
      '/api/scenarios',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'Scenarios that can be loaded by name.',
          response: {
            200: Type.Array(
              Type.Object({
                name: Type.String(),
                title: Type.String(),
                description: Type.String(),
              }),
            ),
            ...refusals,
          },
        },
      },
      () => listScenarios(),
    );

    listScenarios(); // read now: later that would hold up the inputs of an operator in flight

    app.get(
      '/api/session',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'State of the loop, from its newest row.',
          response: { 200: Type.Record(Type.String(), Type.Unknown()), ...refusals },
        },
      },
      () => ({ ...operators.status() }),
    );

    app.post(
      '/api/session/load',
      {
        config: { role: 'operator' },
        schema: {
          summary: 'Load a scenario; refused while the arm may move.',
          body: Type.Object(
            {
              scenario: Type.String({ minLength: 1, maxLength: 128 }),
              mode: Type.Optional(Type.Enum([...LOOP_MODES])),
            },
            strict,
          ),
          response: { 200: Done, ...refusals, 404: ErrorSchema },
        },
      },
      async (request) => {
        const { scenario, mode } = request.body;
        // A name, not a path: the service does not open files that a request points at.
        const names = scenarioNames();
        if (!names.includes(scenario)) {
          throw new BerthError(
            'BERTH_UNKNOWN_NAME',
            `No scenario is named "${scenario}"; there are ${names.join(', ')}.`,
            { field: 'scenario' },
          );
        }
        const detail = { scenario, mode: mode ?? runtime.mode };
        await audited(audit, actorOf(request), 'load', detail, () =>
          runtime.load(scenario, detail.mode),
        );
        operators.dropAuthority();
        request.log.info({ scenario, mode: runtime.mode }, 'scenario loaded');
        return { result: 'ok' as const };
      },
    );

    app.post(
      '/api/session/hold',
      {
        config: { role: COMMANDS.HOLD.role },
        schema: {
          summary: 'Controlled stop, power kept.',
          response: { 200: Done, ...refusals, 504: ErrorSchema },
        },
      },
      async (request) =>
        audited(audit, actorOf(request), 'hold', {}, async () =>
          answer(await runtime.request(CommandKind.HOLD)),
        ),
    );

    app.post(
      '/api/session/clear',
      {
        config: { role: COMMANDS.CLEAR.role },
        preValidation: emptyBody,
        schema: {
          summary: 'Clear latched faults, with the reason for it, or a hold.',
          body: Type.Object({ reason: Type.Optional(ClearReason) }, strict),
          response: { 200: Done, ...refusals, 504: ErrorSchema },
        },
      },
      async (request) => {
        const reason = request.body.reason?.trim();
        const detail = reason === undefined ? {} : { reason };
        return audited(audit, actorOf(request), 'clear', detail, async () => {
          const wrong = reasonFault(reason);
          if (wrong !== null) {
            throw new BerthError('BERTH_BAD_REQUEST', `reason ${wrong}`, { field: 'reason' });
          }
          return answer(await requestClear(runtime, reason));
        });
      },
    );

    app.post(
      '/api/session/stop',
      {
        config: { role: COMMANDS.STOP.role },
        // A client that stops in a hurry sends no body.
        preValidation: emptyBody,
        schema: {
          summary: 'Stop. Anybody who may look may stop.',
          body: Type.Object(
            { category: Type.Optional(Type.Integer({ minimum: 0, maximum: 2, default: 1 })) },
            strict,
          ),
          response: { 200: Done, ...refusals, 504: ErrorSchema },
        },
      },
      async (request) => {
        const cat = request.body.category ?? 1;
        return audited(audit, actorOf(request), 'stop', { cat }, async () =>
          answer(await runtime.request(CommandKind.STOP, cat)),
        );
      },
    );

    done();
  };
