/** Alert rules: registered metrics only, every alert unit-tested, and promtool accepts them; it runs their unit tests in ops/prometheus-scrape.ts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';

import { packageRoot } from '../../config/paths.ts';
import { metricsIn } from '../../dashboards/expressions.ts';
import { SAFETY_STATES } from '../../hil/contract/codes.ts';
import { promtool, promtoolMissing } from '../ops/promtool.ts';
import { registeredMetrics } from '../ops/registered-metrics.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; action: string };
}
interface AlertTest {
  alertname: string;
  exp_alerts: unknown[];
}

const folder = join(packageRoot(), 'dashboards');
const read = (path: string): unknown => parse(readFileSync(join(folder, path), 'utf8'));
const rules = (read('rules/berth.rules.yml') as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const unitTests = (
  read('rules/berth.rules.test.yml') as { tests: { alert_rule_test: AlertTest[] }[] }
).tests.flatMap((one) => one.alert_rule_test);

test('alerts name registered metrics and real safety states', () => {
  for (const { alert, expr } of rules) {
    for (const name of metricsIn(expr)) assert.ok(registeredMetrics.has(name), `${alert}: ${name}`);
    for (const [, states] of expr.matchAll(/state=~?"([A-Z_|]+)"/g)) {
      for (const state of states.split('|')) {
        assert.ok((SAFETY_STATES as readonly string[]).includes(state), `${alert}: ${state}`);
      }
    }
  }
});

test('every alert says what happened, what to do and how severe it is', () => {
  for (const rule of rules) {
    assert.match(rule.alert, /^Berth[A-Z][A-Za-z]+$/);
    assert.match(rule.labels.severity, /^(critical|warning)$/);
    assert.ok(rule.annotations.summary.length > 10 && rule.annotations.action.length > 10);
  }
});

test('docs/operations.md lists every alert once, and no other', () => {
  const page = readFileSync(join(packageRoot(), 'docs/operations.md'), 'utf8');
  const section = page.split('\n## Alerts\n')[1].split('\n## ')[0];
  const listed = [...section.matchAll(/^\| `(Berth\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(listed.toSorted(), rules.map(({ alert }) => alert).toSorted());
});

test('every alert has a unit test in which it fires and one in which it is quiet afterwards', () => {
  for (const { alert } of rules) {
    const mine = unitTests.filter((one) => one.alertname === alert);
    const fires = mine.findIndex((one) => one.exp_alerts.length > 0);
    assert.ok(fires > 0, `${alert} is quiet before it fires`);
    assert.equal(mine.at(-1)!.exp_alerts.length, 0, `${alert} clears`);
  }
});

test('promtool accepts rules and scrape config', { skip: promtoolMissing }, () => {
  for (const args of [
    ['check', 'rules', join(folder, 'rules/berth.rules.yml')],
    ['check', 'config', join(folder, 'prometheus.yml')],
  ]) {
    const { code, text } = promtool(args);
    assert.equal(code, 0, text);
  }
});
