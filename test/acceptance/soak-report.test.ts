/** Figures of a soak run against closed forms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeSlope } from './soak-judgement.ts';
import { DurationBins, fitSlope, replaceSection } from './soak-report.ts';
import { Random } from '../../src/math/random.ts';

test('a line with noise: the slope lies within its standard error as often as it should', () => {
  const random = new Random(1);
  const x = Array.from({ length: 200 }, (_, i) => i / 10);
  let within = 0;
  const runs = 400;
  let predicted = 0;
  for (let run = 0; run < runs; run++) {
    const y = x.map((at) => 300 + 0.7 * at + 2 * random.gaussian());
    const { slope, error } = fitSlope(x, y);
    predicted += error / runs;
    if (Math.abs(slope - 0.7) < error) within++;
  }
  // sigma / sqrt(sum of squared distances from the middle) = 2 / sqrt(200 (200² − 1) / 12 / 100); 400 runs: 5 %
  const exact = 2 / Math.sqrt((200 * (200 ** 2 - 1)) / 12 / 100);
  assert.ok(Math.abs(predicted / exact - 1) < 0.05, `${predicted} for ${exact}`);
  // 68.3 %, with a standard deviation of 2.3 % over 400 runs
  assert.ok(Math.abs(within / runs - 0.683) < 0.08, `${within} of ${runs}`);
});

test('a straight line has its slope and no error; two points have no error to tell', () => {
  const x = [0, 1, 2, 3];
  const fit = fitSlope(
    x,
    x.map((at) => 5 - 3 * at),
  );
  assert.ok(Math.abs(fit.slope + 3) < 1e-14 && fit.error < 1e-14, JSON.stringify(fit));
  assert.ok(Number.isNaN(fitSlope([0, 1], [0, 1]).error), 'two points');
});

test('memory is kept when two standard errors above the line are below 1 MB/h, not kept when two below are not; a long run decides', () => {
  for (const hours of [1, 8]) {
    assert.equal(judgeSlope(0.5, 0.2, hours), true);
    assert.equal(judgeSlope(1.5, 0.2, hours), false);
    assert.equal(judgeSlope(1.5, 0.25, hours), false, 'its lower end is the limit');
  }
  for (const [slope, error] of [
    [0.7, 0.2],
    [1.3, 0.2],
    [0, NaN],
  ]) {
    assert.equal(judgeSlope(slope, error, 3.9), null);
    assert.equal(judgeSlope(slope, error, 4), false);
  }
});

test('quantiles of durations are right within half a per cent, whatever their size', () => {
  const random = new Random(2);
  const bins = new DurationBins();
  const all = Array.from({ length: 20_000 }, () => 1e-6 * Math.exp(3 * random.gaussian()));
  for (const one of all) bins.add(one);
  all.sort((a, b) => a - b);
  for (const q of [0.01, 0.5, 0.99, 0.999]) {
    const exact = all[Math.ceil(q * all.length) - 1];
    if (exact < 1e-7) continue;
    assert.ok(Math.abs(bins.quantile(q) / exact - 1) < 0.0051, `${q}: ${bins.quantile(q)}`);
  }
  assert.equal(bins.most_s, all.at(-1));
  assert.ok(Number.isNaN(new DurationBins().quantile(0.5)), 'no samples');
});

test('a section of a page is replaced, the rest stays; a page without it gets it at its end', () => {
  const first = replaceSection('# Soak\n\nwords\n', 'soak', 'one');
  assert.equal(first, '# Soak\n\nwords\n\n<!-- soak -->\n\none\n\n<!-- /soak -->\n');
  const more = `${first}\n## Kills\n`;
  assert.equal(
    replaceSection(more, 'soak', 'two $1'),
    more.replace('one', () => 'two $1'),
  );
  assert.equal(replaceSection('', 'soak', 'x'), '<!-- soak -->\n\nx\n\n<!-- /soak -->\n');
});
