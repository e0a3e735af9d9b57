/** Recordings of the service: list, download, frames for the scene, and what is kept. */
import { encode } from '@msgpack/msgpack';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf } from '../access/role-guard.ts';
import { type AuditSink, audited } from '../audit/audit-sink.ts';
import { ErrorSchema } from '../contract/errors.ts';
import type { RecordingShelf } from '../recordings/shelf.ts';
import { MOST_FRAMES } from '../recordings/reader-messages.ts';

const refusals = { 400: ErrorSchema, 401: ErrorSchema, 403: ErrorSchema };
const found = { ...refusals, 404: ErrorSchema };
const Name = Type.Object({
  name: Type.String({ pattern: '^[\\w-][\\w.-]*[.]mcap$', maxLength: 255 }),
});
const Answer = Type.Record(Type.String(), Type.Unknown());
/** Fastest frames: those of a scene row. */
const MOST_HZ = 50;
const LONGEST_S = MOST_FRAMES / MOST_HZ;

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
    app.get(
      '/api/recordings/:name/scene',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'Bodies and cells of a recording, its length and its faults.',
          params: Name,
          response: { 200: Answer, ...found },
        },
      },
      async (request) => ({ ...(await shelf.reader.scene(await shelf.path(request.params.name))) }),
    );
    app.get(
      '/api/recordings/:name/frames',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'Scene, state and wrench of a part of a recording, as MessagePack.',
          params: Name,
          querystring: Type.Object(
            {
              from_s: Type.String({ pattern: '^\\d{1,7}([.]\\d{1,6})?$' }),
              length_s: Type.String({ pattern: '^\\d{1,2}([.]\\d{1,6})?$' }),
              hz: Type.String({ pattern: '^\\d{1,2}$' }),
            },
            { additionalProperties: false },
          ),
          produces: ['application/msgpack'],
          response: found,
        },
      },
      async (request, reply) => {
        const { from_s, length_s, hz } = request.query;
        const from = Number(from_s);
        const to = from + Math.min(LONGEST_S, Number(length_s));
        const path = await shelf.path(request.params.name);
        const rate = Math.max(1, Math.min(MOST_HZ, Number(hz)));
        const frames = await shelf.reader.frames(path, from, to, rate);
        return reply.type('application/msgpack').send(Buffer.from(encode({ frames })) as never);
      },
    );
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
