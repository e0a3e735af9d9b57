/** Compiles a convex shape of a scenario file to its plain description. */
import type { ConvexShapeModel, PlacedShape } from '../src/model/model.ts';
import { compileOrientation } from './orientation.ts';
import type { ScenarioPlacedShape } from './shape-schema.ts';

/** Compiles a placed shape; `field` is its position in the file. */
export function compilePlacedShape(source: ScenarioPlacedShape, field: string): PlacedShape {
  const placed = {
    shape: compileShape(source.shape),
    position: source.position_m,
    orientation: compileOrientation(source.orientation, `${field}.orientation`),
    smoothing: source.smoothing_m,
  };
  const radius = source.contact_radius_m;
  return radius === undefined ? placed : { ...placed, contactRadius: radius };
}

/** Compiles a convex shape. */
export function compileShape(source: ScenarioPlacedShape['shape']): ConvexShapeModel {
  switch (source.kind) {
    case 'sphere':
      return { kind: 'sphere', radius: source.radius_m };
    case 'ellipsoid':
    case 'box':
      return { kind: source.kind, size: source.size_m };
    case 'cylinder':
    case 'capsule':
      return { kind: source.kind, radius: source.radius_m, length: source.length_m };
    case 'frustum':
      return {
        kind: 'frustum',
        radius: source.radius_m,
        topRadius: source.top_radius_m,
        length: source.length_m,
      };
    case 'beam':
      return {
        kind: 'beam',
        length: source.length_m,
        width: source.width_m,
        thickness: source.thickness_m,
      };
    case 'mesh':
      return { kind: 'mesh', vertices: source.vertices_m };
  }
}
