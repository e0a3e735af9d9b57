/** What the page draws: bodies and cells of the loaded scenario, and its arm. */
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { ErrorSchema } from '../contract/errors.ts';
import type { Loaded } from '../status/once-per-load.ts';
import { loadedRobot } from '../status/robot-description.ts';
import { loadedScene } from '../status/scene.ts';

export const sceneRoutes =
  (runtime: Runtime): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const describe = (path: string, summary: string, of: (loaded: Loaded) => object): void => {
      const response = {
        200: Type.Record(Type.String(), Type.Unknown()),
        401: ErrorSchema,
        403: ErrorSchema,
      };
      const config = { role: 'viewer' } as const;
      app.get(path, { config, schema: { summary, response } }, () => ({ ...of(runtime) }));
    };
    describe(
      '/api/scene',
      'Bodies and cells of the loaded scenario, in the order of the topic `scene`.',
      loadedScene,
    );
    describe(
      '/api/robot',
      'Joints and links of the simulated arm, in the order of the topic `joints`.',
      loadedRobot,
    );
    done();
  };
