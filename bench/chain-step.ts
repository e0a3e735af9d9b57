/** Time of one step of a double pendulum: in flight, and resting on a floor, by the implicit step and by Runge–Kutta. */
import { makeSystem } from '../src/index.ts';
import { doublePendulumModel, PENDULUM_FRICTION } from '../server/validation/double-pendulum.ts';

const STEPS = 50_000;
const make = (integrator: 'implicit-contact' | 'rk4', floorDepth: number) =>
  makeSystem(
    doublePendulumModel({
      rods: [
        { length: 0.5, mass: 5, angle: 0, rate: 0 },
        { length: 0.25, mass: 2, angle: -1.1, rate: 0 },
      ],
      floorDepth,
      gravity: 9.81,
      normalLaw: {
        kind: 'hysteretic',
        stiffness: 1e6,
        exponent: 1.5,
        restitution: 0.9,
        smallVelocity: 1e-3,
        relaxationTime: 0,
      },
      friction: PENDULUM_FRICTION,
      step: 1e-3,
      parts: { integrator },
    }),
  );
const resting = 0.5 + 0.25 * Math.cos(1.1);
const cases = [
  ['in flight, implicit', make('implicit-contact', 2), 1e-3],
  ['on the floor, implicit', make('implicit-contact', resting), 1e-3],
  ['in flight, Runge–Kutta', make('rk4', 2), 1e-3],
  ['on the floor, Runge–Kutta', make('rk4', resting), 1e-5],
] as const;

const best = cases.map(() => Number.POSITIVE_INFINITY);
let failed = 0;
for (let round = 0; round < 5; round++) {
  cases.forEach(([, run, h], index) => {
    const start = process.hrtime.bigint();
    for (let n = 0; n < STEPS; n++) failed += run.step(h);
    best[index] = Math.min(best[index], Number(process.hrtime.bigint() - start) / STEPS);
  });
}
cases.forEach(([name], index) =>
  console.log(`${name}: ${(best[index] / 1000).toFixed(2)} us a step`),
);
if (failed !== 0) throw new Error('a step was not finite');
