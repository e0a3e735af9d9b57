/** Checks of convex shapes. An error names the field, the value and the allowed range. */
import { BerthError } from '../base/errors.ts';
import {
  finite,
  list,
  notNegative,
  oneOf,
  plain,
  positive,
  range,
  unit,
} from '../base/parameter-checks.ts';
import { convexHull } from './convex-hull.ts';
import type { ConvexShapeModel, PlacedShape } from './shape-model.ts';

const KINDS = ['sphere', 'ellipsoid', 'box', 'cylinder', 'frustum', 'capsule', 'beam', 'mesh'];

/** Checks a length that must be positive, because contact needs volume. */
function extent(field: string, value: number): void {
  range(field, value, value > 0, '> 0 (a shape without thickness has no inside to penetrate)');
}

function checkMesh(field: string, vertices: readonly (readonly number[])[]): void {
  list(field, vertices);
  range(`${field}.length`, vertices.length, vertices.length >= 4, '>= 4 vertices');
  vertices.forEach((vertex, index) => {
    finite(`${field}[${index}]`, vertex, 3);
  });
  const hull = convexHull(vertices as MeshVertices);
  if (hull.faces.length > 0) return;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${field} to span a volume, got ${vertices.length} vertices in one plane (a flat shape has no inside to penetrate)`,
    { field },
  );
}
type MeshVertices = readonly (readonly [number, number, number])[];

/** Checks the dimensions of a shape. @throws BerthError */
export function checkShape(shape: ConvexShapeModel, field: string): void {
  oneOf(`${field}.kind`, shape.kind, KINDS);
  switch (shape.kind) {
    case 'sphere':
      positive(`${field}.radius`, shape.radius);
      return;
    case 'ellipsoid':
    case 'box':
      finite(`${field}.size`, shape.size, 3);
      shape.size.forEach((length, axis) => {
        extent(`${field}.size[${axis}]`, length);
      });
      return;
    case 'cylinder':
    case 'capsule':
      extent(`${field}.radius`, shape.radius);
      extent(`${field}.length`, shape.length);
      return;
    case 'frustum':
      extent(`${field}.radius`, shape.radius);
      extent(`${field}.length`, shape.length);
      range(
        `${field}.topRadius`,
        shape.topRadius,
        shape.topRadius >= 0 && shape.topRadius < shape.radius,
        `>= 0 and below the radius of the base, ${shape.radius}`,
      );
      return;
    case 'beam':
      extent(`${field}.length`, shape.length);
      extent(`${field}.width`, shape.width);
      extent(`${field}.thickness`, shape.thickness);
      return;
    case 'mesh':
      checkMesh(`${field}.vertices`, shape.vertices);
  }
}

/** Checks a shape and where it sits on its body. @throws BerthError */
export function checkPlacedShape(placed: PlacedShape, field: string): void {
  plain(field, placed);
  plain(`${field}.shape`, placed.shape);
  checkShape(placed.shape, `${field}.shape`);
  finite(`${field}.position`, placed.position, 3);
  finite(`${field}.orientation`, placed.orientation, 4);
  unit(`${field}.orientation`, placed.orientation);
  if (placed.smoothing !== undefined) notNegative(`${field}.smoothing`, placed.smoothing);
  if (placed.contactRadius !== undefined) positive(`${field}.contactRadius`, placed.contactRadius);
}
