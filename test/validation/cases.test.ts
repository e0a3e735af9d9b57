/** The quick published cases pass, and a wrong figure is seen. `berth validate` runs all cases. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { passes } from '../../server/validation/case.ts';
import { VALIDATION_CASES } from '../../server/validation/cases.ts';
import { casePasses, tableLines, writeReport } from '../../server/validation/report.ts';

/** Minutes of simulated time with fine steps; run by the command. */
const SLOW = ['impact', 'bowden-leben', 'incline'];

const reports = VALIDATION_CASES.filter(({ name }) => !SLOW.includes(name)).map((one) => ({
  case: one,
  result: one.run(),
  seconds: 0,
}));

for (const report of reports) {
  test(`case ${report.case.name} passes`, () => {
    assert.ok(casePasses(report), tableLines(report, false).join('\n'));
  });
}

test('a figure off by more than its tolerance fails, and so does one that is not a number', () => {
  const figure = { quantity: 'q', unit: 'm', computed: 1, published: 1.2, tolerance: 0.1 };
  assert.equal(passes(figure), false);
  assert.equal(passes({ ...figure, computed: Number.NaN }), false);
  assert.equal(passes({ ...figure, computed: 1.15 }), true);
});

test('the report is one page per run with a plot per curve set and a data file per case', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-report-'));
  try {
    const page = readFileSync(writeReport(folder, reports), 'utf8');
    const plots = reports.reduce((sum, { result }) => sum + result.plots.length, 0);
    assert.equal(page.split('<svg').length - 1, plots);
    assert.doesNotMatch(page, /NaN|undefined|<script|https?:/);
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    assert.equal(files.length, reports.length);
    for (const file of files) {
      const data = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { figures: unknown[] };
      assert.ok(data.figures.length > 0);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
