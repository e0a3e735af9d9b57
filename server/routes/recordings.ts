/** Recordings of the service: list, download, frames for the scene, and what is kept. */
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf } from '../access/role-guard.ts';
import { type AuditSink, audited } from '../audit/audit-sink.ts';
import { ErrorSchema } from '../contract/errors.ts';
import type { RecordingShelf } from '../recordings/shelf.ts';
import { serveReplay } from './replay.ts';

const refusals = { 400: ErrorSchema, 401: ErrorSchema, 403: ErrorSchema };
const found = { ...refusals, 404: ErrorSchema };
const Name = Type.Object({
  name: Type.String({ pattern: '^[\\w-][\\w.-]*[.]mcap$', maxLength: 255 }),
});
const Answer = Type.Record(Type.String(), Type.Unknown());

export const recordingRoutes =
  (shelf: RecordingShelf, audit: AuditSink): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.get(
      '/api/recordings',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'Recordings of the folder, newest first, and what is kept of them.',
          response: { 200: Answer, ...refusals },
        },
      },
      async () => ({ ...(await shelf.list()) }),
    );
    app.get(
      '/api/recordings/:name',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'A recording as a file; of one that is being written what there is now.',
          params: Name,
          produces: ['application/octet-stream'],
          response: found,
        },
      },
      async (request, reply) => {
        const { name } = request.params;
        const { bytes, stream } = await shelf.open(name);
        return reply
          .header('content-length', bytes)
          .header('content-disposition', `attachment; filename="${name}"`)
          .type('application/octet-stream')
          .send((stream ?? Buffer.alloc(0)) as never);
      },
    );
    serveReplay<{ name: string }>(app, {
      address: '/api/recordings/:name',
      params: Name,
      reader: shelf.reader,
      path: ({ name }) => shelf.path(name),
    });
    app.post(
      '/api/recordings/:name/pin',
      {
        config: { role: 'operator' },
        schema: {
          summary:
            'Keep a recording, which is then never removed, or leave it to the recorder again.',
          params: Name,
          body: Type.Object({ pinned: Type.Boolean() }, { additionalProperties: false }),
          response: { 200: Type.Object({ result: Type.Literal('ok') }), ...found },
        },
      },
      (request) => {
        const { name } = request.params;
        const { pinned } = request.body;
        return audited(audit, actorOf(request), 'recording.pin', { name, pinned }, async () => {
          await shelf.pin(name, pinned);
          return { result: 'ok' as const };
        });
      },
    );
    done();
  };
