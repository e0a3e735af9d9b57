/** The long draws with all their samples: `npm run acceptance -- --only draws`, or this program with names of test files. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DRAWS } from '../fixtures/draws.ts';

const names = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('../run.js', import.meta.url)),
    ...(names.length > 0 ? names : ['.long.test']),
  ],
  { stdio: 'inherit', env: { ...process.env, [DRAWS.name]: DRAWS.all } },
);
process.exitCode = status ?? 1;
