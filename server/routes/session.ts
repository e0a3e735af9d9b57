/** The session: what runs, what state it is in, and the commands that need no hand controller. */
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Type } from 'typebox';
import { MOST_NAME } from '../../config/scenario-folders.ts';
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
import type { ScenarioList } from '../scenarios/scenario-list.ts';
import type { ScenarioLoader } from '../scenarios/scenario-loader.ts';

const strict = { additionalProperties: false } as const;
const Done = Type.Object({ result: Type.Literal('ok') });
const Listed = Type.Object({
  name: Type.String({ description: 'What a load asks for.' }),
  title: Type.String(),
  description: Type.String(),
  folder: Type.String({ description: 'Folder of scenario_folders; empty for one of Berth.' }),
  modes: Type.Array(Type.Enum([...LOOP_MODES]), { description: 'Modes that it can be loaded in.' }),
  problem: Type.String({ description: 'Why it cannot be loaded; empty when it can.' }),
  loaded: Type.Boolean(),
});
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
  (
    runtime: Runtime,
    operators: OperatorHub,
    audit: AuditSink,
    scenarios: ScenarioList,
    loader: ScenarioLoader,
  ): FastifyPluginCallbackTypebox =>
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
          summary:
            'Scenarios that can be loaded: those of Berth, and the files in the folders of the user.',
          response: { 200: Type.Array(Listed), ...refusals },
        },
      },
      () => scenarios.list(runtime.scenario),
    );

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
              scenario: Type.String({ minLength: 1, maxLength: MOST_NAME }),
              mode: Type.Optional(Type.Enum([...LOOP_MODES])),
            },
            strict,
          ),
          response: { 200: Done, ...refusals, 404: ErrorSchema },
        },
      },
      async (request) => {
        await audited(audit, actorOf(request), 'load', loader.meant(request.body), () =>
          loader.load(request.body),
        );
        request.log.info({ scenario: runtime.scenario, mode: runtime.mode }, 'scenario loaded');
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
