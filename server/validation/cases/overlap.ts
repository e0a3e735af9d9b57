/** Metrics of the space that two bodies share: closed forms and quadratures against figures computed independently. `Gonthier 2007, chapter 4`. */
import { BoxEdge, BoxFlat } from '../../../src/overlap/box.ts';
import { CylinderLying } from '../../../src/overlap/cylinder.ts';
import { OVERLAP, OVERLAP_SIZE, volumeInertia } from '../../../src/overlap/metrics.ts';
import { Polyhedron } from '../../../src/overlap/polyhedron.ts';
import { SphereBore } from '../../../src/overlap/sphere-bore.ts';
import { SphereCap, SphereLens } from '../../../src/overlap/sphere-cap.ts';
import { SphereSquareEdge } from '../../../src/overlap/sphere-edge.ts';
import { closedForm, type Figure, independent, type Plot, type ValidationCase } from '../case.ts';
import { referenceRows } from '../reference-data.ts';

/** Relative tolerances of acceptance statement 11. */
const CLOSED = 1e-9;
const QUADRATURE = 1e-8;

interface Form {
  write(out: Float64Array, o: number, pose: Float64Array, i: number): unknown;
}

/** A column by name, and J_v. */
interface Metrics {
  readonly volume: number;
  readonly area: number;
  readonly centroid: readonly number[];
  /** S: xx, yy, zz, xy, xz, yz. */
  readonly second: readonly number[];
  /** J_v, row by row. */
  readonly inertia: readonly number[];
  /** √(J_zz/V), for a normal along z. */
  readonly gyration: number;
}

function metrics(form: Form, ...pose: readonly number[]): Metrics {
  const out = new Float64Array(OVERLAP_SIZE);
  const inertia = new Float64Array(9);
  form.write(out, 0, Float64Array.from(pose), 0);
  volumeInertia(inertia, 0, out, 0);
  const volume = out[OVERLAP.volume];
  return {
    volume,
    area: out[OVERLAP.area],
    centroid: [...out.slice(OVERLAP.centroid, OVERLAP.second)],
    second: [...out.slice(OVERLAP.second)],
    inertia: [...inertia],
    gyration: Math.sqrt(inertia[8] / volume),
  };
}

/** Half a unit of the last of so many given digits. */
function half(value: number, digits: number): number {
  return 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - digits);
}

/** A figure within the relative tolerance, or within the digits that are given where that is coarser. */
function figure(
  quantity: string,
  unit: string,
  computed: number,
  reference: number,
  relative: number,
  digits = 0,
): Figure {
  const tolerance = Math.max(relative * Math.abs(reference), digits);
  const against = relative === CLOSED ? closedForm : independent;
  return against(quantity, unit, computed, reference, tolerance);
}

/** The principal axis nearest to z, of an overlap that is symmetric in x, and its moment J_nn. */
function normalOf({ second }: Metrics): { y: number; z: number; moment: number } {
  const [xx, yy, zz, , , yz] = second;
  // the eigenvector of the least second moment in the plane y, z; J_nn is the sum of the other two
  const angle = 0.5 * Math.atan2(-2 * yz, yy - zz);
  const y = Math.sin(angle);
  const z = Math.cos(angle);
  const greatest = yy * z * z - 2 * yz * y * z + zz * y * y;
  return { y, z, moment: xx + greatest };
}

const CAP_COLUMNS = [
  'radius',
  'depth',
  'volume',
  'area',
  'centroid',
  'normalInertia',
  'tangentialInertia',
  'gyration',
] as const;

function caps(): Figure[] {
  return referenceRows('gonthier-overlap', 'cap', CAP_COLUMNS).flatMap((row) => {
    const got = metrics(new SphereCap(row.radius), row.depth);
    const of = `cap, R ${row.radius} m, h ${row.depth} m`;
    return [
      figure(`V: ${of}`, 'm³', got.volume, row.volume, CLOSED),
      figure(`A_c: ${of}`, 'm²', got.area, row.area, CLOSED),
      figure(`centre to centroid: ${of}`, 'm', -got.centroid[2], row.centroid, CLOSED),
      figure(`J_nn: ${of}`, 'm⁵', got.inertia[8], row.normalInertia, CLOSED),
      figure(`J_tt: ${of}`, 'm⁵', got.inertia[0], row.tangentialInertia, CLOSED),
      figure(`r_gyr: ${of}`, 'm', got.gyration, row.gyration, CLOSED),
    ];
  });
}

function lenses(): Figure[] {
  const columns = [
    'radius',
    'otherRadius',
    'distance',
    'volume',
    'centroid',
    'area',
    'normalInertia',
    'tangentialInertia',
    'gyration',
  ] as const;
  return referenceRows('gonthier-overlap', 'lens', columns).flatMap((row) => {
    const { radius, otherRadius, distance } = row;
    const got = metrics(new SphereLens(radius, otherRadius), radius + otherRadius - distance);
    const of = `lens, R ${radius} and ${otherRadius} m, d ${distance} m`;
    return [
      figure(`V: ${of}`, 'm³', got.volume, row.volume, CLOSED),
      figure(`centre to centroid: ${of}`, 'm', -got.centroid[2], row.centroid, CLOSED),
      figure(`A_c: ${of}`, 'm²', got.area, row.area, CLOSED),
      figure(`J_nn: ${of}`, 'm⁵', got.inertia[8], row.normalInertia, CLOSED),
      figure(`J_tt: ${of}`, 'm⁵', got.inertia[0], row.tangentialInertia, CLOSED),
      figure(`r_gyr: ${of}`, 'm', got.gyration, row.gyration, CLOSED),
    ];
  });
}

function boxes(): Figure[] {
  const columns = ['a', 'b', 'height', 'volume', 'inertiaX', 'inertiaY', 'inertiaZ'] as const;
  return referenceRows('gonthier-overlap', 'box', columns).flatMap((row) => {
    const { a, b, height } = row;
    // corners 0 to 3 below, counter-clockwise from above, 4 to 7 over them
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [
      (k % 4 === 1 || k % 4 === 2 ? 1 : 0) * a,
      k % 4 > 1 ? b : 0,
      k > 3 ? height : 0,
    ]);
    const surface = new Polyhedron([
      [0, 2, 1],
      [0, 3, 2],
      [4, 5, 6],
      [4, 6, 7],
      ...[0, 1, 2, 3].flatMap((k): [number, number, number][] => {
        const next = (k + 1) % 4;
        return [
          [k, next, next + 4],
          [k, next + 4, k + 4],
        ];
      }),
    ]);
    const shapes: [string, Metrics][] = [
      ['box', metrics(new BoxFlat(a, b, height), height)],
      ['box as a polyhedron', metrics(surface, ...corners)],
    ];
    return shapes.flatMap(([name, got]) => {
      const of = `${name}, ${a} × ${b} × ${height} m`;
      return [
        figure(`V: ${of}`, 'm³', got.volume, row.volume, CLOSED),
        figure(`J_xx: ${of}`, 'm⁵', got.inertia[0], row.inertiaX, CLOSED),
        figure(`J_yy: ${of}`, 'm⁵', got.inertia[4], row.inertiaY, CLOSED),
        figure(`J_zz: ${of}`, 'm⁵', got.inertia[8], row.inertiaZ, CLOSED),
      ];
    });
  });
}

function wedges(): Figure[] {
  const columns = [
    'tilt',
    'depth',
    'length',
    'volume',
    'along',
    'below',
    'least',
    'middle',
    'greatest',
    'normalTilt',
    'gyration',
  ] as const;
  return referenceRows('gonthier-overlap', 'wedge', columns).flatMap((row) => {
    const tilt = (row.tilt * Math.PI) / 180;
    const got = metrics(new BoxEdge(row.length, 0.2, 0.2), row.depth, tilt);
    const normal = normalOf(got);
    const flat = got.inertia[0];
    const middle = got.inertia[4] + got.inertia[8] - normal.moment;
    const [least, between] = [Math.min(flat, middle), Math.max(flat, middle)];
    const of = `wedge, ${row.tilt} deg, h ${row.depth} m`;
    const nine = (value: number): number => half(value, 9);
    const turned = (Math.atan2(Math.abs(normal.y), normal.z) * 180) / Math.PI;
    return [
      figure(`V: ${of}`, 'm³', got.volume, row.volume, CLOSED),
      figure(`centroid from the edge: ${of}`, 'm', got.centroid[1], row.along, CLOSED),
      figure(`centroid below the plane: ${of}`, 'm', -got.centroid[2], row.below, CLOSED),
      figure(`least moment: ${of}`, 'm⁵', least, row.least, CLOSED, nine(row.least)),
      figure(`middle moment: ${of}`, 'm⁵', between, row.middle, CLOSED, nine(row.middle)),
      figure(`J_nn: ${of}`, 'm⁵', normal.moment, row.greatest, CLOSED, nine(row.greatest)),
      figure(`tilt of the normal: ${of}`, 'deg', turned, row.normalTilt, CLOSED, 5e-6),
      figure(
        `r_gyr: ${of}`,
        'm',
        Math.sqrt(normal.moment / got.volume),
        row.gyration,
        CLOSED,
        nine(row.gyration),
      ),
    ];
  });
}

function cylinders(): Figure[] {
  const columns = [
    'radius',
    'length',
    'depth',
    'volume',
    'centroid',
    'area',
    'normalInertia',
    'axisInertia',
    'thirdInertia',
  ] as const;
  return referenceRows('gonthier-overlap', 'lying-cylinder', columns).flatMap((row) => {
    const got = metrics(new CylinderLying(row.radius, row.length), row.depth);
    const of = `lying cylinder, R ${row.radius} m, h ${row.depth} m`;
    return [
      figure(`V: ${of}`, 'm³', got.volume, row.volume, CLOSED),
      figure(`axis to centroid: ${of}`, 'm', -got.centroid[2], row.centroid, CLOSED),
      figure(`A_c: ${of}`, 'm²', got.area, row.area, CLOSED),
      figure(`J along the normal: ${of}`, 'm⁵', got.inertia[8], row.normalInertia, CLOSED),
      figure(`J along the axis: ${of}`, 'm⁵', got.inertia[0], row.axisInertia, CLOSED),
      figure(`third J: ${of}`, 'm⁵', got.inertia[4], row.thirdInertia, CLOSED),
    ];
  });
}

const BORE_COLUMNS = [
  'radius',
  'boreRadius',
  'depth',
  'volume',
  'ratio',
  'beyond',
  'xx',
  'yy',
  'zz',
  'gyration',
] as const;

/** Volume over that of the elliptic paraboloid of the same depth and curvatures. */
function paraboloidRatio(radius: number, boreRadius: number, depth: number): number {
  const across = (radius * boreRadius) / (boreRadius - radius);
  const limit = Math.PI * depth * depth * Math.sqrt(across * radius);
  return metrics(new SphereBore(radius, boreRadius), depth).volume / limit;
}

function bores(): Figure[] {
  return referenceRows('gonthier-overlap', 'bore', BORE_COLUMNS).flatMap((row) => {
    const { radius, boreRadius, depth } = row;
    const got = metrics(new SphereBore(radius, boreRadius), depth);
    const beyond = depth - radius - got.centroid[2];
    const ratio = paraboloidRatio(radius, boreRadius, depth);
    const [xx, yy, zz] = got.second;
    const of = `ball in a bore, h ${depth} m`;
    return [
      figure(`V: ${of}`, 'm³', got.volume, row.volume, QUADRATURE),
      figure(`V over the paraboloid: ${of}`, '1', ratio, row.ratio, QUADRATURE, 5e-7),
      figure(`centroid beyond the wall: ${of}`, 'm', beyond, row.beyond, QUADRATURE),
      figure(`S_xx: ${of}`, 'm⁵', xx, row.xx, QUADRATURE),
      figure(`S_yy: ${of}`, 'm⁵', yy, row.yy, QUADRATURE),
      figure(`S_zz: ${of}`, 'm⁵', zz, row.zz, QUADRATURE, half(row.zz, 5)),
      figure(`r_gyr: ${of}`, 'm', got.gyration, row.gyration, QUADRATURE),
    ];
  });
}

function edges(): Figure[] {
  const columns = [
    'y',
    'z',
    'volume',
    'centroidY',
    'centroidZ',
    'xx',
    'yy',
    'zz',
    'yz',
    'normalY',
    'normalZ',
    'gyration',
  ] as const;
  const form = new SphereSquareEdge(0.1);
  return referenceRows('gonthier-overlap', 'edge', columns).flatMap((row) => {
    const got = metrics(form, row.y - 0.3, row.z);
    const [xx, yy, zz, , , yz] = got.second;
    const normal = normalOf(got);
    const gyration = Math.sqrt(normal.moment / got.volume);
    const of = `ball on an edge, centre (${row.y}, ${row.z}) m`;
    return [
      figure(`V: ${of}`, 'm³', got.volume, row.volume, QUADRATURE),
      figure(`centroid y: ${of}`, 'm', got.centroid[1], row.centroidY, QUADRATURE),
      figure(`centroid z: ${of}`, 'm', got.centroid[2], row.centroidZ, QUADRATURE),
      figure(`S_xx: ${of}`, 'm⁵', xx, row.xx, QUADRATURE),
      figure(`S_yy: ${of}`, 'm⁵', yy, row.yy, QUADRATURE),
      figure(`S_zz: ${of}`, 'm⁵', zz, row.zz, QUADRATURE, half(row.zz, 7)),
      figure(`S_yz: ${of}`, 'm⁵', yz, row.yz, QUADRATURE),
      figure(`normal y: ${of}`, '1', normal.y, row.normalY, QUADRATURE, 5e-9),
      figure(`normal z: ${of}`, '1', normal.z, row.normalZ, QUADRATURE, 5e-9),
      figure(`r_gyr: ${of}`, 'm', gyration, row.gyration, QUADRATURE),
    ];
  });
}

function plots(): Plot[] {
  const cap = new SphereCap(1);
  const depths = Array.from({ length: 81 }, (_, k) => 0.005 * 400 ** (k / 80));
  const computed = depths.map((depth) => metrics(cap, depth));
  const table = referenceRows('gonthier-overlap', 'cap', CAP_COLUMNS);
  const tableDepths = table.map(({ radius, depth }) => depth / radius);
  const bore = referenceRows('gonthier-overlap', 'bore', BORE_COLUMNS);
  const boreDepths = Array.from({ length: 61 }, (_, k) => 1e-5 * 1e3 ** (k / 60));
  return [
    {
      title: 'Cap of a ball: volume over depth',
      xLabel: 'h/R, 1',
      yLabel: 'V/R³, 1',
      xScale: 'log',
      yScale: 'log',
      curves: [
        { name: 'computed', x: depths, y: computed.map(({ volume }) => volume) },
        {
          name: 'reference',
          x: tableDepths,
          y: table.map(({ radius, volume }) => volume / radius ** 3),
          kind: 'points',
        },
      ],
    },
    {
      title: 'Cap of a ball: radius of gyration over depth',
      xLabel: 'h/R, 1',
      yLabel: 'r_gyr/R, 1',
      xScale: 'log',
      curves: [
        { name: 'computed', x: depths, y: computed.map(({ gyration }) => gyration) },
        {
          name: 'reference',
          x: tableDepths,
          y: table.map(({ radius, gyration }) => gyration / radius),
          kind: 'points',
        },
        {
          name: 'thin cap, a/√3',
          x: depths.filter((h) => h <= 1),
          y: depths.filter((h) => h <= 1).map((h) => Math.sqrt((h * (2 - h)) / 3)),
          kind: 'bound',
        },
      ],
    },
    {
      title: 'Ball of 0.1 m in a bore of 1 m: volume over that of the paraboloid',
      xLabel: 'h, m',
      yLabel: 'V/(π h² √(R_x R)), 1',
      xScale: 'log',
      curves: [
        {
          name: 'computed',
          x: boreDepths,
          y: boreDepths.map((depth) => paraboloidRatio(0.1, 1, depth)),
        },
        {
          name: 'reference',
          x: bore.map(({ depth }) => depth),
          y: bore.map(({ ratio }) => ratio),
          kind: 'points',
        },
      ],
    },
  ];
}

export const overlapCase: ValidationCase = {
  name: 'overlap',
  title: 'Volume, centroid and inertia of simple overlaps',
  source: 'Gonthier 2007, chapter 4 and A.3; acceptance statement 11',
  description:
    'What the volumetric model needs of the space that two bodies share: ball on plane, two balls, box flat and tilted, lying cylinder, polyhedron, ball in a bore, ball on a square edge. Closed forms; for the last two Gauss–Legendre quadrature with 24 nodes over segments of circles.',
  equation:
    'V = ∫ dV, p_c = ∫ p dV / V, S = ∫ (p − p_c)(p − p_c)ᵀ dV, J_v = tr(S) 1 − S, J_nn = n·J_v n, r_gyr = √(J_nn/V)',
  tolerances:
    '1e-9 relative for closed forms, 1e-8 for quadratures (statement 11), or half a unit of the last given digit where that is coarser: 9 digits for the moments of the wedge, 5 to 7 for S_zz, 5 decimals for a tilt, 8 for a normal.',
  run() {
    const figures = [caps(), lenses(), boxes(), wedges(), cylinders(), bores(), edges()].flat();
    return { figures, plots: plots() };
  },
};
