/** Published numbers by one study each: peaks under accommodation, and the energy lost in 90 impacts of a double pendulum. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../../config/paths.ts';
import { loadStudy } from '../../../config/study.ts';
import { makeManifest, type PlannedRun } from '../../../server/cli/study/manifest.ts';
import { runPoint } from '../../../server/cli/study/run-point.ts';
import { LOSSES } from '../../../server/validation/cases/one-impact.ts';
import { referenceRows } from '../../../server/validation/reference-data.ts';

interface Flown extends Pick<PlannedRun, 'values'> {
  readonly quantities: readonly number[];
}

/** Runs of an example in the order of its plan. */
function flown(name: string): Flown[] {
  const manifest = makeManifest(loadStudy(join(packageRoot(), 'examples/studies', name)));
  return manifest.runs.map(({ changes, values }) => {
    const { reason, quantities } = runPoint(manifest, changes);
    assert.equal(reason, null);
    return { values, quantities: quantities.map(Number) };
  });
}

test('peaks of 31.6, 50.4 and 86.4 N for arms that are 5, 20 and 79.6 ms late', () => {
  const rows = referenceRows('gonthier-accommodation', 'peaks', [
    'lag',
    'peak',
    'delayedPeak',
    'settled',
  ]);
  const runs = flown('accommodation-peaks.yaml');
  assert.equal(runs.length, rows.length);
  for (const [i, { lag, peak }] of rows.entries()) {
    const { values, quantities } = runs[i];
    assert.equal(values[0], lag);
    assert.ok(Math.abs(quantities[0] - peak) < 0.03 * peak, `${lag} s: ${quantities[0]} N`);
    assert.ok(Math.abs(quantities[1] - 30) < 0.5, `${lag} s: ${quantities[1]} N at the end`);
  }
});

test('the 90 losses of one impact, within 0.05 points', () => {
  const runs = flown('one-impact.yaml');
  assert.equal(runs.length, 90);
  const [g, m, l, degree] = [9.81, 2, 1, Math.PI / 180];
  const expected = LOSSES.flatMap(({ angles: [first, second], rows }) => {
    const both = (first + second) * degree;
    const upper = first * degree;
    // rods whose joints turn at −1 rad/s: the lower turns at −2, about a joint that moves at l
    const inertia = (m * l * l) / 12;
    const lower = l * l * (1 + 1 + 2 * Math.cos(second * degree)); // of (l, ω 1) and (l/2, ω 2), squared
    const kinetic = 0.5 * ((inertia + (m * l * l) / 4) * 1 + inertia * 4 + m * lower);
    const potential = -m * g * l * (1.5 * Math.cos(upper) + 0.5 * Math.cos(both));
    return rows.flatMap(([, losses]) => losses.map((loss) => ({ kinetic, potential, loss })));
  });
  for (const [i, { kinetic, potential, loss }] of expected.entries()) {
    const { values, quantities } = runs[i];
    // of the one that never leaves the floor at the end of its compression, as in the source
    const [t, v] = quantities.slice(values[1] !== 0.01 ? 0 : values[0] === 'a' ? 2 : 4);
    const found = (100 * (kinetic + potential - t - v)) / kinetic;
    assert.ok(Math.abs(found - loss) < 0.05, `${values.join(', ')}: ${found} and ${loss}`);
  }
});
