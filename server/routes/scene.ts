/** What the page draws: bodies and cells of the loaded scenario. */
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Runtime } from '../../hil/runtime-types.ts';
import type { AccessControl } from '../auth.ts';
import { ErrorSchema } from '../errors.ts';
import { sceneOf } from '../scene.ts';

export const sceneRoutes =
  (runtime: Runtime, access: AccessControl): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.get(
      '/api/scene',
      {
        schema: {
          summary: 'Bodies and cells of the loaded scenario, in the order of the topic `scene`.',
          response: {
            200: Type.Record(Type.String(), Type.Unknown()),
            401: ErrorSchema,
            403: ErrorSchema,
          },
        },
      },
      (request) => {
        access.requireRole(request.headers.authorization, 'viewer');
        return { ...sceneOf(runtime.scenario) };
      },
    );
    done();
  };
