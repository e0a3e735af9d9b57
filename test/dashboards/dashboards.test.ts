/** The committed dashboards equal the output of the build, and use only exported metrics. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';

import { packageRoot } from '../../config/paths.ts';
import { PAGES, renderDashboards } from '../../dashboards/build.ts';
import { buildPage } from '../../dashboards/page.ts';
import { concrete, expressionsOf, metricsIn } from '../../dashboards/expressions.ts';
import { promtool, promtoolMissing } from '../ops/promtool.ts';
import { registeredMetrics } from '../ops/registered-metrics.ts';

const folder = join(packageRoot(), 'dashboards');
const dashboards = PAGES.map(buildPage);
const expressions = dashboards.flatMap(expressionsOf);

test('the committed dashboards equal a fresh build', () => {
  for (const [name, text] of renderDashboards()) {
    assert.equal(
      readFileSync(join(folder, name), 'utf8'),
      text,
      `${name} is stale: node --import tsx dashboards/build.ts`,
    );
  }
});

test('every query names registered metrics', () => {
  assert.ok(expressions.length > 40);
  for (const { panel, expr } of expressions) {
    const names = metricsIn(expr);
    assert.notEqual(names.length, 0, `${panel}: ${expr}`);
    for (const name of names) assert.ok(registeredMetrics.has(name), `${panel}: ${name}`);
  }
});

test('a metric that nobody exports is noticed', () => {
  const names = metricsIn('rate(berth_loop_tocks_total[4s]) / berth_x_seconds_bucket');
  assert.deepEqual(names, ['berth_loop_tocks_total', 'berth_x_seconds']);
  assert.ok(names.every((name) => !registeredMetrics.has(name)));
});

test('every panel has a title, a description, queries and the chosen data source', () => {
  const panels = dashboards
    .flatMap((page) => page.panels ?? [])
    .filter((panel) => panel.type !== 'row');
  assert.ok(panels.length > 25);
  for (const panel of panels) {
    assert.ok('targets' in panel && panel.targets.length > 0, panel.title);
    assert.ok(panel.title !== undefined && panel.description !== undefined);
    assert.deepEqual(panel.datasource, { type: 'prometheus', uid: '${datasource}' });
  }
});

test('Prometheus parses every query', { skip: promtoolMissing }, () => {
  const at = mkdtempSync(join(tmpdir(), 'berth-dashboards-'));
  try {
    const rules = expressions.map(({ expr }, index) => ({
      record: `dashboard:query${index}`,
      expr: concrete(expr),
    }));
    const file = join(at, 'queries.rules.yml');
    // JSON is YAML; every number and quote survives.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { code, text } = promtool(['check', 'rules', file]);
    assert.equal(code, 0, text);
    assert.match(text, new RegExp(`${expressions.length} rules found`));
  } finally {
    rmSync(at, { recursive: true });
  }
});

test('provisioning and scrape config agree with each other', () => {
  const read = (path: string): unknown => parse(readFileSync(join(folder, path), 'utf8'));
  const { datasources } = read('provisioning/datasources/prometheus.yaml') as {
    datasources: { type: string; jsonData: { timeInterval: string } }[];
  };
  const { providers } = read('provisioning/dashboards/berth.yaml') as {
    providers: { options: { path: string } }[];
  };
  const { global } = read('prometheus.yml') as { global: { scrape_interval: string } };
  const compose = read('compose.yaml') as { services: { grafana: { volumes: string[] } } };
  assert.equal(datasources[0].type, 'prometheus');
  assert.equal(datasources[0].jsonData.timeInterval, global.scrape_interval);
  for (const name of renderDashboards().keys()) {
    const mount = `./${name}:${providers[0].options.path}/${name}:ro`;
    assert.ok(compose.services.grafana.volumes.includes(mount), mount);
  }
});
