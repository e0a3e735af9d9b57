/**
 * Runs the steps of the Dockerfile by hand, without a container engine: each stage in an empty folder with only what COPY
 * brings, the service as an unprivileged user, the image's own health check, and its stop signal. Instructions that need
 * the image itself (packages of the distribution, its users) are named and left out.
 *
 * Usage: node dist/test/ops/dockerfile-steps.js
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { packageRoot } from '../../config/paths.ts';
import { checkSbom } from './sbom.ts';
import { execForm, type Instruction, ownDockerfile, type Stage } from './dockerfile.ts';

/** Longer than any stall of the machine. */
const START_MS = 180_000;
const STOP_MS = 60_000;
/** Whoever ends with the service may need so long on a busy machine. */
const LEAVE_MS = 10_000;
const NOBODY = 65534;
const IMAGE_ONLY = /^(apt-get|usermod)\b/;

/** Where a stage keeps its files, and the settings its instructions made. */
interface Built {
  readonly root: string;
  folder: string;
  readonly environment: Record<string, string>;
}

function copy({ options, rest }: Instruction, built: Built, stages: Map<string, Built>): void {
  const words = rest.split(/\s+/);
  const to = join(built.folder, words.at(-1)!);
  for (const source of words.slice(0, -1)) {
    const path = join(
      'from' in options ? stages.get(options['from'])!.root : packageRoot(),
      source,
    );
    const target = words.at(-1)!.endsWith('/') ? join(to, basename(source)) : to;
    cpSync(path, target, { recursive: true });
  }
}

function runStep(command: string, built: Built): void {
  if (IMAGE_ONLY.test(command)) {
    console.log('  left out: needs the image');
    return;
  }
  const done = spawnSync('bash', ['-ec', command], {
    cwd: built.folder,
    env: { ...process.env, ...built.environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (done.status !== 0) throw new Error(`exit ${done.status}: ${command}`);
}

function buildStage(stage: Stage, scratch: string, stages: Map<string, Built>): Built {
  const root = join(scratch, stage.name);
  const built: Built = { root, folder: root, environment: {} };
  for (const step of stage.instructions) {
    console.log(`[${stage.name}] ${step.name} ${step.rest}`);
    if (step.name === 'WORKDIR') {
      built.folder = join(root, step.rest);
      mkdirSync(built.folder, { recursive: true });
    } else if (step.name === 'COPY') copy(step, built, stages);
    else if (step.name === 'RUN') runStep(step.rest, built);
    else if (step.name === 'ENV') {
      const [key, value] = step.rest.split('=');
      built.environment[key] = value!;
    }
  }
  return built;
}

/** Processes that run below a folder: a stopped service must leave none. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false; // it ended, or is not ours to look at
      }
    });
}

async function isHealthy(check: readonly string[]): Promise<boolean> {
  const asked = spawn(check[0], check.slice(1), { stdio: 'ignore' });
  const [code] = (await once(asked, 'exit')) as [number | null];
  return code === 0;
}

/** Ask again and again; @returns how long it took, ms. */
async function untilHealthy(check: readonly string[], service: ChildProcess): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < START_MS) {
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`);
    if (await isHealthy(check)) return performance.now() - start;
  }
  throw new Error(`not healthy within ${START_MS / 1000} s`);
}

async function operate(stage: Stage, built: Built): Promise<void> {
  const last = (name: string): string =>
    stage.instructions.findLast((one) => one.name === name)!.rest;
  const [program, ...args] = [...execForm(last('ENTRYPOINT')), ...execForm(last('CMD'))];
  const check = execForm(last('HEALTHCHECK').replace(/^CMD\s+/, ''));
  if (await isHealthy(check)) throw new Error('another service has the port of the image');
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const service = spawn(program, args, {
    cwd: built.folder,
    env: { ...process.env, ...built.environment },
    stdio: ['ignore', 'inherit', 'inherit'],
    ...asNobody,
  });
  try {
    console.log(`healthy after ${Math.round(await untilHealthy(check, service))} ms`);
    const ended = once(service, 'exit', { signal: AbortSignal.timeout(STOP_MS) });
    service.kill(last('STOPSIGNAL') as NodeJS.Signals);
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`exit ${code} after ${last('STOPSIGNAL')}, expected 0`);
    const until = performance.now() + LEAVE_MS;
    let left = processesIn(built.folder);
    while (left.length > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      left = processesIn(built.folder);
    }
    if (left.length > 0) throw new Error(`processes left behind: ${left.join(', ')}`);
    console.log(`ended with 0 after ${last('STOPSIGNAL')}, nobody left behind`);
  } finally {
    if (service.exitCode === null) service.kill('SIGKILL');
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'berth-image-'));
chmodSync(scratch, 0o755);
try {
  const stages = new Map<string, Built>();
  for (const stage of ownDockerfile()) stages.set(stage.name, buildStage(stage, scratch, stages));
  const runtime = ownDockerfile().at(-1)!;
  const listed = checkSbom(stages.get(runtime.name)!.folder);
  console.log(`the bill of materials lists all ${listed} packages that are installed`);
  await operate(runtime, stages.get(runtime.name)!);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
