/** The plan of a rare event grows with its results, and only with them; what it comes to is in summary and report. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadStudy } from '../../../config/study.ts';
import { makeManifest, type Manifest } from '../../../server/cli/study/manifest.ts';
import { growPlan, mostRuns, rareEvent } from '../../../server/cli/study/rare-event.ts';
import { writeReport } from '../../../server/cli/study/report.ts';
import type { StudyResult } from '../../../server/cli/study/results.ts';
import { summaryLines } from '../../../server/cli/study/summary-lines.ts';
import { summarize } from '../../../server/cli/study/summary.ts';
import { normalProbability } from '../../../src/study/normal.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-rare-'));
after(() => rmSync(folder, { recursive: true }));

const STUDY = `name: rare
scenario: ball-on-table
seed: 4
design: { kind: subset, runs: 500, quantity: height }
vary:
  - { name: z, fields: [bodies.ball.position_m.2], normal: { mean: 0.2, deviation: 0.005 } }
  - { name: mu, fields: [contacts.0.friction_law.coulomb], uniform: { low: 0.04, high: 0.07 } }
quantities: [{ name: height, of: most, column: ball-table.normal_force_N, limit: { most: 0.217 } }]
`;
/** Φ((0.2 − 0.217)/0.005): 3.4e-4. */
const TRUTH = normalProbability(-3.4);

function planned(): Manifest {
  const path = join(folder, 'rare.yaml');
  writeFileSync(path, STUDY);
  return makeManifest(loadStudy(path));
}

/** Results of runs: the height itself, and one run without a value. */
const resultsOf = ({ runs, build }: Manifest): Map<string, StudyResult> =>
  new Map(
    runs.map(({ id, values }) => {
      const result = { id, build, machine: 'm', reason: null, hash: '', quantities: [+values[0]] };
      return [id, result];
    }),
  );

function grown(from: Manifest): Manifest {
  let manifest = from;
  for (let more: Manifest | null = from; more !== null; more = growPlan(more, resultsOf(more)))
    manifest = more;
  return manifest;
}

test('the plan grows by a step of all chains at a time, to a probability that is known', () => {
  const first = planned();
  assert.equal(first.runs.length, 500);
  assert.equal(growPlan(first, new Map()), null, 'nothing follows before there are results');
  const second = growPlan(first, resultsOf(first));
  assert.equal(second?.runs.length, 550);
  const all = grown(first);
  const event = rareEvent(all, resultsOf(all));
  assert.ok(event !== null && event.low < TRUTH && event.high > TRUTH, `${event?.value}`);
  assert.ok(all.runs.length <= mostRuns(all));
  assert.equal(new Set(all.runs.map(({ id }) => id)).size, all.runs.length);
  // another process, which begins with the plan of the first level, comes to the same runs
  assert.deepEqual(grown(planned()).runs, all.runs);
  // results of a part: nothing is added before the rest is there
  const results = resultsOf(all);
  results.delete(all.runs[520].id);
  assert.equal(growPlan({ ...all, runs: all.runs.slice(0, 550) }, results), null);
});

test('a run without a value is beyond every limit', () => {
  const first = planned();
  const results = resultsOf(first);
  for (const { id } of first.runs.slice(0, 60)) {
    const result = results.get(id)!;
    results.set(id, { ...result, reason: 'a step failed', quantities: [null] });
  }
  assert.equal(growPlan(first, results), null);
  assert.equal(rareEvent(first, results)?.value, 60 / 500);
});

test('summary and report say the probability and its levels; means are of the first level', () => {
  const all = grown(planned());
  const results = resultsOf(all);
  const summary = summarize(all, results);
  assert.equal(summary.sample, 500);
  // 0.2 m, within four standard deviations of the mean
  assert.ok(Math.abs(summary.quantities[0].mean!.value - 0.2) < (4 * 0.005) / Math.sqrt(500));
  const lines = summaryLines(all, summary).join('\n');
  assert.match(
    lines,
    /outside of its limit: 0[.]000\d+ \(0[.]000\d+ to 0[.]00\d+\) of all cases, in 4 levels/,
  );
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(all));
  const page = readFileSync(writeReport(folder, all, results, summary), 'utf8');
  assert.match(page, /height is not ≤ 0[.]217 in 0[.]000/);
  assert.match(page, /Beyond the limit by at least/);
});
