/** Subset simulation: levels, events that are not rare, none at all, and what cannot be used. Spread over seeds: subset-simulation.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from '../../../src/study/normal.ts';
import { type RareEvent, SubsetSimulation } from '../../../src/study/subset-simulation.ts';

/** Runs to the end with a response of the first two normal scores. */
function simulate(
  response: (x: number, y: number) => number,
  levels = 8,
  seed = 11,
  count = 1000,
): { event: RareEvent; runs: number } {
  const simulation = new SubsetSimulation({ count, dimensions: 2, levels, seed }, 0.95);
  let runs = 0;
  for (let event = simulation.event; event === null; event = simulation.event) {
    const { pending } = simulation;
    runs += pending.length / 2;
    simulation.take(
      Float64Array.from({ length: pending.length / 2 }, (_, i) =>
        response(normalQuantile(pending[2 * i]), normalQuantile(pending[2 * i + 1])),
      ),
    );
    assert.ok(runs <= count * levels);
  }
  return { event: simulation.event as RareEvent, runs };
}

test('a probability of 1e-3 takes three levels of a tenth each, and a seed gives the same one', () => {
  const beta = -normalQuantile(1e-3);
  const { event, runs } = simulate((x, y) => (x + y) / Math.SQRT2 - beta);
  assert.ok(event.low < 1e-3 && event.high > 1e-3, `${event.low} to ${event.high}`);
  assert.ok(event.levels.length === 3 || event.levels.length === 4);
  assert.equal(runs, 1000 + 900 * (event.levels.length - 1));
  // a chain that stays has equal responses: a few more may reach the threshold
  for (const { share } of event.levels.slice(0, -1)) assert.ok(share >= 0.1 && share < 0.12);
  const thresholds = event.levels.map(({ threshold }) => threshold);
  assert.equal(thresholds[0], -Infinity);
  // Φ⁻¹(0.9) − β, and Φ⁻¹(0.99) − β: within four standard deviations of an order statistic and of a level
  assert.ok(Math.abs(thresholds[1] + beta + normalQuantile(0.1)) < 0.22, `${thresholds[1]}`);
  assert.deepEqual(simulate((x, y) => (x + y) / Math.SQRT2 - beta).event, event);
});

test('what is not rare is a rate of independent points', () => {
  const { event, runs } = simulate((x) => x - 0.5);
  assert.equal(runs, 1000);
  assert.equal(event.levels.length, 1);
  // Φ(−1/2)
  assert.ok(event.low < 0.30854 && event.high > 0.30854);
});

test('an event that never comes has a probability below an end; equal responses end it', () => {
  const none = simulate((x, y) => Math.min(x + y - 9, -1), 3);
  assert.equal(none.event.value, 0);
  assert.equal(none.event.variation, Infinity);
  assert.ok(none.event.high > 0 && none.event.high < 1e-4, `${none.event.high}`);
  const flat = simulate(() => -1);
  assert.equal(flat.runs, 1900, 'a second level that comes no nearer is the last');
  assert.equal(flat.event.value, 0);
});

test('responses in steps, and infinite ones of runs without a value, count like others', () => {
  const beta = -normalQuantile(1e-3);
  const steps = simulate((x) => {
    const g = x - beta;
    return g > 0 ? Infinity : Math.ceil(4 * g) / 4 - 1e-9;
  });
  assert.ok(steps.event.low < 1e-3 && steps.event.high > 1e-3, `${steps.event.value}`);
});

test('levels of no whole tenth, and responses of other points, are refused', () => {
  const options = { count: 1000, dimensions: 2, levels: 8, seed: 1 };
  assert.throws(() => new SubsetSimulation({ ...options, count: 105 }, 0.95), /runs/);
  assert.throws(() => new SubsetSimulation({ ...options, levels: 0 }, 0.95), /levels/);
  assert.throws(() => new SubsetSimulation(options, 0.95).take(new Float64Array(7)), /responses/);
});
