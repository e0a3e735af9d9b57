/** Liveness, readiness and metrics. */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ROW_WIDTH } from '../../hil/contract/columns.ts';
import { TelemetryRing } from '../../hil/memory/ring.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { ControlWord, LoopState } from '../../hil/memory/shared.ts';
import { BerthError } from '../../src/base/errors.ts';
import { loadedRobot } from '../status/robot-description.ts';
import { ErrorSchema } from '../contract/errors.ts';
import { makeRegistry } from '../metrics/metrics.ts';
import { MetricsPage } from '../metrics/metrics-page.ts';
import type { LoadedSession } from '../metrics/session-families.ts';
import { BERTH_VERSION, type ServerCounters } from '../metrics/metrics-families.ts';

/** Ticks must advance within this time, ms: the longest stall that is not yet a failure. */
const ADVANCE_MS = 300;

/** Whether the loop worker runs and writes rows. */
async function loopAdvances(runtime: Runtime): Promise<boolean> {
  const control = new Int32Array(runtime.shared.control);
  if (Atomics.load(control, ControlWord.LOOP_STATE) !== LoopState.RUNNING) return false;
  const ring = new TelemetryRing(runtime.shared.telemetry, ROW_WIDTH);
  const before = ring.written;
  const end = performance.now() + ADVANCE_MS;
  while (ring.written === before) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}

/** Joints of the loaded arm; none where a recording is shown whose scenario is not here. */
function jointsOf(runtime: Runtime): LoadedSession['joints'] {
  try {
    return loadedRobot(runtime).joints;
  } catch {
    return [];
  }
}

export const healthRoutes =
  (runtime: Runtime, counters: ServerCounters, injecting: boolean): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.get(
      '/health',
      {
        config: { role: 'anyone' },
        schema: {
          summary: 'The process answers.',
          response: { 200: Type.Object({ status: Type.Literal('ok'), version: Type.String() }) },
        },
      },
      () => ({ status: 'ok' as const, version: BERTH_VERSION }),
    );
    let advances: Promise<boolean> | null = null;
    app.get(
      '/ready',
      {
        config: { role: 'anyone' },
        schema: {
          summary: 'The loop runs and its ticks advance.',
          response: { 200: Type.Object({ status: Type.Literal('ready') }), 503: ErrorSchema },
        },
      },
      async () => {
        // requests that come meanwhile wait for the same answer
        advances ??= loopAdvances(runtime).finally(() => (advances = null));
        if (await advances) return { status: 'ready' as const };
        throw new BerthError('BERTH_NOT_READY', 'The loop does not advance.');
      },
    );
    const registry = makeRegistry(
      () => runtime.shared,
      counters,
      () => ({
        scenario: runtime.scenario,
        mode: runtime.mode,
        joints: jointsOf(runtime),
        touches: [...runtime.names.contacts, ...runtime.names.constraints],
      }),
      injecting,
    );
    const page = new MetricsPage({
      render: () => registry.metrics(),
      now_ms: () => performance.now(),
      wait: (ms) => (ms > 0 ? wait(ms) : Promise.resolve()),
    });
    app.get(
      '/metrics',
      {
        // scraped as often as a hundred times a second
        config: { role: 'viewer', rateLimit: { max: 12_000, timeWindow: '1 minute' } },
        schema: { summary: 'Prometheus text.', produces: ['text/plain'] },
      },
      async (_request, reply) => reply.type(registry.contentType).send(await page.text()),
    );
    done();
  };
