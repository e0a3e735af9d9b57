/**
 * B-spline curves and surfaces of a representation (ISO 10303-42): alone with all attributes, or complex with those of each type in a
 * record of its own, with weights or without; knots that are given, or those that Bézier, uniform and quasi-uniform ones have.
 */
import type { Triple } from '../../src/base/tuples.ts';
import { makeCurve, makeShape } from '../../src/shapes/surfaces/make-surface.ts';
import { CURVE_SLOTS, SURFACE_SLOTS } from '../../src/shapes/surfaces/surface.ts';
import type { NurbsCurve, NurbsSurface } from '../../src/shapes/surfaces/surface-spec.ts';
import type { StepGeometry } from './step-geometry.ts';
import type { Attributes, Instance } from './step-record.ts';
import { boxOf, length, minus } from './triples.ts';

/** Highest degree that surfaces take. */
const HIGHEST_DEGREE = 15;
/** Most control points of one curve or surface. */
const MOST_POINTS = 100_000;
/** Distance of two ends over the extent of the control points up to which they meet. */
const MEET = 1e-9;

/** Kinds whose knots follow from degree and number of points. */
const REGULAR = ['BEZIER', 'UNIFORM', 'QUASI_UNIFORM'] as const;
type Regular = (typeof REGULAR)[number];

/** Where the attributes of a spline are. */
interface Parts {
  /** Record with degrees and points, and where they begin in it. */
  readonly net: Attributes;
  readonly netAt: number;
  /** Record with multiplicities and knots, and where they begin in it; or how the knots follow. */
  readonly knots: Attributes | Regular;
  readonly knotsAt: number;
  readonly weights: Attributes | null;
}

/** Records of a spline; null when it is none. */
function partsOf(instance: Instance, what: 'CURVE' | 'SURFACE'): Parts | null {
  const withKnots = instance.find(`B_SPLINE_${what}_WITH_KNOTS`);
  const base = instance.find(`B_SPLINE_${what}`);
  const regular = REGULAR.find((kind) => instance.find(`${kind}_${what}`) !== null);
  const knots = withKnots ?? regular;
  if (knots === undefined) return null;
  if (instance.complex) {
    if (base === null) return null;
    const weights = instance.find(`RATIONAL_B_SPLINE_${what}`);
    return { net: base, netAt: 0, knots, knotsAt: 0, weights };
  }
  const net = withKnots ?? instance.find(`${regular}_${what}`);
  const knotsAt = what === 'CURVE' ? 6 : 8;
  return net === null ? null : { net, netAt: 1, knots, knotsAt, weights: null };
}

/** A curve; null when the instance is none of these. @throws BerthError for numbers that do not fit each other */
export function splineCurve(geometry: StepGeometry, instance: Instance): NurbsCurve | null {
  const parts = partsOf(instance, 'CURVE');
  if (parts === null) return null;
  const { net, netAt } = parts;
  const degree = net.whole(netAt, 'degree', 1, HIGHEST_DEGREE);
  const ids = net.references(netAt + 1, 'control_points_list');
  checkCount(net, ids.length, degree);
  const points = ids.map((id) => geometry.point(id));
  const knots = knotsOf(parts, 0, 1, degree, points.length, net);
  const weights = parts.weights?.reals(0, 'weights_data');
  if (weights !== undefined && parts.weights !== null) {
    checkWeights(parts.weights, weights, points.length);
  }
  const spec: NurbsCurve = { kind: 'nurbs', degree, knots, points, ...(weights && { weights }) };
  const curve = makeCurve(spec);
  const [a, b] = [0, 1].map((end) => {
    const out = new Float64Array(CURVE_SLOTS);
    curve.evaluate(curve.domain, end, out);
    return out;
  });
  return meets(a, b, extentOf(points)) ? { ...spec, closed: true } : spec;
}

/** A surface; null when the instance is none of these. @throws BerthError for numbers that do not fit each other */
export function splineSurface(geometry: StepGeometry, instance: Instance): NurbsSurface | null {
  const parts = partsOf(instance, 'SURFACE');
  if (parts === null) return null;
  const { net, netAt } = parts;
  const degreeU = net.whole(netAt, 'u_degree', 1, HIGHEST_DEGREE);
  const degreeV = net.whole(netAt + 1, 'v_degree', 1, HIGHEST_DEGREE);
  const rows = net.referenceRows(netAt + 2, 'control_points_list');
  const columns = rows.at(0)?.length ?? 0;
  checkCount(net, rows.length, degreeU);
  checkCount(net, columns, degreeV);
  checkCount(net, rows.length * columns, 1);
  rows.forEach(({ length: count }, k) => {
    if (count === columns) return;
    throw net.error(`row ${k + 1} of control_points_list`, `with ${columns} points`, count);
  });
  const points = rows.map((row) => row.map((id) => geometry.point(id)));
  const knotsU = knotsOf(parts, 0, 2, degreeU, rows.length, net);
  const knotsV = knotsOf(parts, 1, 3, degreeV, columns, net);
  const weights = parts.weights?.realRows(0, 'weights_data');
  if (weights !== undefined && parts.weights !== null) {
    if (weights.length !== rows.length) {
      throw parts.weights.error('weights_data', `with ${rows.length} rows`, weights.length);
    }
    for (const row of weights) checkWeights(parts.weights, row, columns);
  }
  const open: NurbsSurface = {
    kind: 'nurbs',
    degreeU,
    degreeV,
    knotsU,
    knotsV,
    points,
    ...(weights && { weights }),
  };
  return { ...open, ...closedSides(open) };
}

/** Whether opposite sides of a surface meet. */
function closedSides(spec: NurbsSurface): Pick<NurbsSurface, 'closedU' | 'closedV'> {
  const surface = makeShape(spec);
  const [lowU, highU, lowV, highV] = surface.domain;
  const extent = extentOf(spec.points.flat());
  const at = (u: number, v: number): Float64Array => {
    const out = new Float64Array(SURFACE_SLOTS);
    surface.evaluate(Float64Array.of(u, v), out);
    return out;
  };
  const parts = [0, 0.19, 0.5, 0.83, 1];
  const closedU = parts
    .map((part) => lowV + part * (highV - lowV))
    .every((v) => meets(at(lowU, v), at(highU, v), extent));
  const closedV = parts
    .map((part) => lowU + part * (highU - lowU))
    .every((u) => meets(at(u, lowV), at(u, highV), extent));
  return { ...(closedU && { closedU }), ...(closedV && { closedV }) };
}

const meets = (a: Float64Array, b: Float64Array, extent: number): boolean =>
  length(minus([a[0], a[1], a[2]], [b[0], b[1], b[2]])) <= MEET * extent;

function extentOf(points: readonly Triple[]): number {
  const { low, high } = boxOf(points);
  return Math.max(...minus(high, low));
}

function checkCount(net: Attributes, count: number, degree: number): void {
  if (count > degree && count <= MOST_POINTS) return;
  const allowed = `with ${degree + 1} to ${MOST_POINTS} points (degree + 1 at least)`;
  throw net.error('control_points_list', allowed, count);
}

function checkWeights(record: Attributes, weights: readonly number[], count: number): void {
  if (weights.length !== count) {
    throw record.error('weights_data', `with ${count} weights in a row`, weights.length);
  }
  const bad = weights.find((weight) => !(weight > 0));
  if (bad !== undefined) throw record.error('weights_data', 'above 0', bad);
}

/**
 * Every knot as often as it counts.
 * @param m,k places of multiplicities and knots behind the first of them
 */
function knotsOf(
  { knots, knotsAt }: Parts,
  m: number,
  k: number,
  degree: number,
  count: number,
  net: Attributes,
): number[] {
  if (typeof knots === 'string') return regularKnots(knots, degree, count, net);
  const multiplicities = knots.reals(knotsAt + m, 'multiplicities');
  const values = knots.reals(knotsAt + k, 'knots');
  if (multiplicities.length !== values.length) {
    const got = `${multiplicities.length} for ${values.length} knots`;
    throw knots.error('multiplicities', 'one for each knot', got);
  }
  const last = values.length - 1;
  values.forEach((value, i) => {
    const before = i === 0 ? -Infinity : values[i - 1];
    if (!(value > before)) throw knots.error('knots', `above the one before, ${before}`, value);
    const most = i === 0 || i === last ? degree + 1 : degree;
    const times = multiplicities[i];
    if (Number.isInteger(times) && times >= 1 && times <= most) return;
    throw knots.error(`multiplicity of knot ${value}`, `from 1 to ${most}`, times);
  });
  const sum = multiplicities.reduce((total, times) => total + times, 0);
  if (sum !== count + degree + 1) {
    const allowed = `${count + degree + 1} in sum (${count} points + degree ${degree} + 1)`;
    throw knots.error('multiplicities', allowed, sum);
  }
  return values.flatMap((value, i) => Array.from({ length: multiplicities[i] }, () => value));
}

/** Knots of ISO 10303-42, 4.4.37 to 4.4.39. */
function regularKnots(kind: Regular, degree: number, count: number, net: Attributes): number[] {
  if (kind === 'UNIFORM') return Array.from({ length: count + degree + 1 }, (_, i) => i - degree);
  const spans = kind === 'BEZIER' ? (count - 1) / degree : count - degree;
  if (!Number.isInteger(spans)) {
    throw net.error('control_points_list', `with 1 more than a multiple of ${degree}`, count);
  }
  const inside = kind === 'BEZIER' ? degree : 1;
  return Array.from({ length: spans + 1 }, (_, i) =>
    Array.from({ length: i === 0 || i === spans ? degree + 1 : inside }, () => i),
  ).flat();
}
