/** Time of one step with one contact: half-sphere loop, ball rolling on an incline (implicit and explicit). */
import { makeSystem } from '../src/index.ts';
import { halfSphere, incline } from '../test/fixtures/models.ts';

const STEPS = 200_000;
const cases = [
  [
    'half-sphere loop',
    makeSystem(halfSphere(20e-3, { command: [{ time: 0, twist: [0, 0, -2e-3, 0, 0, 0] }] })),
    1e-3,
  ],
  ['rolling ball, implicit', makeSystem(incline('implicit-contact')), 1e-4],
  ['rolling ball, symplectic Euler', makeSystem(incline('symplectic-euler')), 1e-4],
  ['rolling ball, Runge–Kutta', makeSystem(incline('rk4')), 1e-4],
] as const;

const best = cases.map(() => Number.POSITIVE_INFINITY);
let consumed = 0;
for (let round = 0; round < 5; round++) {
  cases.forEach(([, run, h], index) => {
    const start = process.hrtime.bigint();
    for (let n = 0; n < STEPS; n++) consumed += run.step(h);
    const each = Number(process.hrtime.bigint() - start) / STEPS;
    if (each < best[index]) best[index] = each;
  });
}
cases.forEach(([name], index) =>
  console.log(`${name}: ${(best[index] / 1000).toFixed(2)} us a step`),
);
if (consumed !== 0) throw new Error('a step was not finite');
