/** Small systems that the physics tests share: cases of `Gonthier 2007` chapter 5. */
import type {
  BodyModel,
  BristleModel,
  ContactModelSpec,
  IntegratorKind,
  SystemModel,
} from '../../src/index.ts';

/** A body with defaults. */
export function body(
  name: string,
  motion: BodyModel['motion'],
  parts: Partial<BodyModel> = {},
): BodyModel {
  return {
    name,
    motion,
    mass: 1,
    inertia: [1, 1, 1, 0, 0, 0],
    rotationLocked: false,
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
    ...parts,
  };
}

/** A system with defaults. */
export function system(parts: Partial<SystemModel>): SystemModel {
  return {
    name: 'test',
    gravity: [0, 0, 0],
    bodies: [],
    contacts: [],
    springs: [],
    tool: null,
    command: [],
    integrator: 'implicit-contact',
    step: 1e-3,
    maximumSubsteps: 64,
    duration: 1,
    ...parts,
  };
}

/** Sphere–plane contact with defaults: plane z = 0. */
export function contact(
  bodyI: string,
  bodyJ: string,
  parts: Partial<ContactModelSpec> = {},
): ContactModelSpec {
  return {
    name: `${bodyI}-${bodyJ}`,
    bodyI,
    bodyJ,
    pair: { kind: 'sphere-plane', radius: 0.1, center: [0, 0, 0], normal: [0, 0, 1], offset: 0 },
    normalLaw: {
      kind: 'hysteretic',
      stiffness: 1e6,
      exponent: 1.5,
      restitution: 0.5,
      smallVelocity: 1e-3,
      relaxationTime: 0,
    },
    frictionLaw: { kind: 'none' },
    ...parts,
  };
}

/** The bristle of the incline case. */
export const INCLINE_BRISTLE: BristleModel = {
  kind: 'bristle',
  stiction: 0.45,
  coulomb: 0.4,
  bristleStiffness: 1e5,
  bristleDamping: Math.sqrt(1e5),
  viscousDamping: 0,
  stribeckVelocity: 0.1,
  dwellTime: 0.01,
  velocityTolerance: 1e-3,
  startsSticking: false,
};

const SIN20 = Math.sin(Math.PI / 9);
const COS20 = Math.cos(Math.PI / 9);

/** Ball dropped on a 20 degree incline, 5.1.3. */
export function incline(integrator: IntegratorKind): SystemModel {
  return system({
    integrator,
    gravity: [0, 0, -9.81],
    bodies: [
      body('ball', 'dynamic', {
        mass: 2,
        inertia: [0.008, 0.008, 0.008, 0, 0, 0],
        position: [0, 0, 2],
        velocity: [-1, 0.5, 0],
      }),
      body('ground', 'fixed'),
    ],
    contacts: [
      contact('ball', 'ground', {
        pair: {
          kind: 'sphere-plane',
          radius: 0.1,
          center: [0, 0, 0],
          normal: [SIN20, 0, COS20],
          offset: 0.4,
        },
        frictionLaw: INCLINE_BRISTLE,
      }),
    ],
  });
}

/** Block on a belt held by a spring, 5.1.2. The belt runs at 45 degrees in the plane. */
export function bowdenLeben(integrator: IntegratorKind, speed: number): SystemModel {
  const v = speed * Math.SQRT1_2;
  return system({
    integrator,
    gravity: [0, 0, -10],
    bodies: [
      // the sphere rests at the depth where the elastic force is the weight: 1e7 δ^1.5 = 10
      body('block', 'dynamic', {
        rotationLocked: true,
        position: [0, 0, 0.1 - 1e-4],
        velocity: [v, v, 0],
      }),
      body('belt', 'prescribed', { velocity: [v, v, 0] }),
    ],
    springs: [{ body: 'block', anchor: [0, 0, 0.1 - 1e-4], stiffness: 2 }],
    contacts: [
      contact('block', 'belt', {
        normalLaw: {
          kind: 'hysteretic',
          stiffness: 1e7,
          exponent: 1.5,
          restitution: 0.5,
          smallVelocity: 1e-3,
          relaxationTime: 0,
        },
        frictionLaw: {
          kind: 'bristle',
          stiction: 0.15,
          coulomb: 0.1,
          bristleStiffness: 1e4,
          bristleDamping: Math.sqrt(1e5) / 10,
          viscousDamping: 0.01,
          stribeckVelocity: 1e-3,
          dwellTime: 2,
          velocityTolerance: 1e-5,
          startsSticking: true,
        },
      }),
    ],
  });
}

/** The half-sphere experiment 5.1.4: tool under accommodation, plate at z = 0, 0.2 mm away, pushing down −z. */
export function halfSphere(lag: number, parts: Partial<SystemModel> = {}): SystemModel {
  return system({
    bodies: [
      body('payload', 'prescribed', { position: [0, 0, 0.1002] }),
      body('arm', 'accommodated', { position: [0, 0, 0.1002] }),
      body('plate', 'fixed'),
    ],
    contacts: [
      contact('payload', 'plate', {
        normalLaw: {
          kind: 'hysteretic',
          stiffness: 2.5413e8,
          exponent: 1.5,
          restitution: 0.85,
          smallVelocity: 1e-3,
          relaxationTime: 0,
        },
        frictionLaw: {
          kind: 'bristle',
          stiction: 0.16,
          coulomb: 0.1,
          bristleStiffness: 1e5,
          bristleDamping: Math.sqrt(1e5),
          viscousDamping: 0,
          stribeckVelocity: 0.1,
          dwellTime: 0.01,
          velocityTolerance: 1e-3,
          startsSticking: false,
        },
      }),
    ],
    tool: {
      payload: 'payload',
      arm: 'arm',
      forceGain: 1e4,
      momentGain: 1e3,
      forceDeadband: 10,
      momentDeadband: 1,
      lag,
      maximumSpeed: 0.5,
      maximumAngularSpeed: 1,
    },
    command: [
      { time: 0, twist: [0, 0, -2e-3, 0, 0, 0] },
      { time: 3, twist: [0, 0, 1e-3, 0, 0, 0] },
    ],
    ...parts,
  });
}
