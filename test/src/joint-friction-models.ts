/** Joint friction and the orbiting world on a floating arm, as the allocation test runs them. */
import { JointFriction } from '../../src/multibody/tree/joint-friction.ts';
import { OrbitField } from '../../src/multibody/tree/orbit-field.ts';
import { Tree } from '../../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';
import type { TreeLinkModel, TreeModel } from '../../src/multibody/tree/tree-model.ts';

const JOINTS = 5;
const upright = [0, 0, 0, 1] as const;

function link(i: number): TreeLinkModel {
  return {
    name: `link-${i}`,
    parent: i - 1,
    position: i === 0 ? [0, 0, 0] : [1, 0, 0],
    orientation: upright,
    joint:
      i === 0
        ? {
            kind: 'free',
            position: [0, 0, 0],
            orientation: upright,
            velocity: [0, 0, 0],
            angularVelocity: [0, 0, 0],
          }
        : { kind: 'revolute', axis: i % 2 === 0 ? [0, 1, 0] : [0, 0, 1], position: 0.3, rate: 0 },
    mass: 10,
    center: [0.5, 0, 0],
    inertia: [0.1, 0.9, 0.9, 0, 0, 0],
  };
}

/** Steps that slip and stick, with the field on every link; `sum` gathers energies. */
export function rubbingArm(): { steps(n: number): void; readonly sum: Float64Array } {
  const model: TreeModel = {
    name: 'arm',
    position: [0, 0, 0],
    orientation: upright,
    links: Array.from({ length: JOINTS + 1 }, (_, i) => link(i)),
    frames: [],
  };
  const { positions, rates } = treeFreedoms(model);
  const tree = new Tree(model, new Float64Array(positions + rates));
  const orbit = { rate: 1e-3, radial: [0, 0, 1], normal: [0, 1, 0] } as const;
  const field = new OrbitField(orbit, model, tree.links);
  const law = {
    stiction: 25,
    coulomb: 20,
    bristleStiffness: 2e5,
    bristleDamping: 5000,
    viscous: 1,
    stribeckSpeed: 2e-3,
    dwellTime: 0.1,
  };
  const friction = new JointFriction(
    Array.from({ length: JOINTS }, () => law),
    new Float64Array(2 * JOINTS),
  );
  const timing = Float64Array.of(1e-3);
  const mobility = Float64Array.from({ length: JOINTS ** 2 }, (_, i) =>
    i % (JOINTS + 1) === 0 ? 0.1 : 0.05,
  );
  const before = new Float64Array(JOINTS);
  const u = new Float64Array(JOINTS);
  const sum = new Float64Array(1);
  let count = 0;
  return {
    sum,
    steps(n: number): void {
      for (let k = 0; k < n; k++) {
        count = (count + 1) % 4000;
        for (let j = 0; j < JOINTS; j++) {
          before[j] = u[j];
          u[j] += 4e-3 * Math.sin(2e-3 * count * (j + 1));
        }
        friction.solve(before, u, mobility, timing);
        friction.advance(timing);
        friction.addStoredEnergy(sum);
        tree.clearWrenches();
        field.addWrenches();
        field.addPotentialEnergy(sum);
      }
    },
  };
}
