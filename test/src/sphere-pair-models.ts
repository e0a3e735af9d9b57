/** A ball that a spring holds against each surface while it rubs, for tests that step every sphere pair. */
import type { PairModel, SystemModel, Triple } from '../../src/index.ts';
import { INCLINE_BRISTLE, body, contact, system } from './models.ts';

const sphere = { radius: 0.1, center: [0, 0, 0] } as const;
const DIAGONAL = Math.SQRT1_2;

/** Soft enough for one sub-step a millisecond. */
const SOFT = {
  kind: 'hysteretic',
  stiffness: 3e5,
  exponent: 1.5,
  restitution: 0.5,
  smallVelocity: 1e-3,
  relaxationTime: 0,
} as const;

/** The pair, where the ball starts (just in contact), and the motion of the surface into itself. */
interface Pressed {
  readonly pair: PairModel;
  readonly position: Triple;
  readonly outward: Triple;
  readonly velocity?: Triple;
  readonly spin?: Triple;
}

const PRESSED: Readonly<Record<string, Pressed>> = {
  edge: {
    pair: {
      kind: 'sphere-edge',
      ...sphere,
      edgePoint: [0, 0, 0],
      normal1: [0, 0, 1],
      normal2: [0, 1, 0],
    },
    position: [0, 0.0999 * DIAGONAL, 0.0999 * DIAGONAL],
    outward: [0, DIAGONAL, DIAGONAL],
    velocity: [0.01, 0, 0],
  },
  cylinder: {
    pair: {
      kind: 'sphere-cylinder',
      ...sphere,
      axisPoint: [0, 0, 0],
      axis: [0, 1, 0],
      cylinderRadius: 0.3,
      side: 'outside',
    },
    position: [0.3999, 0, 0],
    outward: [1, 0, 0],
    spin: [0, 0.5, 0],
  },
  bore: {
    pair: {
      kind: 'sphere-cylinder',
      ...sphere,
      axisPoint: [0, 0, 0],
      axis: [0, 1, 0],
      cylinderRadius: 0.3,
      side: 'inside',
    },
    position: [0.2001, 0, 0],
    outward: [-1, 0, 0],
    spin: [0, 0.5, 0],
  },
  tip: {
    pair: { kind: 'sphere-cone', ...sphere, apex: [0, 0, 0], axis: [0, 0, 1], apexAngle: 1 },
    position: [0, 0, 0.0999],
    outward: [0, 0, 1],
    spin: [0, 0, 0.5],
  },
  flank: {
    // half angle 30 degrees: normal (cos 30, 0, sin 30)
    pair: {
      kind: 'sphere-cone',
      ...sphere,
      apex: [0, 0, 0],
      axis: [0, 0, 1],
      apexAngle: Math.PI / 3,
    },
    position: [0.1 + 0.0999 * Math.cos(Math.PI / 6), 0, 0.0999 / 2 - 0.1 * Math.sqrt(3)],
    outward: [Math.cos(Math.PI / 6), 0, 0.5],
    spin: [0, 0, 0.5],
  },
  sphere: {
    pair: { kind: 'sphere-sphere', ...sphere, radiusJ: 0.2, centerJ: [0, 0, 0] },
    position: [0, 0.2999, 0],
    outward: [0, 1, 0],
    spin: [0, 0.5, 0],
  },
};

/** One system for each surface. The spring pulls the ball to half a radius above the surface, where it cannot get. */
export function pressedBalls(): SystemModel[] {
  return Object.entries(PRESSED).map(([name, { pair, position, outward, velocity, spin }]) =>
    system({
      name,
      bodies: [
        body('ball', 'dynamic', { inertia: [0.004, 0.004, 0.004, 0, 0, 0], position }),
        body('surface', 'prescribed', {
          velocity: velocity ?? [0, 0, 0],
          angularVelocity: spin ?? [0, 0, 0],
        }),
      ],
      contacts: [
        contact('ball', 'surface', { pair, normalLaw: SOFT, frictionLaw: INCLINE_BRISTLE }),
      ],
      springs: [
        {
          body: 'ball',
          anchor: [
            position[0] - 0.05 * outward[0],
            position[1] - 0.05 * outward[1],
            position[2] - 0.05 * outward[2],
          ],
          stiffness: 500,
        },
      ],
    }),
  );
}
