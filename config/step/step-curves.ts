/** Curves of a representation (ISO 10303-42, 4.4) as curves of `src/shapes`. */
import type { Triple } from '../../src/base/tuples.ts';
import type { CurveSpec, NurbsCurve } from '../../src/shapes/surfaces/surface-spec.ts';
import type { StepGeometry } from './step-geometry.ts';
import { splineCurve } from './step-splines.ts';
import { along, times } from './triples.ts';

const READ = [
  'LINE',
  'CIRCLE',
  'ELLIPSE',
  'B_SPLINE_CURVE_WITH_KNOTS',
  'BEZIER_CURVE',
  'UNIFORM_CURVE',
  'QUASI_UNIFORM_CURVE',
];
/** Curves on surfaces, whose first attribute behind the name is the curve in space. */
const ON_SURFACES = ['SURFACE_CURVE', 'SEAM_CURVE', 'INTERSECTION_CURVE'];

/** A curve in metres. @throws BerthError for a kind that is not read, and for numbers that do not fit each other */
export function curveOf(geometry: StepGeometry, id: number): CurveSpec {
  return geometry.reader.within(id, (instance): CurveSpec => {
    const spline = splineCurve(geometry, instance);
    if (spline !== null) return spline;
    const line = instance.find('LINE');
    if (line !== null) {
      return {
        kind: 'line',
        point: geometry.point(line.reference(1, 'pnt')),
        direction: geometry.vector(line.reference(2, 'dir')),
      };
    }
    const circle = instance.find('CIRCLE');
    if (circle !== null) {
      const { origin, x, z } = geometry.axes(circle.reference(1, 'position'));
      const radius = geometry.size(circle, 2, 'radius');
      return { kind: 'circle', center: origin, axis: z, reference: x, radius };
    }
    const ellipse = instance.find('ELLIPSE');
    if (ellipse !== null) {
      const { origin, x, y } = geometry.axes(ellipse.reference(1, 'position'));
      const a = geometry.size(ellipse, 2, 'semi_axis_1');
      const b = geometry.size(ellipse, 3, 'semi_axis_2');
      return ellipseOf(origin, times(a, x), times(b, y));
    }
    for (const kind of ON_SURFACES) {
      const found = instance.find(kind);
      if (found !== null) return curveOf(geometry, found.reference(1, 'curve_3d'));
    }
    throw instance.unsupported('curve', READ);
  });
}

/** An ellipse out of four rational quadratic arcs, exact (`Piegl & Tiller 1997, 7.3`). */
function ellipseOf(center: Triple, a: Triple, b: Triple): NurbsCurve {
  const corner = [1, 1, 0, -1, -1, -1, 0, 1, 1];
  const points = corner.map((x, k) => along(along(center, x, a), corner[(k + 6) % 8], b));
  const half = Math.sqrt(0.5);
  return {
    kind: 'nurbs',
    degree: 2,
    knots: [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4],
    points,
    weights: points.map((_, k) => (k % 2 === 0 ? 1 : half)),
    closed: true,
  };
}
