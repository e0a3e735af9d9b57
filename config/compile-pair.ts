/** From a geometric pair as people write it to its plain description. */
import type { PairModel, Triple } from '../src/model/model.ts';
import { compilePlacedShape } from './compile-shape.ts';
import type { ScenarioPair } from './pairs.ts';
import { unit } from './unit-vector.ts';

/** The plain description of a pair; `field` is its place in the file. */
export function compilePair(source: ScenarioPair, field: string): PairModel {
  const direction = (vector: Triple, name: string): Triple => unit(vector, `${field}.${name}`);
  if (source.kind === 'convex') {
    return {
      kind: 'convex',
      shapeI: compilePlacedShape(source.shape_i, `${field}.shape_i`),
      shapeJ: compilePlacedShape(source.shape_j, `${field}.shape_j`),
    };
  }
  if (source.kind === 'volumetric') {
    const { method, normal, maximum_pairs: most, shared_impact_speed: shares } = source;
    const pair = { kind: 'volumetric', method, normal, sharedImpactSpeed: shares } as const;
    return most === undefined ? pair : { ...pair, maximumPairs: most };
  }
  const sphere = { radius: source.radius_m, center: source.center_m };
  switch (source.kind) {
    case 'sphere-plane':
      return {
        kind: 'sphere-plane',
        ...sphere,
        normal: direction(source.normal, 'normal'),
        offset: source.offset_m,
      };
    case 'sphere-edge':
      return {
        kind: 'sphere-edge',
        ...sphere,
        edgePoint: source.edge_m,
        normal1: direction(source.normal_1, 'normal_1'),
        normal2: direction(source.normal_2, 'normal_2'),
      };
    case 'sphere-cylinder':
      return {
        kind: 'sphere-cylinder',
        ...sphere,
        axisPoint: source.axis_point_m,
        axis: direction(source.axis, 'axis'),
        cylinderRadius: source.cylinder_radius_m,
        side: source.side,
      };
    case 'sphere-cone':
      return {
        kind: 'sphere-cone',
        ...sphere,
        apex: source.apex_m,
        axis: direction(source.axis, 'axis'),
        apexAngle: source.apex_angle_rad,
      };
    case 'sphere-sphere':
      return {
        kind: 'sphere-sphere',
        ...sphere,
        radiusJ: source.radius_j_m,
        centerJ: source.center_j_m,
      };
  }
}
