/** Studies of the service's folder: list, report, notable runs, start and stop. */
import { createReadStream } from 'node:fs';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf } from '../access/role-guard.ts';
import { type AuditSink, audited } from '../audit/audit-sink.ts';
import { ErrorSchema } from '../contract/errors.ts';
import type { RecordingReader } from '../recordings/reader.ts';
import type { StudyShelf } from '../studies/study-shelf.ts';
import { serveReplay } from './replay.ts';

const refusals = { 400: ErrorSchema, 401: ErrorSchema, 403: ErrorSchema };
const found = { ...refusals, 404: ErrorSchema };
const name = Type.String({ pattern: '^\\w[\\w.-]*$', maxLength: 64 });
const Name = Type.Object({ name });
const File = Type.Object({
  name,
  file: Type.String({ pattern: '^[\\w-][\\w.-]*[.]mcap$', maxLength: 255 }),
});
/** A report has one style and nothing else; it runs nothing, and belongs to no page. */
const REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-downloads";

export const studyRoutes =
  (shelf: StudyShelf, reader: RecordingReader, audit: AuditSink): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.get(
      '/api/studies',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'Studies of the folder, and how far each is.',
          response: { 200: Type.Record(Type.String(), Type.Unknown()), ...refusals },
        },
      },
      async () => ({ ...(await shelf.list()) }),
    );
    app.get(
      '/api/studies/:name/report.html',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'The report of a study.',
          params: Name,
          produces: ['text/html'],
          response: found,
        },
      },
      async (request, reply) => {
        const path = await shelf.path(request.params.name, 'report.html');
        return reply
          .header('content-security-policy', REPORT_POLICY)
          .type('text/html; charset=utf-8')
          .send(createReadStream(path) as never);
      },
    );
    app.get(
      '/api/studies/:name/notable/:file',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'A run that stands out, as an MCAP file.',
          params: File,
          produces: ['application/octet-stream'],
          response: found,
        },
      },
      async (request, reply) => {
        const { name: study, file } = request.params;
        const path = await shelf.path(study, 'notable', file);
        return reply
          .header('content-disposition', `attachment; filename="${file}"`)
          .type('application/octet-stream')
          .send(createReadStream(path) as never);
      },
    );
    serveReplay<{ name: string; file: string }>(app, {
      address: '/api/studies/:name/notable/:file',
      params: File,
      reader,
      path: (of) => shelf.path(of.name, 'notable', of.file),
    });
    for (const [verb, summary] of [
      ['start', 'Run what a study has not done yet; one runs at a time.'],
      ['stop', 'Stop a study; what it has done stays.'],
    ] as const) {
      app.post(
        `/api/studies/:name/${verb}`,
        {
          config: { role: 'operator' },
          schema: {
            summary,
            params: Name,
            response: {
              200: Type.Object({ result: Type.Literal('ok') }),
              ...found,
              409: ErrorSchema,
            },
          },
        },
        (request) => {
          const of = request.params.name;
          return audited(audit, actorOf(request), `study.${verb}`, { name: of }, async () => {
            await shelf[verb](of);
            return { result: 'ok' as const };
          });
        },
      );
    }
    done();
  };
