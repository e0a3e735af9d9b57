/** Four ways to measure an overlap against the same figures: closed forms, clipping, rays, voxels. `Gonthier 2007, chapter 4, A.3`. */
import { rotationOf } from '../../../src/math/quaternion.ts';
import {
  COLUMN,
  COLUMN_SIZE,
  type OverlapKernel,
  type OverlapMethod,
} from '../../../src/overlap/kernel.ts';
import { makeKernel, overlapMethods } from '../../../src/overlap/make-kernel.ts';
import { RayKernel } from '../../../src/overlap/rays.ts';
import { VoxelKernel } from '../../../src/overlap/voxels.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { atMost, type Figure, type Plot, type ValidationCase } from '../case.ts';
import { referenceRows } from '../reference-data.ts';

type Vector = readonly [number, number, number];

/** Two placed cells and the reference for their overlap, in axes with z out of cell j. */
interface Sample {
  readonly name: string;
  readonly i: CellShape;
  readonly j: CellShape;
  readonly poseI: Float64Array;
  readonly poseJ: Float64Array;
  /** m³; m; second moments (xx, yy, zz) about the centroid, m⁵, as far as given. */
  readonly volume: number;
  readonly centroid?: Vector;
  readonly second?: Vector;
  /** Depth of the overlap, m: the scale of voxels. */
  readonly depth: number;
  /** The reference comes from quadratures. */
  readonly quadrature: boolean;
}

const PLANE: CellShape = { kind: 'half-space' };
const ORIGIN: Vector = [0, 0, 0];

/** A placement turned by an angle about an axis. */
function place(position: Vector, axis: Vector = [1, 0, 0], angle = 0): Float64Array {
  const out = new Float64Array(12);
  const s = Math.sin(angle / 2);
  const quaternion = Float64Array.of(s * axis[0], s * axis[1], s * axis[2], Math.cos(angle / 2));
  rotationOf(out, quaternion, 0);
  out.set(position, 9);
  return out;
}

/** Second moments of a body from its J: S_xx = (J_yy + J_zz − J_xx)/2. */
function secondOf(jx: number, jy: number, jz: number): Vector {
  const half = 0.5 * (jx + jy + jz);
  return [half - jx, half - jy, half - jz];
}

function balls(): Sample[] {
  const caps = referenceRows('gonthier-overlap', 'cap', [
    ...(['radius', 'depth', 'volume', 'area', 'centroid'] as const),
    ...(['normalInertia', 'tangentialInertia', 'gyration'] as const),
  ]).map(
    (row): Sample => ({
      name: `cap, R ${row.radius} m, h ${row.depth} m`,
      i: { kind: 'sphere', radius: row.radius },
      j: PLANE,
      poseI: place([0, 0, row.radius - row.depth]),
      poseJ: place(ORIGIN),
      volume: row.volume,
      centroid: [0, 0, row.radius - row.depth - row.centroid],
      second: secondOf(row.tangentialInertia, row.tangentialInertia, row.normalInertia),
      depth: row.depth,
      quadrature: false,
    }),
  );
  const lenses = referenceRows('gonthier-overlap', 'lens', [
    ...(['radius', 'otherRadius', 'distance', 'volume', 'centroid', 'area'] as const),
    ...(['normalInertia', 'tangentialInertia', 'gyration'] as const),
  ]).map(
    (row): Sample => ({
      name: `lens, R ${row.radius} and ${row.otherRadius} m, d ${row.distance} m`,
      i: { kind: 'sphere', radius: row.radius },
      j: { kind: 'sphere', radius: row.otherRadius },
      poseI: place([0, 0, row.distance]),
      poseJ: place(ORIGIN),
      volume: row.volume,
      centroid: [0, 0, row.distance - row.centroid],
      second: secondOf(row.tangentialInertia, row.tangentialInertia, row.normalInertia),
      depth: row.radius + row.otherRadius - row.distance,
      quadrature: false,
    }),
  );
  return [...caps, ...lenses];
}

function flats(): Sample[] {
  const boxes = referenceRows('gonthier-overlap', 'box', [
    ...(['a', 'b', 'height', 'volume', 'inertiaX', 'inertiaY', 'inertiaZ'] as const),
  ]).map(
    (row): Sample => ({
      name: `box, ${row.a} × ${row.b} × ${row.height} m`,
      i: { kind: 'box', size: [row.a, row.b, row.height + 0.1] },
      j: PLANE,
      poseI: place([0, 0, 0.5 * (0.1 - row.height)]),
      poseJ: place(ORIGIN),
      volume: row.volume,
      centroid: [0, 0, -0.5 * row.height],
      second: secondOf(row.inertiaX, row.inertiaY, row.inertiaZ),
      depth: row.height,
      quadrature: false,
    }),
  );
  const wedges = referenceRows('gonthier-overlap', 'wedge', [
    ...(['tilt', 'depth', 'length', 'volume', 'along', 'below'] as const),
    ...(['least', 'middle', 'greatest', 'normalTilt', 'gyration'] as const),
  ]).map((row): Sample => {
    const tilt = (row.tilt * Math.PI) / 180;
    const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
    return {
      name: `wedge, ${row.tilt}°, h ${row.depth} m`,
      i: { kind: 'box', size: [row.length, 0.2, 0.2] },
      j: PLANE,
      poseI: place([0, 0.1 * (cos - sin), 0.1 * (cos + sin) - row.depth], [1, 0, 0], tilt),
      poseJ: place(ORIGIN),
      volume: row.volume,
      centroid: [0, row.along, -row.below],
      depth: row.depth,
      quadrature: false,
    };
  });
  const cylinders = referenceRows('gonthier-overlap', 'lying-cylinder', [
    ...(['radius', 'length', 'depth', 'volume', 'centroid', 'area'] as const),
    ...(['normalInertia', 'axisInertia', 'thirdInertia'] as const),
  ]).map(
    (row): Sample => ({
      name: `lying cylinder, R ${row.radius} m, h ${row.depth} m`,
      i: { kind: 'cylinder', radius: row.radius, length: row.length },
      j: PLANE,
      poseI: place([0, 0, row.radius - row.depth], [0, 1, 0], Math.PI / 2),
      poseJ: place(ORIGIN),
      volume: row.volume,
      centroid: [0, 0, row.radius - row.depth - row.centroid],
      second: secondOf(row.axisInertia, row.thirdInertia, row.normalInertia),
      depth: row.depth,
      quadrature: false,
    }),
  );
  return [...boxes, ...wedges, ...cylinders];
}

function quadratures(): Sample[] {
  const bores = referenceRows('gonthier-overlap', 'bore', [
    ...(['radius', 'boreRadius', 'depth', 'volume', 'ratio', 'beyond'] as const),
    ...(['xx', 'yy', 'zz', 'gyration'] as const),
  ]).map(
    (row): Sample => ({
      name: `ball in a bore, h ${row.depth} m`,
      i: { kind: 'sphere', radius: row.radius },
      j: { kind: 'bore', radius: row.boreRadius },
      poseI: place([0, 0, row.radius - row.boreRadius - row.depth]),
      poseJ: place(ORIGIN, [1, 0, 0], -Math.PI / 2),
      volume: row.volume,
      centroid: [0, 0, -row.boreRadius - row.beyond],
      second: [row.xx, row.yy, row.zz],
      depth: row.depth,
      quadrature: true,
    }),
  );
  const edges = referenceRows('gonthier-overlap', 'edge', [
    ...(['y', 'z', 'volume', 'centroidY', 'centroidZ', 'xx', 'yy', 'zz', 'yz'] as const),
    ...(['normalY', 'normalZ', 'gyration'] as const),
  ]).map(
    (row): Sample => ({
      name: `ball on an edge, centre (${row.y}, ${row.z}) m`,
      i: { kind: 'sphere', radius: 0.1 },
      // a box so large that only the edge at y = 0.3, z = 0 is near
      j: { kind: 'box', size: [2, 2, 2] },
      poseI: place([0, row.y, row.z]),
      poseJ: place([0, 0.3 - 1, -1]),
      volume: row.volume,
      centroid: [0, row.y + row.centroidY, row.z + row.centroidZ],
      second: [row.xx, row.yy, row.zz],
      depth: 0.1 - Math.hypot(Math.max(0, row.y - 0.3), row.z),
      quadrature: true,
    }),
  );
  return [...bores, ...edges];
}

/** Relative differences of a column from the reference. */
interface Errors {
  readonly volume: number;
  /** Over V^(1/3). */
  readonly centroid: number;
  /** Over the trace. */
  readonly second: number;
  /** What the kernel estimates for the volume. */
  readonly estimate: number;
}

function errorsOf(kernel: OverlapKernel, sample: Sample): Errors {
  const out = new Float64Array(COLUMN_SIZE);
  kernel.compute(sample.poseI, sample.poseJ, out);
  const { volume, centroid, second } = sample;
  const off = (o: number, values: Vector | undefined): number =>
    values === undefined ? 0 : Math.hypot(...values.map((value, a) => out[o + a] - value));
  return {
    volume: Math.abs(out[COLUMN.volume] / volume - 1),
    centroid: off(COLUMN.centroid, centroid) / Math.cbrt(volume),
    second:
      second === undefined ? 0 : off(COLUMN.second, second) / (second[0] + second[1] + second[2]),
    estimate: out[COLUMN.error],
  };
}

const SAMPLES = [...balls(), ...flats(), ...quadratures()];
/** Nodes of the rays between break points: with the 8 of a contact the worst of these, a lens, is 5e-7 off. */
const NODES = 16;
const EXACT: readonly OverlapMethod[] = ['closed-form', 'clipping', 'rays'];

function methodFigures(): Figure[] {
  return SAMPLES.flatMap((sample) => {
    const { name, i, j, quadrature } = sample;
    const has = overlapMethods(i, j);
    return EXACT.filter((method) => has.includes(method)).flatMap((method) => {
      const kernel =
        method === 'rays' ? new RayKernel(i, j, { nodes: NODES }) : makeKernel(i, j, method);
      const errors = errorsOf(kernel, sample);
      const bound = quadrature || method === 'rays' ? 1e-8 : 1e-9;
      return [
        atMost(`${method}: volume of ${name}, relative error`, '1', errors.volume, bound),
        atMost(`${method}: centroid of ${name}, over V^(1/3)`, '1', errors.centroid, bound),
        ...(sample.second === undefined
          ? []
          : [
              atMost(
                `${method}: second moments of ${name}, over the trace`,
                '1',
                errors.second,
                bound,
              ),
            ]),
      ];
    });
  });
}

/** The depth, but not below an eighth of the width: the work of voxels is the surface over size². */
function voxelSize({ volume, depth }: Sample): number {
  return Math.max(depth, Math.sqrt(volume / depth) / 8);
}

function voxelFigures(): Figure[] {
  return SAMPLES.map((sample) => {
    const { name, i, j } = sample;
    const errors = errorsOf(new VoxelKernel(i, j, { size: voxelSize(sample) }), sample);
    const what = `voxels: volume of ${name}, error over its estimate`;
    return atMost(what, '1', errors.volume / errors.estimate, 1);
  });
}

/** Names, in SAMPLES, of the overlaps that the plot of convergence shows, and sides of voxels over the depth: the octree halves, so that sizes between give no more. */
const SHOWN = ['cap, R 1 m, h 0.5 m', 'cap, R 1 m, h 1 m', 'lens, R 1 and 1 m'];
const FRACTIONS = [1, 0.5, 0.25, 0.125];

/** Exponent p of error ~ size^p, least squares over logarithms. */
function order(sizes: readonly number[], errors: readonly number[]): number {
  const x = sizes.map(Math.log);
  const y = errors.map((error) => Math.log(Math.max(error, 1e-16)));
  const mean = (values: readonly number[]): number =>
    values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const top = x.reduce((sum, value, n) => sum + (value - mx) * (y[n] - my), 0);
  return top / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

export const overlapMethodsCase: ValidationCase = {
  name: 'overlap-methods',
  title: 'Overlaps by closed form, clipping, rays and voxels',
  source: 'Gonthier 2007, chapter 4 and A.3; acceptance statement 11',
  description:
    'The overlaps of the case overlap, as pairs of placed cells: every method that a pair has gives the same volume, centroid and second moments. Voxels, the method of the source, converge towards them; they are the slow reference here.',
  equation:
    'V, p_c and S of two placed cells, by four methods that share no code beyond the shapes.',
  tolerances:
    '1e-9 relative for closed forms and clipping, 1e-8 for quadratures, rays, and what comes from quadrature (statement 11); rays with 16 nodes, as with the 8 of a contact the worst, a lens, has 5e-7 in its second moments. Voxels: within the error that the kernel itself states. Their error falls with a power of the size between 1 (a face in line with the grid) and 2; at least 0.8 over a factor of 8.',
  run() {
    const shown = SAMPLES.filter(({ name }) => SHOWN.some((start) => name.startsWith(start)));
    const runs = shown.map((sample) => ({
      name: sample.name,
      errors: FRACTIONS.map((part) =>
        errorsOf(new VoxelKernel(sample.i, sample.j, { size: part * sample.depth }), sample),
      ),
    }));
    const plot: Plot = {
      title: 'Voxels: error of the volume over the size',
      xLabel: 'voxel over depth, 1',
      yLabel: 'relative error, 1',
      xScale: 'log',
      yScale: 'log',
      curves: [
        ...runs.map(({ name, errors }) => ({
          name,
          x: FRACTIONS,
          y: errors.map(({ volume }) => volume),
        })),
        {
          name: 'second order',
          x: [FRACTIONS[0], FRACTIONS[FRACTIONS.length - 1]],
          y: [0.05, 0.05 * FRACTIONS[FRACTIONS.length - 1] ** 2],
          kind: 'bound',
        },
      ],
    };
    return {
      figures: [
        ...methodFigures(),
        ...voxelFigures(),
        ...runs.map(({ name, errors }) =>
          atMost(
            `voxels: 0.8 less the order of ${name}`,
            '1',
            0.8 -
              order(
                FRACTIONS,
                errors.map(({ volume }) => volume),
              ),
            0,
          ),
        ),
      ],
      plots: [plot],
    };
  },
};
