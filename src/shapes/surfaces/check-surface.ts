/** Checks of curves and surfaces. An error names the field, the value and what is allowed. It allocates. */
import { BerthError } from '../../base/errors.ts';
import {
  finite,
  flag,
  list,
  notNegative,
  oneOf,
  plain,
  positive,
  range,
  unit,
} from '../../base/parameter-checks.ts';
import { makeCurve, makeShape, makeSurface } from './make-surface.ts';
import { CURVE_SLOTS, normalOf, type Surface, SURFACE_SLOTS } from './surface.ts';
import type { CurveSpec, SurfaceShape, SurfaceSpec, SurfaceTrim } from './surface-spec.ts';
import { TrimRegion } from './trim-region.ts';

const CURVES = ['nurbs', 'line', 'circle'];
const SHAPES = ['nurbs', 'plane', 'cylinder', 'cone', 'sphere', 'torus', 'extrusion', 'revolution'];
/** Highest degree: B-splines of CAD programs have at most 9. */
const HIGHEST_DEGREE = 15;
/** Distance of the ends of a closed curve over the extent of its control points up to which they meet. */
const MEET = 1e-9;
/** Cosine of the angle between two unit vectors up to which they are at right angles. */
const SQUARE = 1e-6;
/** Places along each parameter at which a surface has to have a normal. */
const SAMPLES = 15;

const refused = (field: string, problem: string): BerthError =>
  new BerthError('BERTH_PARAMETER_RANGE', `Expected ${field} ${problem}`, { field });

function checkKnots(
  field: string,
  knots: readonly number[],
  degree: number,
  count: number,
  names: string,
): void {
  list(field, knots);
  finite(field, knots, count + degree + 1);
  let times = 1;
  for (let k = 1; k < knots.length; k++) {
    if (knots[k] < knots[k - 1])
      throw refused(`${field}[${k}]`, `>= the knot before it, ${knots[k - 1]}, got ${knots[k]}`);
    times = knots[k] === knots[k - 1] ? times + 1 : 1;
    const end = knots[k] === knots[0] || knots[k] === knots[knots.length - 1];
    const most = end ? degree + 1 : degree;
    if (times > most)
      throw refused(
        `${field}[${k}]`,
        `to stand at most ${most} times (${end ? 'an end' : 'inside'} at degree ${degree}), got ${knots[k]} ${times} times`,
      );
  }
  if (!(knots[degree] < knots[count]))
    throw refused(
      field,
      `to span a range of ${names} from knot ${degree} to knot ${count}, got ${knots[degree]} to ${knots[count]}`,
    );
}

function checkDegree(field: string, degree: number): void {
  const ok = Number.isInteger(degree) && degree >= 1 && degree <= HIGHEST_DEGREE;
  range(field, degree, ok, `to be a whole number from 1 to ${HIGHEST_DEGREE}`);
}

function checkPoints(field: string, points: readonly (readonly number[])[], least: number): void {
  list(field, points);
  range(`${field}.length`, points.length, points.length >= least, `>= ${least} (degree + 1)`);
  points.forEach((point, k) => {
    finite(`${field}[${k}]`, point, 3);
  });
}

function checkWeights(field: string, weights: readonly number[], count: number): void {
  finite(field, weights, count);
  weights.forEach((weight, k) => {
    positive(`${field}[${k}]`, weight);
  });
}

function notZero(field: string, vector: readonly number[]): void {
  finite(field, vector, 3);
  if (vector.every((value) => value === 0)) throw refused(field, 'to have a length, got 0');
}

function direction(field: string, vector: readonly number[]): void {
  finite(field, vector, 3);
  unit(field, vector);
}

/** Throws where two ends of a closed curve or surface are apart. */
function meet(field: string, gap: number, extent: number): void {
  if (gap <= MEET * extent) return;
  throw refused(field, `to have ends that meet, got ${gap} m between them`);
}

const extentOf = (points: readonly (readonly number[])[]): number =>
  Math.max(...[0, 1, 2].map((a) => spread(points.map((point) => point[a]))));
const spread = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), -Infinity) -
  values.reduce((least, value) => Math.min(least, value), Infinity);
const apart = (a: Float64Array, b: Float64Array): number => {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt(x * x + y * y + z * z);
};

/** Checks a curve. @throws BerthError */
export function checkCurve(curve: CurveSpec, field: string): void {
  plain(field, curve);
  oneOf(`${field}.kind`, curve.kind, CURVES);
  switch (curve.kind) {
    case 'nurbs': {
      checkDegree(`${field}.degree`, curve.degree);
      const { points, degree, weights } = curve;
      checkPoints(`${field}.points`, points, degree + 1);
      checkKnots(`${field}.knots`, curve.knots, degree, points.length, 'the parameter');
      if (weights !== undefined) checkWeights(`${field}.weights`, weights, points.length);
      if (curve.closed === undefined) return;
      flag(`${field}.closed`, curve.closed);
      if (!curve.closed) return;
      const open = makeCurve({ ...curve, closed: false });
      const [a, b] = [0, 1].map((slot) => {
        const out = new Float64Array(CURVE_SLOTS);
        open.evaluate(open.domain, slot, out);
        return out;
      });
      meet(`${field}.closed`, apart(a, b), extentOf(points));
      return;
    }
    case 'line':
      finite(`${field}.point`, curve.point, 3);
      notZero(`${field}.direction`, curve.direction);
      return;
    case 'circle': {
      finite(`${field}.center`, curve.center, 3);
      direction(`${field}.axis`, curve.axis);
      direction(`${field}.reference`, curve.reference);
      positive(`${field}.radius`, curve.radius);
      const cosine = curve.axis.reduce((sum, value, a) => sum + value * curve.reference[a], 0);
      if (Math.abs(cosine) > SQUARE)
        throw refused(`${field}.reference`, `across the axis, got a cosine of ${cosine} to it`);
    }
  }
}

function checkNet(shape: Extract<SurfaceShape, { kind: 'nurbs' }>, field: string): void {
  const { points, degreeU, degreeV, weights } = shape;
  checkDegree(`${field}.degreeU`, degreeU);
  checkDegree(`${field}.degreeV`, degreeV);
  list(`${field}.points`, points);
  const rows = points.length;
  range(`${field}.points.length`, rows, rows > degreeU, `>= ${degreeU + 1} (degreeU + 1)`);
  points.forEach((line, i) => {
    checkPoints(`${field}.points[${i}]`, line, degreeV + 1);
    if (line.length !== points[0].length)
      throw refused(
        `${field}.points[${i}]`,
        `to have as many points as the first line, ${points[0].length}, got ${line.length}`,
      );
  });
  checkKnots(`${field}.knotsU`, shape.knotsU, degreeU, rows, 'u');
  checkKnots(`${field}.knotsV`, shape.knotsV, degreeV, points[0].length, 'v');
  if (weights !== undefined) {
    list(`${field}.weights`, weights);
    range(`${field}.weights.length`, weights.length, weights.length === rows, `to be ${rows}`);
    weights.forEach((line, i) => {
      checkWeights(`${field}.weights[${i}]`, line, points[0].length);
    });
  }
  checkClosed(shape, field);
}

function checkClosed(shape: Extract<SurfaceShape, { kind: 'nurbs' }>, field: string): void {
  const open = makeShape({ ...shape, closedU: false, closedV: false });
  const [lowU, highU, lowV, highV] = open.domain;
  const extent = extentOf(shape.points.flat());
  const at = (u: number, v: number): Float64Array => {
    const out = new Float64Array(SURFACE_SLOTS);
    open.evaluate(Float64Array.of(u, v), out);
    return out;
  };
  for (const part of [0, 0.19, 0.5, 0.83, 1]) {
    const u = lowU + part * (highU - lowU);
    const v = lowV + part * (highV - lowV);
    if (shape.closedU === true) meet(`${field}.closedU`, apart(at(lowU, v), at(highU, v)), extent);
    if (shape.closedV === true) meet(`${field}.closedV`, apart(at(u, lowV), at(u, highV)), extent);
  }
}

/** Checks the shape of a surface. @throws BerthError */
function checkSurfaceShape(shape: SurfaceShape, field: string): void {
  plain(field, shape);
  oneOf(`${field}.kind`, shape.kind, SHAPES);
  switch (shape.kind) {
    case 'nurbs':
      checkNet(shape, field);
      return;
    case 'plane':
      return;
    case 'cylinder':
    case 'sphere':
      positive(`${field}.radius`, shape.radius);
      return;
    case 'cone':
      notNegative(`${field}.radius`, shape.radius);
      range(
        `${field}.halfAngle`,
        shape.halfAngle,
        shape.halfAngle > 0 && shape.halfAngle < Math.PI / 2,
        'above 0 and below pi/2 rad',
      );
      return;
    case 'torus':
      positive(`${field}.minorRadius`, shape.minorRadius);
      range(
        `${field}.majorRadius`,
        shape.majorRadius,
        shape.majorRadius > shape.minorRadius,
        `above the radius of the tube, ${shape.minorRadius}`,
      );
      return;
    case 'extrusion':
      checkCurve(shape.curve, `${field}.curve`);
      notZero(`${field}.direction`, shape.direction);
      return;
    case 'revolution':
      checkCurve(shape.curve, `${field}.curve`);
      finite(`${field}.axisPoint`, shape.axisPoint, 3);
      direction(`${field}.axis`, shape.axis);
  }
}

function checkRange(
  field: string,
  ends: readonly [number, number],
  low: number,
  high: number,
  period: number,
): void {
  finite(field, ends, 2);
  const width = ends[1] - ends[0];
  if (!(width > 0)) throw refused(field, `to rise, got ${ends[0]} to ${ends[1]}`);
  const slack = MEET * Math.max(1, Math.abs(low), Math.abs(high));
  if (period > 0) {
    if (width <= period + slack) return;
    throw refused(field, `to be at most one period, ${period}, wide, got ${width}`);
  }
  if (ends[0] >= low - slack && ends[1] <= high + slack) return;
  throw refused(field, `within ${low} and ${high}, got ${ends[0]} to ${ends[1]}`);
}

function checkTrim(trim: SurfaceTrim, surface: Surface, field: string): void {
  plain(field, trim);
  const { domain, periods } = surface;
  if (trim.u !== undefined) checkRange(`${field}.u`, trim.u, domain[0], domain[1], periods[0]);
  if (trim.v !== undefined) checkRange(`${field}.v`, trim.v, domain[2], domain[3], periods[1]);
  const [lowU, highU] = trim.u ?? [domain[0], domain[1]];
  const [lowV, highV] = trim.v ?? [domain[2], domain[3]];
  if (trim.loops === undefined) return;
  list(`${field}.loops`, trim.loops);
  trim.loops.forEach((loop, k) => {
    const name = `${field}.loops[${k}]`;
    list(name, loop);
    range(`${name}.length`, loop.length, loop.length >= 4, '>= 4 points, the last one the first');
    loop.forEach(([u, v], p) => {
      finite(`${name}[${p}]`, loop[p], 2);
      if (u >= lowU && u <= highU && v >= lowV && v <= highV) return;
      throw refused(
        `${name}[${p}]`,
        `within ${lowU} and ${highU} and within ${lowV} and ${highV}, got ${u}, ${v}`,
      );
    });
    const first = loop[0];
    const last = loop[loop.length - 1];
    if (first[0] === last[0] && first[1] === last[1]) return;
    throw refused(
      name,
      `to end where it begins, ${first[0]}, ${first[1]}, got ${last[0]}, ${last[1]}: an open loop has no inside`,
    );
  });
}

/** A normal at places all over what is there of a surface that has ends, its border left out: poles may lie there. */
function checkNormals(surface: Surface, trim: SurfaceTrim | undefined, field: string): void {
  const region = new TrimRegion(surface, trim);
  const [lowU, highU, lowV, highV] = region.range;
  if (![lowU, highU, lowV, highV].every(Number.isFinite)) return;
  const at = new Float64Array(2);
  const out = new Float64Array(SURFACE_SLOTS);
  const normal = new Float64Array(3);
  for (let i = 0; i < SAMPLES; i++) {
    for (let j = 0; j < SAMPLES; j++) {
      at[0] = lowU + ((i + 0.5) / SAMPLES) * (highU - lowU);
      at[1] = lowV + ((j + 0.5) / SAMPLES) * (highV - lowV);
      if (!region.contains(at)) continue;
      surface.evaluate(at, out);
      if (normalOf(normal, 0, out, surface.sign)) continue;
      throw refused(
        field,
        `to have a normal everywhere, got none at u = ${at[0]}, v = ${at[1]}: its derivatives are parallel or 0 there`,
      );
    }
  }
}

/** Checks a surface, its place and what is cut off it. @throws BerthError */
export function checkSurface(spec: SurfaceSpec, field: string): void {
  plain(field, spec);
  checkSurfaceShape(spec.shape, `${field}.shape`);
  if (spec.position !== undefined) finite(`${field}.position`, spec.position, 3);
  if (spec.orientation !== undefined) {
    finite(`${field}.orientation`, spec.orientation, 4);
    unit(`${field}.orientation`, spec.orientation);
  }
  const { sign = 1 } = spec;
  range(`${field}.sign`, sign, [1, -1].includes(sign), 'to be 1 or -1');
  const surface = makeSurface(spec);
  if (spec.trim !== undefined) checkTrim(spec.trim, surface, `${field}.trim`);
  checkNormals(surface, spec.trim, `${field}.shape`);
}
