/**
 * The double pendulum of the contact cases of the source as a tree: its mechanics, and its fall on a floor with contact forces written
 * out here. `Gonthier 2007, 5.1.3`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  doublePendulumModel,
  PENDULUM_FRICTION,
} from '../../../server/validation/double-pendulum.ts';
import { dampingForRestitution } from '../../../src/contact/normal/damping-factor.ts';
import { OdeSolver, Random } from '../../../src/index.ts';
import type { TreeModel } from '../../../src/model/tree-model.ts';
import { chain, randomChain, rod, StandaloneChain } from '../../fixtures/chains.ts';
import { type Chain, chainAsTree, withCrosses } from '../../fixtures/chain-as-tree.ts';
import { largest, standaloneTree } from '../../fixtures/tree-samples.ts';

const DEGREE = Math.PI / 180;
const [STIFFNESS, RESTITUTION, SMALL_SPEED] = [1e6, 0.9, 1e-3];

/** The pendulum with a frame at the tip. */
function pendulum(tree: TreeModel, length: number): TreeModel {
  const frames = [
    { name: 'tip', link: 1, position: [0, 0, -length], orientation: [0, 0, 0, 1] },
  ] as const;
  return { ...tree, frames };
}

function near(got: number, want: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want} ± ${tolerance}`);
}

test('weights as wrenches and universal joints as they are, or gravity and two links: mass matrix and accelerations to 1e-10', () => {
  const random = new Random(51);
  for (let n = 0; n < 100; n++) {
    const model: Chain =
      n % 2 === 0
        ? randomChain(random)
        : chain([
            rod('a', 0.5, 5, 6 * random.uniform(), 4 * random.uniform()),
            rod('b', 0.25, 2, 6 * random.uniform(), 4 * random.uniform(), -0.25),
          ]);
    const mover = new StandaloneChain(model);
    mover.parts.forEach((link, i) => (link.wrench[2] = -9.81 * model.links[i].mass));
    mover.computeDerivative();
    const tree = standaloneTree(withCrosses(chainAsTree(model)));
    tree.gravity[2] = -9.81;
    const m = new Float64Array(tree.n ** 2);
    tree.computeMassMatrix(m);
    const acc = new Float64Array(tree.n);
    tree.forwardDynamics(new Float64Array(tree.n), acc);
    const inertia = largest(m);
    const { massMatrix } = mover;
    m.forEach((x, i) => near(x, massMatrix[i], 1e-10 * inertia, `M ${i}`));
    const size = largest(mover.acceleration);
    acc.forEach((x, i) => near(x, mover.acceleration[i], 1e-10 * size, `acceleration ${i}`));
  }
});

test('inverse contact masses and energy of the benchmark pendulum: six digits of an independent computation', () => {
  for (const [first, second, normal, coupling, tangential, kinetic] of [
    [18, 12, 0.52139, 0.75971, 1.20794, 4.62296],
    [0, 20.7, 0.36909, 0.61048, 1.38474, 4.53755],
  ] as const) {
    const links = [rod('a', 1, 2, first * DEGREE, -1), rod('b', 1, 2, second * DEGREE, -1, -0.5)];
    const tree = standaloneTree(pendulum(chainAsTree(chain(links)), 1));
    const mobility = new Float64Array(36);
    tree.frameMobility(0, mobility);
    near(mobility[14], normal, 1e-5, 'normal');
    near(mobility[0], tangential, 1e-5, 'tangential');
    near(Math.abs(mobility[2]), coupling, 1e-5, 'coupling');
    const energy = new Float64Array(3);
    tree.computeEnergy(energy);
    near(energy[0], kinetic, 1e-5, 'kinetic energy');
  }
});

test('the fall on a floor ends as an independent run does: onsets, energies, rest angles', () => {
  const model = doublePendulumModel({
    rods: [
      { length: 0.5, mass: 5, angle: 45 * DEGREE, rate: -120 * DEGREE },
      { length: 0.25, mass: 2, angle: 0, rate: 130 * DEGREE },
    ],
    floorDepth: 0.61,
    gravity: 9.81,
    normalLaw: {
      kind: 'hysteretic',
      stiffness: STIFFNESS,
      exponent: 1.5,
      restitution: RESTITUTION,
      smallVelocity: SMALL_SPEED,
      relaxationTime: 0,
    },
    friction: PENDULUM_FRICTION,
    step: 1e-3,
  });
  const [swing] = model.trees ?? [];
  const tree = standaloneTree(pendulum(swing, 0.25));
  tree.gravity[2] = -9.81;
  const tip = tree.frameState(0);
  const none = new Float64Array(2);
  const push = new Float64Array(6);
  const damping = dampingForRestitution(RESTITUTION);
  const { stiction, coulomb, bristleStiffness: s0, bristleDamping: s1 } = PENDULUM_FRICTION;
  let touching = false;
  let impact = 0;
  const depth = (y: Float64Array): number => {
    tree.state.set([y[0], y[1], y[2], y[3]]);
    tree.refresh();
    return -0.61 - tip[2];
  };
  const onsets: number[] = [];
  // angles, rates, bristle, dwell
  const solver = new OdeSolver(
    6,
    (_, y, rates) => {
      const overlap = depth(y);
      push.fill(0);
      tree.clearWrenches();
      let [bristle, dwell] = [0, 0];
      if (touching) {
        const elastic = overlap > 0 ? STIFFNESS * overlap * Math.sqrt(overlap) : 0;
        push[2] = Math.max(0, elastic * (1 - (damping / impact) * tip[9]));
        const slip = tip[7];
        const s = Math.exp(-((slip / PENDULUM_FRICTION.stribeckVelocity) ** 2));
        const r = Math.abs(slip) / PENDULUM_FRICTION.velocityTolerance;
        const sign =
          r >= 1 ? Math.sign(slip) : (slip / Math.abs(slip || 1)) * r * (1.5 - 0.5 * r * r);
        bristle = s * slip + (1 - s) * ((coulomb / s1) * sign - (s0 / s1) * y[4]);
        const limit = coulomb + (stiction - coulomb) * y[5];
        const held = Math.max(-limit, Math.min(limit, s0 * y[4] + s1 * bristle));
        bristle = (held - s0 * y[4]) / s1;
        push[0] = -push[2] * held;
        const gap = s - y[5];
        dwell = gap / (gap >= 0 ? PENDULUM_FRICTION.dwellTime : s1 / s0);
      }
      tree.addFrameWrench(0, push);
      const motion = new Float64Array(4);
      tree.computeDerivative(none, motion);
      rates.set([...motion, bristle, dwell]);
    },
    {
      method: 'rosenbrock',
      relativeTolerance: 1e-6,
      absoluteTolerance: 1e-9,
      events: {
        count: 1,
        measure(_, y, margins) {
          const overlap = depth(y);
          margins[0] = touching ? overlap : -overlap;
        },
        happen(_, t, y) {
          depth(y);
          touching = !touching;
          y[4] = 0;
          y[5] = 0;
          if (!touching) return;
          impact = Math.max(SMALL_SPEED, Math.abs(tip[9]));
          onsets.push(t);
        },
      },
    },
  );
  solver.reset(0, [...tree.state, 0, 0]);
  const energyOf = (): number => {
    const overlap = Math.max(0, depth(solver.values));
    const energy = new Float64Array(3);
    tree.computeEnergy(energy);
    return energy[0] + energy[2] + 0.4 * STIFFNESS * overlap ** 2.5;
  };
  near(energyOf(), -15.376, 1e-3, 'energy at the start');
  assert.ok(solver.advance(10), 'integrated');
  // tolerances of the case `double-pendulum` of the validation report
  [0.099, 0.2758, 0.4362].forEach((want, i) => near(onsets[i], want, 1e-3, `onset ${i}`));
  assert.equal(onsets.length, 23, 'impacts');
  near(solver.values[0] / DEGREE, -0.35, 0.05, 'first joint at rest');
  near(solver.values[1] / DEGREE, -63.428, 0.05, 'second joint at rest');
  near(largest(solver.values.subarray(2, 4)), 0, 1e-4, 'rates at rest');
  near(energyOf(), -23.154, 1e-3, 'energy at rest');
});
