/** What a page needs to replay a file: its scene, and frames of a part of it. */
import { encode } from '@msgpack/msgpack';
import type { FastifyInstance } from 'fastify';
import { type TObject, Type } from 'typebox';
import { ErrorSchema } from '../contract/errors.ts';
import type { RecordingReader } from '../recordings/reader.ts';
import { MOST_FRAMES } from '../recordings/reader-messages.ts';

const found = { 400: ErrorSchema, 401: ErrorSchema, 403: ErrorSchema, 404: ErrorSchema };
const Answer = Type.Record(Type.String(), Type.Unknown());
/** Fastest frames: those of a scene row. */
const MOST_HZ = 50;
const LONGEST_S = MOST_FRAMES / MOST_HZ;
const Part = Type.Object(
  {
    from_s: Type.String({ pattern: '^\\d{1,7}([.]\\d{1,6})?$' }),
    length_s: Type.String({ pattern: '^\\d{1,2}([.]\\d{1,6})?$' }),
    hz: Type.String({ pattern: '^\\d{1,2}$' }),
  },
  { additionalProperties: false },
);

export interface ReplayRoute<P> {
  /** Address of the file, and the parameters in it. */
  readonly address: string;
  readonly params: TObject;
  readonly reader: RecordingReader;
  /** Its path. @throws BerthError when there is none */
  readonly path: (params: P) => Promise<string>;
}

/** Serves `…/scene` and `…/frames` of a file. */
export function serveReplay<P>(
  app: FastifyInstance,
  { address, params, reader, path }: ReplayRoute<P>,
): void {
  app.get(
    `${address}/scene`,
    {
      config: { role: 'viewer' },
      schema: {
        summary: 'Bodies and cells of a recording, its length and its faults.',
        params,
        response: { 200: Answer, ...found },
      },
    },
    async (request) => ({ ...(await reader.scene(await path(request.params as P))) }),
  );
  app.get(
    `${address}/frames`,
    {
      config: { role: 'viewer' },
      schema: {
        summary: 'Scene, state and wrench of a part of a recording, as MessagePack.',
        params,
        querystring: Part,
        produces: ['application/msgpack'],
        response: found,
      },
    },
    async (request, reply) => {
      const { from_s, length_s, hz } = request.query as Record<string, string>;
      const from = Number(from_s);
      const to = from + Math.min(LONGEST_S, Number(length_s));
      const rate = Math.max(1, Math.min(MOST_HZ, Number(hz)));
      const frames = await reader.frames(await path(request.params as P), from, to, rate);
      return reply.type('application/msgpack').send(Buffer.from(encode({ frames })));
    },
  );
}
