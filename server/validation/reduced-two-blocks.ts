/**
 * The two blocks by the method of elastic faces in the loop: rigid bodies, nine points without mass on the statics of both, and the lowest modes of each
 * with their mass. Modes above 1/(2 h) are statics.
 */
import type { PatchFriction } from '../../src/contact/elastic/patch-problem.ts';
import { assembleFem, type FemModel } from '../../src/fem/assembly.ts';
import { NodalBasis } from '../../src/fem/elastic-basis.ts';
import { type Component, freeCompliance } from '../../src/fem/free-compliance.ts';
import { lowestModes } from '../../src/fem/modes.ts';
import {
  BLOCK_END,
  BLOCK_GAP,
  blockMeshes,
  blockModel,
  LOWER_DENSITY,
  touchingEdges,
  UPPER_DENSITY,
} from './fem-two-blocks.ts';
import { MasslessPoints, onFace, type PlaneFace } from './massless-points.ts';

/** Rates: centre and turn of either block. */
const SIZE = 6;
/** Motions of a free block as a whole. */
const RIGID = 3;

/** How the blocks meet. */
export interface ReducedBlockRun {
  readonly step: number;
  readonly friction: PatchFriction;
  /** Velocity along the contact, m/s; that against it is 0.1 m/s. */
  readonly tangential: number;
  /** Elastic modes of the lower and of the upper block that may move. */
  readonly modes: readonly [number, number];
}

/** What came of it; y is the normal. */
export interface ReducedBlockResult {
  /** Impulse on the upper block, N s. */
  readonly impulse: readonly [number, number];
  readonly duration: number;
  readonly peak: number;
  /** Velocity of the lower block's centre afterwards, m/s. */
  readonly velocity: readonly [number, number];
  readonly energyChange: number;
  readonly unsettled: number;
  readonly time: number[];
  readonly force: number[];
}

/** Elastic modes of a free block at some components. */
function modesAt(
  model: FemModel,
  components: readonly Component[],
  count: number,
  sign: number,
): NonNullable<PlaneFace['modes']> {
  if (count === 0) return [];
  const { stiffness, mass, freedom } = assembleFem({ ...model, held: [] });
  const { frequencies, shapes } = lowestModes(stiffness, mass, RIGID + count);
  return shapes.slice(RIGID).map((shape, k) => ({
    frequency: frequencies[RIGID + k],
    shape: components.map((component) =>
      component.reduce(
        (sum, { node, axis, share }) => sum + sign * share * shape[freedom[2 * node + axis]],
        0,
      ),
    ),
  }));
}

/** Three components that just hold a block. */
function supported({ model, nodes }: { model: FemModel; nodes: readonly number[] }): FemModel {
  const [first, last] = [nodes[0], nodes[nodes.length - 1]];
  return {
    ...model,
    held: [
      { node: first, axis: 0 },
      { node: first, axis: 1 },
      { node: last, axis: 1 },
    ],
  };
}

/** Lets the blocks meet. */
export function runReducedBlocks(run: ReducedBlockRun): ReducedBlockResult {
  const { step, friction, tangential, modes } = run;
  const meshes = blockMeshes();
  const edges = touchingEdges();
  const bodies = [
    { model: blockModel(meshes.lower, LOWER_DENSITY), nodes: edges.lower },
    { model: blockModel(meshes.upper, UPPER_DENSITY), nodes: edges.upper },
  ] as const;
  const { coordinates } = meshes.lower;
  const own: Component[] = edges.lower.flatMap((node) =>
    [0, 1].map((axis) => [{ node, axis, share: 1 }]),
  );
  const others: Component[] = edges.lower.flatMap((node) =>
    [0, 1].map((axis) =>
      onFace(meshes.upper.coordinates, edges.upper, coordinates[2 * node], axis),
    ),
  );
  const parts = [
    freeCompliance(supported(bodies[0]), own),
    freeCompliance(supported(bodies[1]), others),
  ];
  const face: PlaneFace = {
    points: edges.lower.map((node) => [coordinates[2 * node], coordinates[2 * node + 1]]),
    compliance: parts[0].map((value, e) => value + parts[1][e]),
    modes: [
      ...modesAt(bodies[0].model, own, modes[0], 1),
      ...modesAt(bodies[1].model, others, modes[1], -1),
    ],
  };
  const mass = new Float64Array(SIZE * SIZE);
  // rows of the origins, which lie in the contact, about the centres
  const rows = Array.from({ length: 3 }, () => new Float64Array(SIZE));
  const masses = bodies.map(({ model }, b) => {
    const { totalMass, firstMoment, polarMoment } = new NodalBasis(assembleFem(model));
    const [x, y] = [firstMoment[0] / totalMass, firstMoment[1] / totalMass];
    const at = 3 * b;
    const sign = b === 0 ? 1 : -1;
    mass[(SIZE + 1) * at] = mass[(SIZE + 1) * (at + 1)] = totalMass;
    mass[(SIZE + 1) * (at + 2)] = polarMoment[0] - totalMass * (x * x + y * y);
    rows[0][at] = sign;
    rows[0][at + 2] = sign * y;
    rows[1][at + 1] = -sign;
    rows[1][at + 2] = sign * x;
    rows[2][at + 2] = sign;
    return totalMass;
  });
  const rates = new Float64Array(SIZE);
  rates.set([tangential, 0.1]);
  const bias = new Float64Array(SIZE);
  // a step of flight first: the first step of a patch has no shear
  const gap = BLOCK_GAP + rates[1] * step;
  const system = new MasslessPoints(face, friction, step, mass, bias, rows, rates, gap);
  const initial = system.energyNow();
  const time: number[] = [];
  const force: number[] = [];
  let [first, last, unsettled] = [0, 0, 0];
  for (let s = 1; s * step <= BLOCK_END + step / 2; s++) {
    system.step();
    unsettled += system.patch.problem.readout[2];
    time.push(1e3 * s * step);
    force.push(system.forces[1]);
    if (system.active === 0) continue;
    if (first === 0) first = s;
    last = s;
  }
  return {
    impulse: [masses[1] * rates[3], masses[1] * rates[4]],
    duration: (last - first + 1) * step,
    peak: Math.max(...force),
    velocity: [rates[0], rates[1]],
    energyChange: system.energyNow() / initial - 1,
    unsettled,
    time,
    force,
  };
}
