/** Figures and report of a study from results of a closed form: what counts, when it has enough, and a page that needs nothing else. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { StudyDesign } from '../../../config/study-schema.ts';
import type { Manifest } from '../../../server/cli/study/manifest.ts';
import { writeReport } from '../../../server/cli/study/report.ts';
import type { StudyResult } from '../../../server/cli/study/results.ts';
import { confidenceOf, looksOf, neededRuns } from '../../../server/cli/study/sample.ts';
import { summarize, type StudySummary } from '../../../server/cli/study/summary.ts';
import { summaryLines } from '../../../server/cli/study/summary-lines.ts';
import {
  type Design,
  gridDesign,
  morrisDesign,
  randomDesign,
  sobolDesign,
} from '../../../src/study/designs.ts';
import { saltelliDesign } from '../../../src/study/sobol-indices.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-report-'));
after(() => rmSync(folder, { recursive: true }));

/** A study of y = 2 a + b over the unit square: y has the mean 3/2 and the variance 5/12, of which a has 4/5. */
function planned(design: StudyDesign, { count, points }: Design): Manifest {
  return {
    format: 'berth-study-4',
    name: 'plane',
    title: 'A <plane>',
    build: '0.1.0+test',
    scenario: 'ball-on-table',
    set: [],
    until_s: 1,
    end_when: [],
    seed: 3,
    design,
    dispersions: ['a', 'b'],
    quantities: [{ name: 'y', of: 'end', column: 'y', limit: { most: 2.5 } }],
    stop: null,
    file: null,
    runs: Array.from({ length: count }, (_, i) => {
      const values = [points[2 * i], points[2 * i + 1]];
      return { id: `run-${i}`, values, changes: values.map((value, j) => `x.${j}=${value}`) };
    }),
  };
}

function flown(manifest: Manifest, failed: readonly number[] = []): Map<string, StudyResult> {
  return new Map(
    manifest.runs.map(({ id, values }, run) => {
      const isOff = failed.includes(run);
      const y = 2 * Number(values[0]) + Number(values[1]);
      const reason = isOff ? 'the step failed at <1> s' : null;
      const quantities = [isOff ? null : y];
      return [id, { id, build: '0.1.0+test', machine: 'm', reason, hash: '', quantities }];
    }),
  );
}

const random = planned({ kind: 'random', runs: 400 }, randomDesign(400, 2, 3));
const only = ({ quantities }: StudySummary) => quantities[0];

test('a sample of independent runs: its mean, its share, its limits of tolerance hold the closed form', () => {
  const summary = summarize(random, flown(random));
  const { mean, within, tolerance, quantiles, range } = only(summary);
  assert.equal(summary.sample, 400);
  assert.ok(mean !== null && mean.low < 1.5 && mean.high > 1.5);
  // P(2 a + b > 5/2) is the triangle of 1/2 · 1/2 · 1/4
  assert.ok(within !== null && within.low < 1 - 1 / 16 && within.high > 1 - 1 / 16);
  assert.ok(quantiles[1].low < 1.5 && quantiles[1].high > 1.5);
  // the quantiles of 5 % and 95 % are 3/2 ∓ (3/2 − √(0.2)): the corner of the square has the area y²/4
  const corner = Math.sqrt(0.2);
  assert.ok(tolerance !== null && tolerance.high >= 3 - corner && tolerance.low <= corner);
  assert.ok(range !== null && range.low >= 0 && range.high <= 3);
  const lines = summaryLines(random, summary).join('\n');
  assert.match(lines, /95 % of all cases stay below 2[.]\d+ \(Wilks\)/);
  assert.match(lines, /rank correlation of a: 0[.]8\d+ /);
});

test('a run without a value counts as outside of the limit, and takes the limits of tolerance away', () => {
  const { mean, within, tolerance, values } = only(summarize(random, flown(random, [0, 5])));
  const whole = only(summarize(random, flown(random)));
  assert.equal(values.filter((value) => value === null).length, 2);
  assert.ok((within?.value ?? 1) < (whole.within?.value ?? 0));
  assert.notEqual(mean, null);
  assert.equal(tolerance, null);
});

test('pairs of Saltelli: shares of the variance, and means of the samples only', () => {
  const design = { kind: 'saltelli', pairs: 256 } as const;
  const manifest = planned(design, saltelliDesign(sobolDesign(256, 4, 3)));
  const summary = summarize(manifest, flown(manifest, [7]));
  assert.equal(summary.sample, 512);
  const { influences, tolerance } = only(summary);
  assert.equal(tolerance, null);
  assert.deepEqual(
    influences.map(({ measure }) => measure),
    ['total', 'first'],
  );
  // 255 pairs are left; a share of random pairs would have a deviation of some 1/16
  for (const { figures } of influences) {
    for (const [j, share] of [0.8, 0.2].entries()) {
      assert.ok(Math.abs((figures[j]?.value ?? 0) - share) < 0.06, `${figures[j]?.value}`);
      assert.ok((figures[j]?.low ?? 1) <= share && (figures[j]?.high ?? 0) >= share);
    }
  }
});

test('trajectories of Morris and grids are no sample: effects, least and most only', () => {
  const design = { kind: 'morris', trajectories: 6, levels: 4 } as const;
  const morris = planned(design, morrisDesign(6, 2, 4, 3));
  const { mean, quantiles, within, influences } = only(summarize(morris, flown(morris, [1])));
  assert.deepEqual([mean, quantiles, within], [null, [], null]);
  assert.deepEqual(
    influences[0].figures.map((figure) => Number(figure?.value.toFixed(12))),
    [2, 1],
  );
  const grid = planned({ kind: 'grid' }, gridDesign([3, 3]));
  const all = only(summarize(grid, flown(grid)));
  assert.equal(all.mean, null);
  assert.deepEqual(all.range, { low: 0, high: 3 });
  assert.equal(only(summarize(grid, new Map())).range, null);
});

test('a study has enough at the first look whose interval is narrow, whatever was done besides', () => {
  const when = [{ quantity: 'y', of: 'mean', half_width: 0.15 }] as const;
  const stop = { least_runs: 25, when: [...when] };
  const early: Manifest = { ...random, stop };
  assert.deepEqual(looksOf(early), [25, 50, 100, 200, 400]);
  // five looks share the 5 %: with 1 % left over the half is 2.6 √(5/12 / n), below 0.15 from 126 on
  assert.ok(Math.abs(confidenceOf(early) - 0.99) < 1e-12);
  const all = flown(random);
  assert.equal(neededRuns(early, all), 200);
  const first = new Map([...all].slice(0, 200));
  assert.equal(neededRuns(early, first), 200);
  const { sample, quantities } = summarize(early, all);
  assert.equal(sample, 200);
  assert.ok(((quantities[0].mean?.high ?? 9) - (quantities[0].mean?.low ?? 0)) / 2 <= 0.15);
  // one that is missing among them: no look is complete
  first.delete('run-3');
  assert.equal(neededRuns(early, first), 400);
  const narrow = { ...stop, when: [{ ...when[0], half_width: 1e-6 }] };
  assert.equal(neededRuns({ ...early, stop: narrow }, all), 400);
});

test('intervals at the look where a study ends hold the mean with 95 % at least', () => {
  const studies = 300;
  let hits = 0;
  const ends = new Set<number>();
  for (let seed = 1; seed <= studies; seed++) {
    const manifest: Manifest = {
      ...planned({ kind: 'random', runs: 64 }, randomDesign(64, 2, seed)),
      stop: { least_runs: 8, when: [{ quantity: 'y', of: 'mean', half_width: 0.5 }] },
    };
    const results = flown(manifest);
    const needed = neededRuns(manifest, results);
    ends.add(needed);
    const { mean } = only(summarize(manifest, results));
    if (mean !== null && mean.low <= 1.5 && mean.high >= 1.5) hits++;
  }
  assert.ok(ends.size > 1, [...ends].join());
  // three deviations of the count are 3.8 %
  assert.ok(hits / studies > 0.95 - 0.038, `${hits} of ${studies}`);
});

test('the report is one file that asks for nothing, with everything escaped, and the same again', () => {
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(random));
  const results = flown(random, [4]);
  const page = (): string =>
    readFileSync(writeReport(folder, random, results, summarize(random, results)), 'utf8');
  const html = page();
  assert.equal(page(), html);
  assert.ok(!/<script|https?:|\bsrc=|\bstyle=|@import|url\(/.test(html));
  const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(html.includes(`style-src 'sha256-${hash}'`));
  assert.ok(html.includes('A &lt;plane&gt;') && html.includes('failed at &lt;1&gt; s'));
  assert.equal(html.match(/<svg class="plot"/g)?.length, 6);
  assert.ok((html.match(/<rect class="tile kept"/g) ?? []).length >= 4);
  assert.match(html, /<title>100 % of \d+ runs, \d+–100 %<\/title>/);
  assert.match(html, /y ≤ 2[.]5: in 9\d([.]\d)? % of the runs/);
  assert.match(html, /npx berth simulate ball-on-table --until 1s --set x[.]0=0[.]\d+ --set/);
  assert.ok(!html.includes('NaN'));
});
