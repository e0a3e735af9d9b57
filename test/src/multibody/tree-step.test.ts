/** The step of a tree: no mode makes it unstable, linear motion is the implicit mid-point rule to rounding, rates of energy loss. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, beam, drive, link, makeTree, spaceArm, tree } from '../../fixtures/tree-models.ts';

const AXES = [
  [0, 0, 1],
  [0, 1, 0],
  [1, 0, 0],
] as const;

function near(got: number, want: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want} ± ${tolerance}`);
}

test('modes of 3.5 to 2500 rad/s in steps of 0.1 s: the implicit mid-point rule, energy to rounding', () => {
  const run = makeTree(
    tree([
      link('beam', -1, {
        center: [0.5, 0, 0],
        inertia: [0, 0, 0, 0, 0, 0],
        beam: beam({ modes: [6, 0], deflection: [0.01, 0.01, 0.01, 0.01, 0.01, 0.01] }),
      }),
    ]),
  );
  const energy = new Float64Array(3);
  run.computeEnergy(energy);
  const start = energy[1];
  const stiffness = new Float64Array(36);
  run.computeElasticMatrix(Float64Array.of(1, 0), stiffness);
  const [tau, timing] = [new Float64Array(6), Float64Array.of(0.1)];
  run.step(tau, timing);
  for (let k = 0; k < 6; k++) {
    // x' = (1 − a)/(1 + a) x with a = (ω h/2)²
    const a = 0.25 * 0.01 * stiffness[7 * k];
    near(run.q[k], (0.01 * (1 - a)) / (1 + a), 1e-16, `mode ${k}`);
  }
  for (let step = 0; step < 2000; step++) run.step(tau, timing);
  run.computeEnergy(energy);
  // 2000 steps, each with rounding of a few ulp of the energy
  near(energy[0] + energy[1], start, 1e-12 * start, 'energy');
});

test('damped modes die out at the rate of critical damping that they were given', () => {
  const damping = 0.02;
  const run = makeTree(
    tree([
      link('beam', -1, {
        center: [0.5, 0, 0],
        inertia: [0, 0, 0, 0, 0, 0],
        beam: beam({ modes: [1, 0], damping, deflection: [0.01] }),
      }),
    ]),
  );
  const omega = 3.516015;
  const timing = Float64Array.of(1e-3);
  const tau = new Float64Array(1);
  const energy = new Float64Array(3);
  run.computeEnergy(energy);
  const start = energy[0] + energy[1];
  const periods = Math.round(((10 * 2 * Math.PI) / (omega * Math.sqrt(1 - damping ** 2))) * 1000);
  for (let step = 0; step < periods; step++) run.step(tau, timing);
  run.computeEnergy(energy);
  // e^{−2 ζ ω t}; the phase at whole periods is that of the start, but for half a step and ten times (ω h)²/12 of a period
  const left = start * Math.exp(-2 * damping * omega * periods * 1e-3);
  near((energy[0] + energy[1]) / left, 1, 1e-3, 'energy left');
});

test('a gear a million times stiffer than the step can follow does not disturb the joint', () => {
  // rotor and link move as one: 3 rad/s² under 9 N m on 3 kg m²
  const arm = link('arm', -1, {
    joint: about([0, 0, 1], 0, 0, drive(1, 1e12)),
    inertia: [0, 0, 2, 0, 0, 0],
  });
  const run = makeTree(tree([arm]));
  const timing = Float64Array.of(1e-3);
  for (let step = 0; step < 1000; step++) run.step(Float64Array.of(0, 9), timing);
  near(run.u[0], 3, 1e-6, 'rate after a second'); // gear torque in rounding of 1e12 N m/rad times 1e-16 rad
  near(run.q[0], 1.5, 1e-6, 'angle after a second');
});

test('an arm with flexible links and gears in free motion: steps of 1 ms only take energy, and little', () => {
  const run = makeTree(spaceArm(2));
  for (let k = 0; k < 7; k++) run.u[k] = run.u[15 + k] = 0.1 * (k % 2 === 0 ? 1 : -1);
  run.refresh();
  const [tau, timing, energy] = [
    new Float64Array(run.n),
    Float64Array.of(1e-3),
    new Float64Array(3),
  ];
  run.computeEnergy(energy);
  const start = energy[0] + energy[1];
  let last = start;
  for (let step = 0; step < 5000; step++) {
    run.step(tau, timing);
    run.computeEnergy(energy);
    const now = energy[0] + energy[1];
    // gears and beams are damped; the step itself may give back no more than its error of third order
    assert.ok(now <= last + 1e-7 * start, `step ${step}: ${last} to ${now} J`);
    last = now;
  }
  assert.ok(last > 0.05 * start && last < start, `${start} to ${last} J`);
});

test('the same arm without damping: energy drifts by less than 1e-7 of itself in 10 s at 1 ms', () => {
  const damped = spaceArm(2);
  const links = damped.links.map((part, i) => ({
    ...part,
    joint: about(AXES[i % 3], 0.3, 0.1 * (i % 2 === 0 ? 1 : -1), drive(50, 1e5)),
    ...(part.beam === undefined ? {} : { beam: { ...part.beam, damping: 0 } }),
  }));
  const run = makeTree({ ...damped, links });
  const [tau, timing, energy] = [
    new Float64Array(run.n),
    Float64Array.of(1e-3),
    new Float64Array(3),
  ];
  run.computeEnergy(energy);
  const start = energy[0] + energy[1];
  for (let step = 0; step < 10000; step++) run.step(tau, timing);
  run.computeEnergy(energy);
  near((energy[0] + energy[1]) / start, 1, 1e-7, 'energy left'); // 7.2e-8, a quarter of it at half the step
});
