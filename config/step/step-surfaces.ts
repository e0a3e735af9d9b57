/** Surfaces of a representation (ISO 10303-42, 4.4) as surfaces of `src/shapes`, which have the same parameters. */
import type { SurfaceShape, SurfaceSpec } from '../../src/shapes/surfaces/surface-spec.ts';
import { curveOf } from './step-curves.ts';
import { quaternionOf, type StepGeometry } from './step-geometry.ts';
import { splineSurface } from './step-splines.ts';
import type { Instance } from './step-record.ts';

const READ = [
  'PLANE',
  'CYLINDRICAL_SURFACE',
  'CONICAL_SURFACE',
  'SPHERICAL_SURFACE',
  'TOROIDAL_SURFACE',
  'SURFACE_OF_LINEAR_EXTRUSION',
  'SURFACE_OF_REVOLUTION',
  'B_SPLINE_SURFACE_WITH_KNOTS',
  'BEZIER_SURFACE',
  'UNIFORM_SURFACE',
  'QUASI_UNIFORM_SURFACE',
];

/** A surface in metres, with its place. @throws BerthError for a kind that is not read, and for numbers that do not fit each other */
export function surfaceOf(geometry: StepGeometry, id: number): SurfaceSpec {
  return geometry.reader.within(id, (instance) => {
    const shape = splineSurface(geometry, instance) ?? sweptOf(geometry, instance);
    if (shape !== null) return { shape };
    const elementary = elementaryOf(geometry, instance);
    if (elementary === null) throw instance.unsupported('surface', READ);
    return elementary;
  });
}

function sweptOf(geometry: StepGeometry, instance: Instance): SurfaceShape | null {
  const extrusion = instance.find('SURFACE_OF_LINEAR_EXTRUSION');
  if (extrusion !== null) {
    return {
      kind: 'extrusion',
      curve: curveOf(geometry, extrusion.reference(1, 'swept_curve')),
      direction: geometry.vector(extrusion.reference(2, 'extrusion_axis')),
    };
  }
  const revolution = instance.find('SURFACE_OF_REVOLUTION');
  if (revolution === null) return null;
  const curve = curveOf(geometry, revolution.reference(1, 'swept_curve'));
  const { point, direction } = geometry.axis(revolution.reference(2, 'axis_position'));
  return { kind: 'revolution', curve, axisPoint: point, axis: direction };
}

function elementaryOf(geometry: StepGeometry, instance: Instance): SurfaceSpec | null {
  const placed = (position: number, shape: SurfaceShape): SurfaceSpec => {
    const axes = geometry.axes(position);
    return { shape, position: axes.origin, orientation: quaternionOf(axes) };
  };
  const plane = instance.find('PLANE');
  if (plane !== null) return placed(plane.reference(1, 'position'), { kind: 'plane' });
  const cylinder = instance.find('CYLINDRICAL_SURFACE');
  if (cylinder !== null) {
    const radius = geometry.size(cylinder, 2, 'radius');
    return placed(cylinder.reference(1, 'position'), { kind: 'cylinder', radius });
  }
  const cone = instance.find('CONICAL_SURFACE');
  if (cone !== null) {
    const radius = cone.real(2, 'radius') * geometry.units.metre;
    if (!(radius >= 0)) throw cone.error('radius', 'at least 0', cone.real(2, 'radius'));
    const halfAngle = geometry.angle(cone, 3, 'semi_angle');
    if (!(halfAngle > 0 && halfAngle < Math.PI / 2)) {
      throw cone.error('semi_angle', 'above 0° and below 90°', cone.real(3, 'semi_angle'));
    }
    return placed(cone.reference(1, 'position'), { kind: 'cone', radius, halfAngle });
  }
  const sphere = instance.find('SPHERICAL_SURFACE');
  if (sphere !== null) {
    const radius = geometry.size(sphere, 2, 'radius');
    return placed(sphere.reference(1, 'position'), { kind: 'sphere', radius });
  }
  const torus = instance.find('TOROIDAL_SURFACE');
  if (torus === null) return null;
  const majorRadius = geometry.size(torus, 2, 'major_radius');
  const minorRadius = geometry.size(torus, 3, 'minor_radius');
  if (minorRadius >= majorRadius) {
    const allowed = `below the major radius, ${torus.real(2, 'major_radius')}`;
    throw torus.error('minor_radius', allowed, torus.real(3, 'minor_radius'));
  }
  return placed(torus.reference(1, 'position'), { kind: 'torus', majorRadius, minorRadius });
}
