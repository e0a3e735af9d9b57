/**
 * The package as others get it: packs the product from a copy of its sources, installs the tarball into a project of its own with the
 * versions of package-lock.json, compiles the examples there against its declarations, and runs them; the service that two of them speak
 * to is the installed one.
 *
 * Usage: node dist/test/ops/packed-package.js
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { packageRoot } from '../../config/paths.ts';

const MOST_FILES = 2000;
const MOST_BYTES = 2_500_000;
/** Longer than any stall of the machine. */
const PATIENCE_MS = 600_000;
const SOURCES = [
  ...['src', 'config', 'hil', 'server', 'package.json', 'tsconfig.json', 'tsconfig.product.json'],
  ...['README.md', 'LICENSE', 'SECURITY.md'],
];
/** What is in the package: the compiled product, its declarations and data, meshes of scenarios among them. */
const ALLOWED =
  /^(dist\/(src|config|hil|server|console)\/|config\/[\w/.-]+[.](yaml|json)$|config\/scenarios\/[\w-]+[.](step|stl|stl[.]field|obj|inp|patch)$|package[.]json$|[A-Z]+([.]md)?$)/;

const root = packageRoot();
const scratch = mkdtempSync(join(tmpdir(), 'berth-package-'));
const project = join(scratch, 'project');

function run(folder: string, program: string, ...args: string[]): string {
  const begin = performance.now();
  const done = spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: PATIENCE_MS });
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  if (done.status !== 0) {
    throw new Error(
      `${program} ${args.join(' ')}: exit ${done.status}\n${done.stdout}\n${done.stderr}`,
    );
  }
  console.log(
    `${seconds.padStart(6)} s  ${program === process.execPath ? 'node' : program} ${args[0]}`,
  );
  return done.stdout;
}

/** @returns the name of the tarball in the project's folder */
function pack(): string {
  const sources = join(scratch, 'sources');
  for (const name of SOURCES) cpSync(join(root, name), join(sources, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'));
  mkdirSync(project);
  const told = run(sources, 'npm', 'pack', '--json', '--silent', '--pack-destination', project);
  const [{ filename, size, unpackedSize, files }] = JSON.parse(told.slice(told.indexOf('[\n'))) as {
    filename: string;
    size: number;
    unpackedSize: number;
    files: { path: string }[];
  }[];
  const [packed, unpacked] = [size, unpackedSize].map((bytes) => (bytes / 1e6).toFixed(1));
  console.log(`${filename}: ${files.length} files, ${packed} MB, unpacked ${unpacked} MB`);
  const strangers = files.map(({ path }) => path).filter((path) => !ALLOWED.test(path));
  assert.deepEqual(strangers, [], 'only the product is packed');
  assert.ok(files.length <= MOST_FILES && size <= MOST_BYTES, 'the package has grown');
  return filename;
}

interface Manifest {
  readonly version: string;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly overrides: Record<string, string>;
}
interface Lock {
  readonly packages: Record<string, { readonly dev?: boolean; readonly optional?: boolean }>;
}

/** A project of its own, whose lock has the versions that `npm ci` of the repository has brought into the cache. */
function install(tarball: string): void {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { version, dependencies, devDependencies, overrides } = read('package.json') as Manifest;
  const own = ['@msgpack/msgpack', 'ws'].map((name) => [name, dependencies[name]]);
  const types = ['@types/node', '@types/ws'].map((name) => [name, devDependencies[name]]);
  const manifest = {
    ...{ name: 'project', version: '1.0.0', private: true, type: 'module' },
    dependencies: {
      berth: `file:${tarball}`,
      ...(Object.fromEntries([...own, ...types]) as object),
    },
    overrides: { 'light-my-request': overrides['light-my-request'] },
  };
  const wanted = /^node_modules\/(@types\/(node|ws)|undici-types)$/;
  const packages = Object.entries((read('package-lock.json') as Lock).packages).filter(
    ([path, { dev, optional }]) =>
      path !== '' && ((dev !== true && optional !== true) || wanted.test(path)),
  );
  const lock = {
    ...{ name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: {
      '': manifest,
      'node_modules/berth': { version, resolved: `file:${tarball}`, dependencies },
      ...Object.fromEntries(packages.map(([path, entry]) => [path, { ...entry, dev: false }])),
    },
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
  run(
    project,
    'npm',
    'ci',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--omit=optional',
    '--ignore-scripts',
  );
}

/** As a user would: strict, and the declarations of the package are read as well. */
function compileExamples(): void {
  cpSync(join(root, 'examples'), join(project, 'examples'), { recursive: true });
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], types: ['node'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ skipLibCheck: false, skipDefaultLibCheck: true, outDir: 'compiled', rootDir: 'examples' },
  };
  const config = { compilerOptions, include: ['examples/*.ts'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  const compiler = (name: string): string => join(root, `node_modules/${name}/bin/tsc`);
  run(project, process.execPath, compiler('typescript-native'), '-p', '.');
  // the client once more as bundlers see it, without the types of Node, and by the compiler before that one
  const bundled = { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler', types: [] };
  writeFileSync(join(project, 'page.ts'), "export { OperatorClient } from 'berth/client';\n");
  const page = { compilerOptions: { ...bundled, rootDir: '.' }, files: ['page.ts'] };
  writeFileSync(join(project, 'page.json'), JSON.stringify(page));
  run(project, process.execPath, compiler('typescript'), '-p', 'page.json');
}

const compiled = (name: string): string => join('compiled', `${name}.js`);

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS) });
}

/** The installed service, a robot of an example, and an example that sees it there. */
async function runService(): Promise<void> {
  const settings = `mode: virtual
scenario: half-sphere-on-plate
robot: { transport: websocket, port: 0, emulate: false }
loop: { realtime_priority: 0 }
server: { port: 0 }
recording: { mode: "off" }
audit: { enabled: false }
`;
  writeFileSync(join(project, 'settings.yaml'), settings);
  const service = spawn(
    process.execPath,
    [
      join('node_modules', 'berth', 'dist', 'server', 'main.js'),
      'serve',
      'settings.yaml',
      '--no-fly',
    ],
    { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let robot: ChildProcess | null = null;
  try {
    let [page, address] = ['', ''];
    for await (const line of createInterface({ input: service.stdout })) {
      page = /console\s+(http:\S+?)\/?$/.exec(line)?.[1] ?? page;
      address = /(ws:\S+)/.exec(line)?.[1] ?? address;
      if (line.includes('Ctrl-C')) break;
    }
    service.stdout.resume();
    assert.match((await (await fetch(page)).text()).slice(0, 1000), /<title>/);
    robot = spawn(process.execPath, [compiled('msgpack-robot'), address], {
      cwd: project,
      stdio: 'inherit',
    });
    console.log(run(project, process.execPath, compiled('watch'), page).trimEnd());
  } finally {
    if (robot !== null) await ended(robot);
    await ended(service);
  }
  assert.equal(service.exitCode, 0);
}

try {
  install(pack());
  compileExamples();
  for (const name of ['drop-a-ball', 'make-a-scenario']) {
    console.log(run(project, process.execPath, compiled(name)).trimEnd());
  }
  await runService();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
