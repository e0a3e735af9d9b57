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
import { annotationsOf, concrete, expressionsOf, metricsIn } from '../../dashboards/expressions.ts';
import { promtool, promtoolMissing } from '../ops/promtool.ts';
import { registeredMetrics } from '../ops/registered-metrics.ts';

const folder = join(packageRoot(), 'dashboards');
const dashboards = PAGES.map(buildPage);
const marks = dashboards.flatMap(annotationsOf);
const expressions = [...dashboards.flatMap(expressionsOf), ...marks];
/** Series that Prometheus makes itself. */
const OF_PROMETHEUS = 'ALERTS{';

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
    if (expr.startsWith(OF_PROMETHEUS)) continue;
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
    const list = panel.type === 'alertlist'; // asks for alerts itself
    assert.ok(list || ('targets' in panel && panel.targets.length > 0), panel.title);
    assert.ok(panel.title !== undefined && panel.description !== undefined);
    assert.deepEqual(panel.datasource, { type: 'prometheus', uid: '${datasource}' });
  }
});

test('every selector of every query has the chosen service, and the pages let one choose it', () => {
  for (const { panel, expr } of expressions) {
    for (const [, matchers] of expr.matchAll(/\b(?:berth|nodejs|process)_\w+(\{[^}]*\})?/g)) {
      assert.match(matchers ?? '', /instance=~"\$instance"/, `${panel}: ${expr}`);
    }
  }
  for (const { title, templating } of dashboards) {
    const variable = templating?.list?.find(({ name }) => name === 'instance');
    assert.equal(variable?.type, 'query', title);
    assert.equal(variable.query, 'label_values(berth_build_info, instance)');
  }
});

test('faults, transitions and loads are marked on every page, and links lead to console and alarms', () => {
  for (const page of dashboards) {
    const names = annotationsOf(page).map(({ panel }) => panel);
    assert.deepEqual(names, ['Faults and holds', 'Transitions', 'Loads'], page.title);
    const urls = (page.links ?? []).map(({ url }) => url);
    assert.ok(urls.includes('http://${instance}/'), page.title);
    assert.ok(urls.includes('http://${instance}/#/alarms'), page.title);
  }
});

test('alerts are listed, and a fault leads to its page in the console', () => {
  const panels = dashboards.flatMap((page) => page.panels ?? []);
  const list = panels.find(({ type }) => type === 'alertlist');
  assert.ok(list !== undefined && 'options' in list);
  assert.equal((list.options as { datasource: string }).datasource, '${datasource}');
  const faults = panels.find(({ title }) => title === 'Faults and holds by code');
  const links = JSON.stringify((faults as { fieldConfig?: unknown }).fieldConfig);
  assert.ok(links.includes('#/alarms?code=${__field.labels.code}'), links);
});

test('limits are lines: of the settings in force where there is a metric, of the rules elsewhere', () => {
  const panels = dashboards.flatMap((page) => page.panels ?? []);
  for (const title of ['Force on the tool', 'Moment on the tool', 'Speed of the robot']) {
    const drawn = panels.filter((one) => one.title === title && one.type === 'timeseries');
    assert.match(JSON.stringify(drawn), /berth_limit_in_force/, title);
    assert.match(JSON.stringify(drawn), /"custom\.lineStyle"/, title);
  }
  const rules = readFileSync(join(folder, 'rules/berth.rules.yml'), 'utf8');
  for (const [title, line, rule] of [
    ['Energy that the loop creates', '0.05', /BerthLoopCreatesEnergy[^]*?> 0\.05\n/],
    ['Overruns by cause', '20', /BerthLoopOverrunBurst\n.*> 20\n/],
    ['Wake lateness', '0.0005', /BerthLoopLatenessHigh[^]*?> 0\.0005\n/],
  ] as const) {
    assert.match(rules, rule, title);
    const drawn = JSON.stringify(panels.find((one) => one.title === title));
    assert.match(drawn, new RegExp(`"value":${line.replace('.', '\\.')},"color"`), title);
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
