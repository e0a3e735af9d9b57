/** Faults injected on purpose, only with --allow-fault-injection: the kinds there are, injecting one, ending all. */
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Settings } from '../../config/settings.ts';
import { CommandKind, COMMANDS } from '../../hil/contract/commands.ts';
import { injectedNow } from '../../hil/faults/fault-injection.ts';
import {
  checkInjection,
  END_INJECTIONS,
  INJECTION_TABLE,
  INJECTIONS,
  RECORDER_FAULTS,
} from '../../hil/contract/injections.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { type AuditSink, audited } from '../audit/audit-sink.ts';
import { actorOf } from '../access/role-guard.ts';
import { BerthError } from '../../src/base/errors.ts';
import { ErrorSchema, refusalCode } from '../contract/errors.ts';
import { SENTENCES } from '../operator/operator-requests.ts';

const Done = Type.Object({ result: Type.Literal('ok') });
const refusals = { 400: ErrorSchema, 401: ErrorSchema, 403: ErrorSchema, 409: ErrorSchema };
const responses = { 200: Done, ...refusals, 504: ErrorSchema };

export const faultRoutes =
  (settings: Settings, runtime: Runtime, audit: AuditSink): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const refuseUnlessAllowed = (): void => {
      if (settings.allow_fault_injection) return;
      throw new BerthError(
        'BERTH_NOT_ALLOWED',
        'Fault injection is off; start with --allow-fault-injection.',
        { field: 'allow_fault_injection' },
      );
    };
    const sendToLoop = async (kind: number, amount: number): Promise<{ result: 'ok' }> => {
      const result = await runtime.request(CommandKind.INJECT, kind, amount);
      if (result === 'ok') return { result };
      throw new BerthError(refusalCode(result), SENTENCES[result] ?? result);
    };

    app.get(
      '/api/faults',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'Kinds of fault that can be injected, and those that are there now.',
          response: {
            200: Type.Object({
              allowed: Type.Boolean(),
              injected: Type.Array(Type.String()),
              kinds: Type.Array(
                Type.Object({
                  name: Type.String(),
                  domain: Type.String(),
                  unit: Type.String(),
                  least: Type.Number(),
                  most: Type.Number(),
                  end: Type.String(),
                  text: Type.String(),
                }),
              ),
            }),
            ...refusals,
          },
        },
      },
      () => ({
        allowed: settings.allow_fault_injection,
        injected: injectedNow(runtime.shared.loopCounters),
        kinds: [...INJECTION_TABLE],
      }),
    );

    app.post(
      '/api/faults',
      {
        config: { role: COMMANDS.INJECT.role },
        schema: {
          summary: 'Inject a fault on purpose; only with --allow-fault-injection.',
          body: Type.Object(
            { kind: Type.Enum([...INJECTIONS]), amount: Type.Number() },
            { additionalProperties: false },
          ),
          response: responses,
        },
      },
      async (request) => {
        const { kind, amount } = request.body;
        const actor = actorOf(request);
        const answer = await audited(audit, actor, 'fault.inject', { kind, amount }, () => {
          refuseUnlessAllowed();
          const index = INJECTIONS.indexOf(kind);
          const wrong = checkInjection(index, amount);
          if (wrong !== '') {
            throw new BerthError('BERTH_PARAMETER_RANGE', wrong, { field: 'amount' });
          }
          request.log.warn({ kind, amount }, 'fault injected');
          return sendToLoop(index, amount);
        });
        runtime.inject?.(kind, amount);
        if (kind === 'io_error') {
          setImmediate(() => {
            throw new Error('Injected fault: io_error');
          });
        }
        return answer;
      },
    );

    app.delete(
      '/api/faults',
      {
        config: { role: COMMANDS.INJECT.role },
        schema: { summary: 'End every injected fault.', response: responses },
      },
      async (request) =>
        audited(audit, actorOf(request), 'fault.end', {}, async () => {
          refuseUnlessAllowed();
          const answer = await sendToLoop(END_INJECTIONS, 0);
          for (const fault of RECORDER_FAULTS) {
            if (fault === 'recorder_full' || fault === 'recorder_slow_Bps')
              runtime.inject?.(fault, 0);
          }
          return answer;
        }),
    );
    done();
  };
