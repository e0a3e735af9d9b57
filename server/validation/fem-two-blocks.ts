/**
 * Two free blocks in the plane: a crowned one of 0.4 m × 0.2 m and 2.3 kg is thrown from below against one of 1.6 m × 0.6 m and 50 kg.
 * E = 70 MPa, ν = 0.3, thickness 50 mm, plane stress, no damping; gap 1 µm. 32 and 96 QUAD4.
 */
import { assembleFem, type FemModel } from '../../src/fem/assembly.ts';
import { ContactPair } from '../../src/fem/contact-pair.ts';
import { ContactStep } from '../../src/fem/contact-step.ts';
import { NodalBasis } from '../../src/fem/elastic-basis.ts';
import { FloatingBody } from '../../src/fem/floating-body.ts';
import { guyanShapes } from '../../src/fem/reduction.ts';
import { ReducedBasis } from '../../src/fem/reduced-basis.ts';
import type { FemMesh } from '../../src/fem/fem-mesh.ts';
import { gridNode, planeGrid } from '../../src/fem/grid-meshes.ts';

/** How the blocks meet. */
export interface BlockRun {
  readonly step: number;
  readonly project: boolean;
  readonly friction: { readonly static: number; readonly sliding: number };
  /** Velocity along the contact, m/s; that against it is 0.1 m/s. */
  readonly tangential: number;
  /** Guyan: coordinates are the components of the contact edge and of the nodes whose number is a multiple of this. */
  readonly masters?: number;
}

/** What came of it; the mean normal is y. */
export interface BlockResult {
  /** Impulse on the upper block, N s. */
  readonly impulse: readonly [number, number];
  /** From the first to the last step in contact, s. */
  readonly duration: number;
  /** Largest force along y, N. */
  readonly peak: number;
  readonly contacts: number;
  /** Mean velocity of the lower block afterwards, m/s. */
  readonly velocity: readonly [number, number];
  /** Change of the sum of momenta over what the lower block had, and of the energy over that of the start. */
  readonly momentumError: number;
  readonly energyChange: number;
  /** E* after the first touch over that at the end, less 1. */
  readonly monitorChange: number;
  /** Rounds of a step in contact, and steps that did not settle. */
  readonly rounds: number;
  readonly unsettled: number;
  /** Largest multiplier with tension, and largest excess of friction over μ_s times pressure, over the peak. */
  readonly coneError: number;
  readonly time: number[];
  readonly force: number[];
}

const COUNT = [
  [8, 4],
  [16, 6],
] as const;
const THICKNESS = 0.05;
export const LOWER_DENSITY: number = 28.75 / THICKNESS;
export const UPPER_DENSITY: number = 50 / (1.6 * 0.6 * THICKNESS);
/** Gap at the start, m. */
export const BLOCK_GAP = 1e-6;
export const BLOCK_END = 0.008;

/** Meshes: the crowned one, whose touching edge is the upper one, and the other one, whose is the lower. */
export function blockMeshes(): { lower: FemMesh; upper: FemMesh } {
  return {
    lower: planeGrid('quad4', ...COUNT[0], (u, v) => {
      const x = 0.4 * (u - 0.5);
      return [x, 0.2 * (v - 1) - (v * x * x) / 40];
    }),
    upper: planeGrid('quad4', ...COUNT[1], (u, v) => [1.6 * (u - 0.5), 0.6 * v]),
  };
}

/** Nodes of the touching edges, in order of x. */
export function touchingEdges(): { lower: number[]; upper: number[] } {
  const edge = (nu: number, row: number): number[] =>
    Array.from({ length: nu + 1 }, (_, i) => gridNode(nu, i, row));
  return { lower: edge(...COUNT[0]), upper: edge(COUNT[1][0], 0) };
}

/** A block, of which `held` components do not move. */
export const blockModel = (
  mesh: FemMesh,
  density: number,
  held: FemModel['held'] = [],
): FemModel => ({
  mesh,
  material: { young: 7e7, poisson: 0.3, density },
  state: 'plane-stress',
  thickness: THICKNESS,
  held,
});

/** A block in its frame, at rest but for a velocity. */
function block(
  nu: number,
  mesh: FemMesh,
  density: number,
  heldRow: number,
  y: number,
  velocity: readonly [number, number],
  edge: readonly number[],
  masters: number | undefined,
): FloatingBody {
  const middle = gridNode(nu, nu / 2, heldRow);
  const matrices = assembleFem(
    blockModel(mesh, density, [
      { node: middle, axis: 0 },
      { node: middle, axis: 1 },
      { node: gridNode(nu, 0, heldRow), axis: 1 },
    ]),
  );
  const full = new NodalBasis(matrices);
  const kept = Array.from(matrices.freedom).flatMap((freedom, component) => {
    const node = component >> 1;
    return masters !== undefined && freedom >= 0 && (edge.includes(node) || node % masters === 0)
      ? [component]
      : [];
  });
  const basis =
    masters === undefined
      ? full
      : new ReducedBasis(
          full,
          guyanShapes(
            matrices,
            kept.map((component) => ({ node: component >> 1, axis: component & 1 })),
          ),
        );
  return new FloatingBody(basis, {
    position: [0, y],
    angle: 0,
    velocity,
    angularVelocity: 0,
  });
}

/** Lets the blocks meet. */
export function runBlocks({ step, project, friction, tangential, masters }: BlockRun): BlockResult {
  const meshes = blockMeshes();
  const edges = touchingEdges();
  const lower = block(
    COUNT[0][0],
    meshes.lower,
    LOWER_DENSITY,
    0,
    -BLOCK_GAP,
    [tangential, 0.1],
    edges.lower,
    masters,
  );
  const upper = block(
    COUNT[1][0],
    meshes.upper,
    UPPER_DENSITY,
    COUNT[1][1],
    0,
    [0, 0],
    edges.upper,
    masters,
  );
  const pair = new ContactPair(
    { part: 0, body: lower, nodes: edges.lower },
    { part: 1, body: upper, nodes: edges.upper },
    friction,
  );
  const system = new ContactStep([lower, upper], [pair], [], { step, project });
  const energy = new Float64Array(3);
  const momentum = [new Float64Array(3), new Float64Array(3)];
  lower.momentum(momentum[0]);
  const start = momentum[0].slice();
  system.energies(energy);
  const initial = energy[0] + energy[1];
  const impulse: [number, number] = [0, 0];
  const time: number[] = [];
  const force: number[] = [];
  const active: number[] = [];
  let contacts = 0;
  let rounds = 0;
  let cone = 0;
  let touched = 0;
  let was = 0;
  for (let s = 1; s * step <= BLOCK_END; s++) {
    system.advance();
    const total = [0, 0];
    for (let k = 0; k < pair.state.length; k++) {
      const n = pair.normalForce[k];
      const t = pair.tangentForce[k];
      total[0] += n * pair.normal[2 * k] - t * pair.normal[2 * k + 1];
      total[1] += n * pair.normal[2 * k + 1] + t * pair.normal[2 * k];
      cone = Math.max(cone, n, Math.abs(t) + friction.static * n);
    }
    impulse[0] -= total[0] * step;
    impulse[1] += total[1] * step;
    time.push(1e3 * s * step);
    force.push(total[1]);
    const now = pair.activeNodes();
    if (now > 0) {
      active.push(s);
      rounds += system.rounds;
      if (was === 0) contacts++;
    }
    was = now;
    if (active.length > 0 && s === active[0] + 3) {
      system.energies(energy);
      touched = energy[2];
    }
  }
  system.energies(energy);
  lower.momentum(momentum[0]);
  upper.momentum(momentum[1]);
  const mass = lower.basis.totalMass;
  const peak = Math.max(...force);
  return {
    impulse,
    duration: (active[active.length - 1] - active[0] + 1) * step,
    peak,
    contacts,
    velocity: [momentum[0][0] / mass, momentum[0][1] / mass],
    momentumError:
      Math.max(...[0, 1, 2].map((c) => Math.abs(momentum[0][c] + momentum[1][c] - start[c]))) /
      start[1],
    energyChange: (energy[0] + energy[1]) / initial - 1,
    monitorChange: energy[2] / touched - 1,
    rounds: rounds / active.length,
    unsettled: system.unsettled,
    coneError: cone / peak,
    time,
    force,
  };
}
