/** A body cut into more cells: what stays, and what does not. `Gonthier 2007, chapter 4`. */
import { dampingForRestitution } from '../../../src/contact/normal/damping-factor.ts';
import { gaussLegendre } from '../../../src/math/quadrature.ts';
import type { CellModel, FrictionLawModel, SystemModel } from '../../../src/model/model.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { atMost, closedForm, type Figure, independent, type ValidationCase } from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import { bodyModel, planeModel, worldModel } from '../world-models.ts';

/** Sides of the patch along x and y, and its depth, m: so thin that h² does not show beside the sides. */
const SIDES = [0.1, 0.2] as const;
const DEPTH = 1e-6;
const HEIGHT = 0.1;
/** k_v V, N, and A, s/m. */
const ELASTIC = 2000;
const DAMPING = 1;
const STIFFNESS = ELASTIC / (SIDES[0] * SIDES[1] * DEPTH);
const RESTITUTION = 0.5;
/** Motion of the body: it leaves at v_n, A v_n = 0.02, and turns at 1 rad/s. */
const LEAVING = 0.02;
const TURNING = 1;
const COULOMB = 0.3;
const REFERENCE = referenceRows('gonthier-volumetric', 'cutting', [
  ...(['pieces', 'force', 'rolling', 'spin'] as const),
]);

const FRICTION: FrictionLawModel = {
  kind: 'volumetric-bristle',
  stiction: COULOMB,
  coulomb: COULOMB,
  bristleStiffness: 1e5,
  bristleDamping: Math.sqrt(1e5),
  viscousDamping: 0,
  stribeckVelocity: 1e-5,
  dwellTime: 0,
  velocityTolerance: 1e-6,
  startsSticking: false,
};

function cells(n: number): CellModel[] {
  const [a, b] = SIDES.map((side) => side / n);
  return Array.from({ length: n * n }, (_, k) => ({
    name: `cell-${k}`,
    shape: { kind: 'box', size: [a, b, HEIGHT] },
    position: [((k % n) + 0.5) * a - SIDES[0] / 2, (Math.floor(k / n) + 0.5) * b - SIDES[1] / 2, 0],
    orientation: [0, 0, 0, 1],
  }));
}

function model(n: number, spin: boolean): SystemModel {
  return worldModel({
    gravity: [0, 0, 0],
    bodies: [
      planeModel(),
      bodyModel('body', 'prescribed', {
        position: [0, 0, HEIGHT / 2 - DEPTH],
        velocity: [0, 0, LEAVING],
        angularVelocity: spin ? [0, 0, TURNING] : [TURNING, 0, 0],
        cells: cells(n),
      }),
    ],
    contacts: [
      {
        name: 'contact',
        bodyI: 'body',
        bodyJ: 'plane',
        pair: { kind: 'volumetric', maximumPairs: n * n },
        normalLaw: {
          kind: 'volumetric',
          stiffness: STIFFNESS,
          restitution: RESTITUTION,
          smallVelocity: dampingForRestitution(RESTITUTION) / DAMPING,
          relaxationTime: 0,
        },
        frictionLaw: spin ? FRICTION : { kind: 'none' },
        rollingLaw: { kind: 'volumetric' },
      },
    ],
    integrator: 'symplectic-euler',
    step: 1e-12,
  });
}

/** Force and moment on the body about the middle of the patch, at the first evaluation, and the pairs that touch. */
function wrench(n: number, spin: boolean): { wrench: Float64Array; pairs: number } {
  const system = makeSystem(model(n, spin));
  const out = new Float64Array(6);
  if (system.step(1e-12) !== 0) throw new Error('the step of the cut body failed');
  system.contactWrench(system.bodyIndex('body'), 0, 0, -DEPTH / 2, out, 0);
  const pairs = system.cellPairs(0).filter((pair) => pair !== '').length;
  return { wrench: out, pairs };
}

/** μ p ∫∫ |ρ| dx dy, the spin torque of the uncut area, N m. */
function areaTorque(): number {
  const { nodes, weights } = gaussLegendre(48);
  const [a, b] = [SIDES[0] / 2, SIDES[1] / 2];
  // polar over the two triangles of a quarter: ∫ R(φ)³/3 dφ, R = a/cos φ up to the corner, then b/cos φ
  let integral = 0;
  for (const [side, other] of [
    [a, b],
    [b, a],
  ]) {
    const corner = Math.atan2(other, side);
    for (const [k, node] of nodes.entries()) {
      const angle = 0.5 * corner * (1 + node);
      integral += (0.5 * corner * weights[k] * (side / Math.cos(angle)) ** 3) / 3;
    }
  }
  const load = ELASTIC * (1 - DAMPING * LEAVING);
  return (COULOMB * load * 4 * integral) / (4 * a * b);
}

function figures(
  rows: readonly { n: number; roll: Float64Array; spin: Float64Array; pairs: number }[],
): Figure[] {
  const limit = areaTorque();
  const radius = Math.hypot(...SIDES) / Math.sqrt(12);
  const uncut = COULOMB * ELASTIC * (1 - DAMPING * LEAVING) * radius;
  const [first] = rows;
  return rows.flatMap(({ n, roll, spin, pairs }, row) => {
    const reference = REFERENCE[row];
    const name = `${n} × ${n}`;
    return [
      closedForm(`${name}: pairs`, '1', pairs, n * n, 0),
      independent(`${name}: normal force`, 'N', roll[2], reference.force, 1e-6),
      closedForm(
        `${name}: normal force over that of one cell`,
        '1',
        roll[2] / first.roll[2],
        1,
        1e-12,
      ),
      independent(`${name}: rolling moment`, 'N m', roll[3], reference.rolling, 5e-6),
      closedForm(
        `${name}: rolling moment over that of one cell`,
        '1',
        roll[3] / first.roll[3],
        1,
        1e-12,
      ),
      independent(`${name}: spin torque`, 'N m', spin[5], reference.spin, 5e-4),
      atMost(`${name}: spin torque over the value of r_gyr`, '1', -spin[5] / uncut, 1 + 1e-9),
      atMost(`${name}: area integral over the spin torque`, '1', -limit / spin[5], 1),
    ];
  });
}

export const cuttingCase: ValidationCase = {
  name: 'cutting',
  title: 'A body cut into cells: force and moments',
  source: 'Gonthier 2007, chapter 4; acceptance statement 13',
  description:
    'The bottom of a box, 0.1 × 0.2 m, lies evenly in a plane with k_v V = 2000 N; it leaves at A v_n = 0.02 and turns with A w = 1 about x, or spins at 1 rad/s with μ 0.3. Cut into 1 to 32 × 32 cells, each with a sub-model of its own: 1024 at once. One evaluation.',
  equation:
    'f_n = k_v ΣV (1 − A v_n), τ = −k_v A J_xx w about the middle: sums over pieces, by parallel axes. Spin: each piece has the slip of its own centroid, so that the torque goes from μ f_n r_gyr to the area integral μ p ∫ |ρ| dA.',
  tolerances:
    'Force and rolling moment unchanged to 1e-12, statement 13; against the patch half a unit of the last digit (depth 1 µm: (h/b)² = 3e-11 of the moment). Spin torque: given with three decimals; it must lie between the two limits.',
  run() {
    const rows = REFERENCE.map(({ pieces: n }) => {
      const rolling = wrench(n, false);
      return { n, roll: rolling.wrench, spin: wrench(n, true).wrench, pairs: rolling.pairs };
    });
    const x = rows.map(({ n }) => n);
    const ends = [x[0], x[x.length - 1]];
    const limit = areaTorque();
    return {
      figures: figures(rows),
      plots: [
        {
          title: 'Spin torque over the number of pieces along each side',
          xLabel: 'pieces along a side, 1',
          yLabel: 'torque, N m',
          xScale: 'log',
          curves: [
            { name: 'computed', x, y: rows.map(({ spin }) => spin[5]) },
            { name: 'reference', x, y: REFERENCE.map(({ spin }) => spin), kind: 'points' },
            { name: 'area integral', x: ends, y: [-limit, -limit], kind: 'bound' },
          ],
        },
        {
          title: 'Change of force and rolling moment by cutting',
          xLabel: 'pieces along a side, 1',
          yLabel: 'relative change, 1',
          curves: [
            { name: 'normal force', x, y: rows.map(({ roll }) => roll[2] / rows[0].roll[2] - 1) },
            { name: 'rolling moment', x, y: rows.map(({ roll }) => roll[3] / rows[0].roll[3] - 1) },
            { name: 'allowed', x: ends, y: [1e-12, 1e-12], kind: 'bound' },
          ],
        },
      ],
    };
  },
};
