/** The container image: pinned bases, unprivileged, with a health check, nothing from outside the context. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { packageRoot } from '../../config/paths.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { execForm, ownDockerfile, parseDockerfile } from './dockerfile.ts';

const stages = ownDockerfile();
const runtime = stages.at(-1)!;
const of = (name: string): string[] =>
  runtime.instructions.filter((one) => one.name === name).map((one) => one.rest);

test('67: two stages on the same base: the long-term release of Node, by exact version and by digest', (t) => {
  assert.deepEqual(
    stages.map((stage) => stage.name),
    ['build', 'runtime'],
  );
  const pinned = /^node:24\.(\d+)\.\d+-bookworm-slim@(sha256:[0-9a-f]{64})$/;
  for (const { base } of stages) assert.match(base, pinned);
  const [, minor, digest] = pinned.exec(stages[0].base)!;
  assert.ok(Number(minor) >= 11, '24 is a long-term release from 24.11 on');
  t.diagnostic(`acceptance 67: image node:24.${minor}, pinned by ${digest.slice(0, 19)}…`);
  assert.equal(stages[0].base, stages[1].base);
});

test('the runtime stage has no development packages and does not run as root', () => {
  const installs = of('RUN').filter((command) => command.includes('npm '));
  assert.equal(installs.length, 1);
  assert.match(
    installs[0],
    /^npm ci --omit=dev .* && npm pkg delete devDependencies\s+&& npm sbom --sbom-format=cyclonedx > sbom\.cdx\.json$/,
  );
  assert.deepEqual(of('USER'), ['node']);
  const names = runtime.instructions.map((one) => one.name);
  assert.ok(names.indexOf('USER') > names.lastIndexOf('RUN'), 'nothing is installed as the user');
});

test('package lists are not left behind and nothing unnamed is installed', () => {
  for (const command of of('RUN').filter((text) => text.includes('apt-get'))) {
    assert.match(command, /--no-install-recommends/);
    assert.match(command, /rm -rf \/var\/lib\/apt\/lists/);
  }
});

test('health check, ports and command agree with the default settings', () => {
  const settings = loadSettings();
  const [check] = of('HEALTHCHECK');
  assert.ok(check.includes(`http://127.0.0.1:${settings.server.port}/health`));
  assert.deepEqual(of('EXPOSE'), [`${settings.server.port} ${settings.robot.port}`]);
  assert.deepEqual(execForm(of('ENTRYPOINT')[0]), ['node', 'dist/server/main.js']);
  assert.deepEqual(execForm(of('CMD')[0]), ['serve']);
  assert.deepEqual(of('STOPSIGNAL'), ['SIGTERM']);
});

test('everything copied is in the build context', () => {
  const ignored = readFileSync(join(packageRoot(), '.dockerignore'), 'utf8').split('\n');
  for (const stage of stages) {
    for (const { name, options, rest } of stage.instructions) {
      if (name !== 'COPY' || 'from' in options) continue;
      for (const source of rest.split(/\s+/).slice(0, -1)) {
        assert.ok(existsSync(join(packageRoot(), source)), source);
        assert.ok(!ignored.includes(source), `${source} is in .dockerignore`);
      }
    }
  }
  for (const folder of ['node_modules', 'dist', '.git']) assert.ok(ignored.includes(folder));
});

test('the image compiles and ships the product and nothing beside it', () => {
  const ignored = readFileSync(join(packageRoot(), '.dockerignore'), 'utf8').split('\n');
  for (const folder of ['test', 'bench', 'examples', 'dashboards', 'docs']) {
    assert.ok(ignored.includes(folder), `${folder} is in the build context`);
  }
  const [build] = stages;
  const commands = build.instructions.filter(({ name }) => name === 'RUN').map(({ rest }) => rest);
  assert.deepEqual(commands.slice(1), ['npm run build:product']);
  const project = readFileSync(join(packageRoot(), 'tsconfig.product.json'), 'utf8');
  const { include } = JSON.parse(project) as { include: string[] };
  const copied = build.instructions
    .filter(({ name, rest }) => name === 'COPY' && /^\w+ [.][/]\w+$/.test(rest))
    .map(({ rest }) => rest.split(' ')[0]);
  assert.deepEqual(copied, include);
});

test('an instruction that is not understood is an error', () => {
  assert.throws(() => parseDockerfile('FROM a AS b\nADD x y'), /ADD x y/);
});
