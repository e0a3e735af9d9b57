/** Samples and a distance field: a ball on a plane, a peg in a recess beside the same peg of cells. */
import { placedTriangles } from '../../../src/shapes/faceted-shapes.ts';
import type { DistanceField } from '../../../src/shapes/distance-field.ts';
import { surfaceSamples, type SurfaceSamples } from '../../../src/shapes/surface-samples.ts';
import type { TriangleMesh } from '../../../src/shapes/triangle-mesh.ts';
import type {
  BodyModel,
  CellModel,
  PairModel,
  Quadruple,
  Triple,
} from '../../../src/model/model.ts';
import { ContactReadout } from '../../../src/contact/contact-readout.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import { closedForm, type Figure, independent, type ValidationCase } from '../case.ts';
import { makeField } from '../../../src/proximity/make-field.ts';

const K = 1e9;
const RADIUS = 0.02;
const DEPTHS = [0.25e-3, 0.5e-3, 1e-3, 1.5e-3, 2e-3];
const AT = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
/** Peg and recess: edge of the peg, depth of the recess, clearance on every side, m. */
const PEG = 0.02;
const DEEP = 0.015;
const CLEAR = 1e-4;

/** Two bodies and their contact at a pose of the first one, after a step that is too short to move it. */
function placed(pair: PairModel, part: Partial<BodyModel>, site: Partial<BodyModel>): System {
  const body = {
    ...AT,
    mass: 1,
    inertia: [1, 1, 1, 0, 0, 0],
    rotationLocked: false,
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
  } as const;
  const system = makeSystem({
    name: 'pressed',
    gravity: [0, 0, 0],
    bodies: [
      { ...body, name: 'part', motion: 'dynamic', ...part },
      { ...body, name: 'site', motion: 'fixed', ...site },
    ],
    contacts: [
      {
        name: 'c',
        bodyI: 'part',
        bodyJ: 'site',
        pair,
        normalLaw: {
          kind: 'volumetric',
          stiffness: K,
          restitution: 1,
          smallVelocity: 1e-3,
          relaxationTime: 0,
        },
        frictionLaw: { kind: 'none' },
      },
    ],
    springs: [],
    tool: null,
    command: [],
    integrator: 'rk4',
    step: 1e-9,
    maximumSubsteps: 1,
    duration: 1,
  });
  system.step(1e-9);
  return system;
}

function wrench(system: System): Float64Array {
  const out = new Float64Array(6);
  system.contactWrench(0, 0, 0, 0, out, 0);
  return out;
}

/** A ball: rings of triangles between two poles, corners on the ball. */
function ball(radius: number, rings: number): TriangleMesh {
  const around = 2 * rings;
  const vertices = [0, 0, -radius];
  for (let m = 1; m < rings; m++)
    for (let k = 0; k < around; k++) {
      const [a, b] = [(Math.PI * m) / rings, (Math.PI * k) / rings];
      vertices.push(
        radius * Math.sin(a) * Math.cos(b),
        radius * Math.sin(a) * Math.sin(b),
        -radius * Math.cos(a),
      );
    }
  vertices.push(0, 0, radius);
  const last = vertices.length / 3 - 1;
  const at = (m: number, k: number): number => 1 + (m - 1) * around + (k % around);
  const faces: number[] = [];
  for (let k = 0; k < around; k++) {
    faces.push(0, at(1, k + 1), at(1, k), last, at(rings - 1, k), at(rings - 1, k + 1));
    for (let m = 1; m < rings - 1; m++)
      faces.push(
        at(m, k),
        at(m, k + 1),
        at(m + 1, k + 1),
        at(m, k),
        at(m + 1, k + 1),
        at(m + 1, k),
      );
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(faces) };
}

const field = (mesh: TriangleMesh, cell: number): DistanceField =>
  makeField(mesh, { cell, band: 4 * cell, scale: 1 }, 'field');

/** A block of 40 mm with a square recess in its upper face z = 0. */
function recess(): TriangleMesh {
  const w = PEG / 2 + CLEAR;
  const square = (h: number, z: number): number[] => [-h, -h, z, h, -h, z, h, h, z, -h, h, z];
  const vertices = [square(0.02, -0.03), square(0.02, 0), square(w, 0), square(w, -DEEP)].flat();
  const faces = [0, 2, 1, 0, 3, 2, 12, 13, 14, 12, 14, 15];
  for (let ring = 0; ring < 3; ring++)
    for (let k = 0; k < 4; k++) {
      const [a, b] = [4 * ring + k, 4 * ring + ((k + 1) % 4)];
      faces.push(a, b, b + 4, a, b + 4, a + 4);
    }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(faces) };
}

/** The same block of five cells. */
function walls(): CellModel[] {
  const w = PEG / 2 + CLEAR;
  const cell = (name: string, low: Triple, high: Triple): CellModel => ({
    name,
    shape: { kind: 'box', size: [high[0] - low[0], high[1] - low[1], high[2] - low[2]] },
    position: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
    orientation: [0, 0, 0, 1],
  });
  const e = 0.02;
  return [
    cell('floor', [-e, -e, -0.03], [e, e, -DEEP]),
    cell('east', [w, -e, -DEEP], [e, e, 0]),
    cell('west', [-e, -e, -DEEP], [-w, e, 0]),
    cell('north', [-w, w, -DEEP], [w, e, 0]),
    cell('south', [-w, -e, -DEEP], [w, -w, 0]),
  ];
}

/** Pose of the peg: its lower face 0.2 mm above the floor, shifted, tilted about y. */
function pegPose(shift: Triple, tilt: number): { position: Triple; orientation: Quadruple } {
  const z = -DEEP + 2e-4 + PEG / 2;
  return {
    position: [shift[0], shift[1], z + shift[2]],
    orientation: [0, Math.sin(tilt / 2), 0, Math.cos(tilt / 2)],
  };
}

function onPlane(figures: Figure[]): { forces: Record<string, number[]>; exact: number[] } {
  const plane = field({ ...trianglesOf([0.06, 0.06, 0.02]) }, 2e-3);
  const forces: Record<string, number[]> = {};
  const exact = DEPTHS.map((d) => K * Math.PI * RADIUS * d * d);
  const mesh = ball(RADIUS, 96);
  for (const count of [2000, 50_000]) {
    const samples = surfaceSamples(mesh, count, 64, 'ball');
    const rows = DEPTHS.map((depth) => {
      const pair: PairModel = { kind: 'sampled', samples, field: { field: plane, ...AT } };
      const out = new Float64Array(40);
      placed(pair, { position: [2e-3, 1e-3, 0.01 + RADIUS - depth] }, {}).readContact(0, out, 0);
      return out[ContactReadout.normalForce];
    });
    forces[`${count} samples`] = rows;
    if (count < 10_000) continue;
    DEPTHS.slice(2).forEach((depth, k) => {
      figures.push(
        closedForm(
          `ball ${1e3 * depth} mm deep: force`,
          'N',
          rows[k + 2],
          exact[k + 2],
          0.01 * exact[k + 2],
        ),
      );
    });
  }
  return { forces, exact };
}

const trianglesOf = (size: Triple): TriangleMesh =>
  placedTriangles({ shape: { kind: 'box', size }, ...AT }, 'box');

/** Peg against the block: samples and field, and cells. */
function inRecess(figures: Figure[]): { tilt: number[]; sampled: number[]; cells: number[] } {
  const samples: SurfaceSamples = surfaceSamples(trianglesOf([PEG, PEG, PEG]), 20_000, 64, 'peg');
  const site = field(recess(), 0.4e-3);
  const pairs = (pose: ReturnType<typeof pegPose>): [Float64Array, Float64Array] => {
    const peg: CellModel = { name: 'peg', shape: { kind: 'box', size: [PEG, PEG, PEG] }, ...AT };
    return [
      wrench(placed({ kind: 'sampled', samples, field: { field: site, ...AT } }, pose, {})),
      wrench(placed({ kind: 'volumetric' }, { ...pose, cells: [peg] }, { cells: walls() })),
    ];
  };
  const area = PEG * (DEEP - 2e-4);
  for (const depth of [1e-4, 2e-4]) {
    const [one, other] = pairs(pegPose([CLEAR + depth, 0, 0], 0));
    const force = -K * area * depth;
    // the rim is rounded by a few tenths of a cell of 0.4 mm over a height of 14.8 mm
    figures.push(
      closedForm(
        `peg ${1e3 * depth} mm in a wall: force`,
        'N',
        one[0],
        force,
        0.02 * Math.abs(force),
      ),
      independent(
        `peg ${1e3 * depth} mm in a wall: force of cells`,
        'N',
        one[0],
        other[0],
        0.02 * Math.abs(other[0]),
      ),
      independent(
        `peg ${1e3 * depth} mm in a wall: moment of cells`,
        'N m',
        one[4],
        other[4],
        0.03 * Math.abs(other[4]),
      ),
    );
  }
  const tilt = [0, 0.01, 0.02, 0.03, 0.04];
  const moments = tilt.map((angle) => pairs(pegPose([0, 0, 1e-3], angle)));
  const [jammed, ofCells] = moments[moments.length - 1];
  figures.push(
    independent(
      'peg tilted by 0.04 rad: moment of cells',
      'N m',
      jammed[4],
      ofCells[4],
      0.05 * Math.abs(ofCells[4]),
    ),
  );
  return {
    tilt,
    sampled: moments.map(([one]) => one[4]),
    cells: moments.map(([, other]) => other[4]),
  };
}

export const sampledContactCase: ValidationCase = {
  name: 'sampled-contact',
  title: 'Samples and a distance field: ball on a plane, peg in a recess',
  source: 'closed forms of a foundation; the volumetric pair of cells (Gonthier 2007)',
  description:
    'A ball of 36,000 triangles pressed on a block with cells of 2 mm; a cube of 20 mm in a square recess with 0.1 mm clearance and cells of 0.4 mm, shifted into a wall and tilted, beside the same bodies of convex cells.',
  equation: 'F = k Σ w δ ∇φ; ball on a plane k π R δ², wall k A δ.',
  tolerances:
    'Ball 1 %: its facets lie up to 3 µm below the ball, twice that over the depth of the force. Walls 2 %, moments 3 %: the rim is rounded by a few tenths of a cell over 14.8 mm. Tilted 5 %: cells measure the area across the wall, samples that of the peg, and corners in the floor are rounded.',
  run() {
    const figures: Figure[] = [];
    const { forces, exact } = onPlane(figures);
    const { tilt, sampled, cells } = inRecess(figures);
    const depths = DEPTHS.map((depth) => 1e3 * depth);
    return {
      figures,
      plots: [
        {
          title: 'Force of a ball on a plane',
          xLabel: 'depth, mm',
          yLabel: 'force, N',
          curves: [
            { name: 'k π R δ²', x: depths, y: exact },
            ...Object.entries(forces).map(([name, y]) => ({
              name,
              x: depths,
              y,
              kind: 'points' as const,
            })),
          ],
        },
        {
          title: 'Moment of a tilted peg about y',
          xLabel: 'tilt, rad',
          yLabel: 'moment, N m',
          curves: [
            { name: 'convex cells', x: tilt, y: cells },
            { name: 'samples and field', x: tilt, y: sampled, kind: 'points' },
          ],
        },
      ],
    };
  },
};
