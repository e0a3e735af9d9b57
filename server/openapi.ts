/** Writes docs/openapi.json, the HTTP part as the service itself describes it (`npm run docs:api`); a test compares the two. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { loadSettings } from '../config/load-settings.ts';
import { packageRoot } from '../config/paths.ts';
import { startRuntime } from '../hil/threads/runtime.ts';
import { buildApp } from './app.ts';

/** Text of docs/openapi.json from a service that is ready. */
export const openApiText = (app: FastifyInstance): string =>
  `${JSON.stringify(app.swagger(), null, 2)}\n`;

async function write(): Promise<void> {
  const settings = loadSettings();
  settings.mode = 'simulation';
  settings.robot.transport = 'none';
  settings.robot.emulate = false;
  settings.recording.mode = 'off';
  settings.recording.freezes = 0;
  settings.audit.enabled = false;
  const runtime = await startRuntime(settings);
  const app = await buildApp({ settings, runtime });
  await app.ready();
  writeFileSync(join(packageRoot(), 'docs', 'openapi.json'), openApiText(app));
  await app.close();
  await runtime.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write();
