/** Contacts and bodies of Modia3D's examples, with the materials of config/materials/. */
import { type MaterialNames, materials } from '../../config/materials.ts';
import type { ContactModelSpec, PairModel, SystemModel } from '../../src/model/model.ts';
import type { ConvexShapeModel } from '../../src/shapes/shape-model.ts';
import { worldModel } from './world-models.ts';

/** What an example changes of its contacts. */
interface Modia3dOptions {
  /** k_red, 1 when left out. */
  readonly reductionFactor?: number;
}

/** A contact with the law, friction and rolling resistance of Modia3D. */
export function modia3dContact(
  bodyI: string,
  bodyJ: string,
  pair: PairModel,
  names: MaterialNames,
  options: Modia3dOptions = {},
): ContactModelSpec {
  const palette = materials();
  const elastic = palette.pair(names, 'materials');
  return {
    name: `${bodyI} on ${bodyJ}`,
    bodyI,
    bodyJ,
    pair,
    normalLaw: {
      kind: 'modia3d',
      contactModulus: palette.contactModulus(names, 'materials'),
      restitution: elastic.restitution,
      smallVelocity: elastic.small_velocity_mps,
      maximumDamping: 2000,
      reductionFactor: options.reductionFactor ?? 1,
    },
    frictionLaw: {
      kind: 'regularized-coulomb',
      coulomb: elastic.sliding_friction,
      regularization: 'modia3d',
      velocityTolerance: elastic.small_velocity_mps,
    },
    rollingLaw: {
      kind: 'modia3d',
      rollingFriction: elastic.rolling_resistance,
      angularVelocityTolerance: elastic.small_angular_velocity_radps,
    },
  };
}

/** Error-controlled as the examples' own figures are: z up, 9.81 m/s². */
export function modia3dModel(
  parts: Pick<SystemModel, 'bodies' | 'contacts' | 'step'> & Partial<SystemModel>,
): SystemModel {
  return worldModel({
    gravity: [0, 0, -9.81],
    integrator: 'dormand-prince',
    relativeTolerance: 1e-10,
    absoluteTolerance: 1e-13,
    ...parts,
  });
}

/** A sphere against the half-space z < 0. The force acts on the surface of the plane. */
export function onGround(radius: number): PairModel {
  return { kind: 'sphere-plane', radius, center: [0, 0, 0], normal: [0, 0, 1], offset: 0 };
}

/** A convex shape against a box whose top is z = 0. The force acts midway between the two surfaces, as in Modia3D. */
export function onBox(shape: ConvexShapeModel, size: readonly [number, number, number]): PairModel {
  return {
    kind: 'convex',
    shapeI: { shape, position: [0, 0, 0], orientation: [0, 0, 0, 1] },
    shapeJ: {
      shape: { kind: 'box', size },
      position: [0, 0, -size[2] / 2],
      orientation: [0, 0, 0, 1],
    },
  };
}
