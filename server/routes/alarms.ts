/** Standing alarms, and their acknowledgement. */
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { AlarmList } from '../alarms/alarms.ts';
import { type AuditSink, audited } from '../audit/audit-sink.ts';
import { actorOf } from '../access/role-guard.ts';
import { BerthError } from '../../src/base/errors.ts';
import { ErrorSchema } from '../contract/errors.ts';
import { SERVER_SCHEMAS } from '../contract/server-messages.ts';

const refusals = { 401: ErrorSchema, 403: ErrorSchema };

export const alarmRoutes =
  (alarms: AlarmList, audit: AuditSink): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.get(
      '/api/alarms',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'Alarms that are active or not yet acknowledged, oldest first.',
          response: { 200: Type.Array(SERVER_SCHEMAS.Alarm), ...refusals },
        },
      },
      () => [...alarms.list],
    );
    app.post(
      '/api/alarms/:id/ack',
      {
        config: { role: 'operator' },
        schema: {
          summary: 'Acknowledge one alarm; it leaves the list when its cause is gone.',
          params: Type.Object({ id: Type.String({ pattern: '^[0-9]{1,9}$' }) }),
          response: {
            200: Type.Object({ result: Type.Literal('ok') }),
            400: ErrorSchema,
            ...refusals,
            404: ErrorSchema,
          },
        },
      },
      (request) => {
        const id = Number(request.params.id);
        return audited(audit, actorOf(request), 'alarm.ack', { alarm: id }, () => {
          if (!alarms.has(id)) {
            throw new BerthError('BERTH_NOT_FOUND', `No alarm has the number ${id}.`, {
              field: 'id',
            });
          }
          alarms.acknowledge(id);
          return { result: 'ok' as const };
        });
      },
    );
    done();
  };
