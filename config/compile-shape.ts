/** Compiles a convex shape of a scenario file to its plain description. */
import type { ConvexShapeModel } from '../src/model/model.ts';
import type { ScenarioShape } from './shape-schema.ts';

/** Compiles a convex shape. */
export function compileShape(source: ScenarioShape): ConvexShapeModel {
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
