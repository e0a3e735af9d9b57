/** Systems with contacts of free form, and the same with the closed-form pairs. */
import type {
  ContactModelSpec,
  FreeformPairModel,
  IntegratorKind,
  PairModel,
  SurfaceSpec,
  SystemModel,
  Triple,
} from '../../src/index.ts';
import { torusPatch } from './surface-samples.ts';
import { bodyModel, mechanismModel } from './world-models.ts';

const BALL = 0.1;
const BOWL = 0.5;
/** A ball about the middle of its body. */
export const ROUND = { kind: 'ball', radius: BALL, center: [0, 0, 0] } as const;

/** The bowl as one rational patch of ±60°, its middle at the bottom, hollow side up. */
export const BOWL_FACE: SurfaceSpec = {
  shape: torusPatch(0, BOWL, Math.PI / 3),
  orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], // takes its middle, +x, to −z
  sign: -1,
};

/** A ball over a fixed ground. */
export function ballOn(
  pair: PairModel,
  at: Triple,
  parts: {
    readonly velocity?: Triple;
    readonly gravity?: Triple;
    readonly integrator?: IntegratorKind;
    readonly step?: number;
    readonly contact?: Partial<ContactModelSpec>;
  } = {},
): SystemModel {
  return mechanismModel({
    gravity: parts.gravity ?? [0, 0, -9.81],
    integrator: parts.integrator ?? 'implicit-contact',
    step: parts.step ?? 1e-3,
    bodies: [
      bodyModel('ball', 'dynamic', {
        inertia: [0.004, 0.004, 0.004, 0, 0, 0],
        position: at,
        velocity: parts.velocity ?? [0, 0, 0],
      }),
      bodyModel('ground', 'fixed'),
    ],
    contacts: [
      {
        name: 'ball-ground',
        bodyI: 'ball',
        bodyJ: 'ground',
        pair,
        normalLaw: {
          kind: 'hysteretic',
          stiffness: 1e6,
          exponent: 1.5,
          restitution: 0.5,
          smallVelocity: 1e-3,
          relaxationTime: 0,
        },
        frictionLaw: { kind: 'none' },
        ...parts.contact,
      },
    ],
  });
}

/** A ball in a spherical bowl, 30° from its bottom. */
export function inBowl(parts: Parameters<typeof ballOn>[2] = {}): SystemModel {
  const pair: FreeformPairModel = {
    kind: 'freeform',
    surfacesI: ROUND,
    surfacesJ: { kind: 'faces', faces: [BOWL_FACE] },
    contactRadius: BALL,
  };
  return ballOn(pair, [0.2, 0, -Math.sqrt(0.16 - 0.04)], parts);
}

const PLATE: SurfaceSpec = { shape: { kind: 'plane' }, trim: { u: [-1, 1], v: [-1, 1] } };

/** A ball dropped at a slant on a plate with friction: `closed` by the pair of sphere and plane. */
export function onPlate(closed: boolean, parts: Parameters<typeof ballOn>[2] = {}): SystemModel {
  const pair: PairModel = closed
    ? { kind: 'sphere-plane', radius: BALL, center: [0, 0, 0], normal: [0, 0, 1], offset: 0 }
    : {
        kind: 'freeform',
        surfacesI: ROUND,
        surfacesJ: { kind: 'faces', faces: [PLATE] },
        contactRadius: BALL,
      };
  return ballOn(pair, [-0.3, 0.1, 0.12], { velocity: [0.4, -0.1, 0], ...parts });
}

/** A ball that slides off the border of a plate: its contact goes over the edge, and it falls. */
export function offPlate(parts: Parameters<typeof ballOn>[2] = {}): SystemModel {
  const pair: FreeformPairModel = {
    kind: 'freeform',
    surfacesI: ROUND,
    surfacesJ: { kind: 'faces', faces: [PLATE] },
  };
  return ballOn(pair, [0.95, 0.1, 0.1 - (9.81 / 1e6) ** (2 / 3)], {
    velocity: [0.5, 0, 0],
    ...parts,
  });
}
