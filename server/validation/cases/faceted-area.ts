/** Springs on areas: the force of a ring on a cone while its facets become smaller. `LaFarge & Lewis 1998`. */
import { FacetCenters } from '../../../src/contact/faceted/facet-centers.ts';
import { FacetQuery } from '../../../src/proximity/facet-query.ts';
import { DIRECTION, DISTANCE } from '../../../src/proximity/witness-slots.ts';
import { makeFacetTree } from '../../../src/proximity/facet-tree.ts';
import { frustumSurface, torusSurface } from '../../../src/shapes/faceted-shapes.ts';
import { type FacetedSurface, makeFacets } from '../../../src/shapes/facets.ts';
import { closedForm, type Figure, independent, type ValidationCase } from '../case.ts';
import { referenceRows } from '../reference-data.ts';

const RADIUS = 0.05;
const TUBE = 0.018;
const BASE = 0.045;
const TOP = 0.015;
const LENGTH = 0.18;
const HEIGHT = 0.089830422;
const STANDOFF = 2e-3;
/** Weight of the ring, N. */
const WEIGHT = 0.08 * 9.81;
/** Facets of the cone: it lies inside the round one by 0.2 µm, 1e-3 of the depths. */
const CONE_AROUND = 960;
/** The part of a turn that is computed. */
const SECTORS = 16;

/** Polygons of a surface whose corners all satisfy a condition, moved up. */
function part(
  { vertices, polygons }: FacetedSurface,
  up: number,
  holds: (x: number, y: number, z: number) => boolean,
): FacetedSurface {
  const kept = polygons.filter((polygon) =>
    polygon.every((k) => holds(vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2])),
  );
  return {
    vertices: vertices.map((value, at) => (at % 3 === 2 ? value + up : value)),
    polygons: kept,
  };
}

/** ∫ δ n_z dA of the round ring over the round cone, m³: by the midpoint rule over the angle around the tube. */
function integral(): number {
  const angle = Math.atan((BASE - TOP) / LENGTH);
  const count = 2_000_000;
  let sum = 0;
  for (let k = 0; k < count; k++) {
    const t = (2 * Math.PI * (k + 0.5)) / count;
    const r = RADIUS + TUBE * Math.cos(t);
    const d = (r - BASE) * Math.cos(angle) + (HEIGHT + TUBE * Math.sin(t)) * Math.sin(angle);
    if (d < STANDOFF) sum += (STANDOFF - d) * r;
  }
  return (sum * Math.sin(angle) * TUBE * (2 * Math.PI) ** 2) / count;
}

/** The same sum over facets: by their centres, and by the nearest points of the facets. */
function sums(around: number, across: number): { centers: number; nearest: number } {
  const end = (2 * Math.PI) / SECTORS;
  const azimuth = (x: number, y: number): number => Math.atan2(y, x);
  const ring = part(torusSurface(RADIUS, TUBE, around, across), HEIGHT, (x, y, z) => {
    const inward = RADIUS - Math.hypot(x, y);
    return (
      azimuth(x, y) > -1e-9 && azimuth(x, y) < end + 1e-9 && inward > 0.8 * TUBE && z > -0.6 * TUBE
    );
  });
  const cone = part(
    frustumSurface(BASE, TOP, LENGTH, CONE_AROUND),
    0,
    (x, y) => azimuth(x, y) > -0.1 && azimuth(x, y) < end + 0.1,
  );
  const treeOf = (surface: FacetedSurface): ReturnType<typeof makeFacetTree> =>
    makeFacetTree(makeFacets(surface, 'surface'));
  const query = new FacetQuery(treeOf(ring), treeOf(cone), 1 << 16);
  const still = {
    rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    state: new Float64Array(3),
  };
  query.place(still.rotation, still.state, still.rotation, still.state);
  query.collect(Float64Array.of(STANDOFF));
  const { facets } = query.treeA;
  const centers = new FacetCenters(query, true);
  const byCenter = new Map<number, readonly [number, number]>();
  const byNearest = new Map<number, readonly [number, number]>();
  const keep = (map: typeof byCenter, facet: number, d: number, up: number): void => {
    if (d < STANDOFF && d < (map.get(facet)?.[0] ?? Infinity)) map.set(facet, [d, up]);
  };
  for (let k = 0; k < query.count; k++) {
    const f = query.facetsA[k];
    centers.measure(k);
    keep(byCenter, f, centers.result[DISTANCE], centers.result[DIRECTION + 2]);
    keep(byNearest, f, query.distances[k], query.directions[3 * k + 2]);
  }
  const total = (map: typeof byCenter): number =>
    [...map].reduce((sum, [f, [d, up]]) => sum + (STANDOFF - d) * up * facets.areas[f], 0) *
    SECTORS;
  return { centers: total(byCenter), nearest: total(byNearest) };
}

export const facetedAreaCase: ValidationCase = {
  name: 'faceted-area',
  title: 'Facets: springs on areas do not depend on the facets',
  source: 'LaFarge & Lewis 1998 (Sandia), extension; B21',
  description:
    'A ring around a cone with a spring for each area, `duplicates: area`: the sum over the centres of its facets beside the integral over the round ring, for three meshes. The sum over the nearest points of the facets is drawn beside it.',
  equation: 'F_z = k_A Σ A_i (d_s − d_i) n_z → k_A ∫ (d_s − d) n_z dA.',
  tolerances:
    'Integral 5e-16 m³, stiffness 5 N/m³: digits of the reference. Errors 0.3 % (B21): the cone of 960 facets takes 0.1 %, the place of the centres 0.05 %.',
  run() {
    const [whole] = referenceRows('sandia-faceted', 'area-integral', ['integral', 'stiffness']);
    const exact = integral();
    const figures: Figure[] = [
      independent('integral of the round ring', 'm³', exact, whole.integral, 5e-16),
      closedForm('stiffness that carries it', 'N/m³', WEIGHT / exact, whole.stiffness, 5),
    ];
    const rows = referenceRows('sandia-faceted', 'area', ['around', 'across', 'error']);
    const found = rows.map(({ around, across, error }) => {
      const sum = sums(around, across);
      const off = 100 * (sum.centers / exact - 1);
      figures.push(independent(`${around} × ${across} facets: error`, '%', off, error, 0.3));
      return { centers: Math.abs(off), nearest: 100 * (sum.nearest / exact - 1) };
    });
    const x = rows.map(({ across }) => across);
    return {
      figures,
      plots: [
        {
          title: 'Error of the force of a ring on a cone',
          xLabel: 'facets across the tube, 1',
          yLabel: 'error, %',
          xScale: 'log',
          yScale: 'log',
          curves: [
            { name: 'centres of the facets', x, y: found.map(({ centers }) => centers) },
            { name: 'nearest points of the facets', x, y: found.map(({ nearest }) => nearest) },
            {
              name: 'reference',
              x,
              y: rows.map(({ error }) => Math.abs(error)),
              kind: 'points',
            },
          ],
        },
      ],
    };
  },
};
