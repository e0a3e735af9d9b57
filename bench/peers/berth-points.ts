/**
 * Balls and boxes on a plane in Berth, with contact at points: implicit contact, hysteretic normal law; a box stands on a small sphere
 * at each lower corner.
 */
import { contactKernels } from '../../config/contact-kernels.ts';
import { type IntegratorKind, makeSystem, type SystemModel } from '../../src/index.ts';
import { body, contact, INCLINE_BRISTLE, system } from '../../test/fixtures/models.ts';
import { type Engine, type Running, type Scene, shapeOf } from './engine.ts';

/** Radius of the feet of a box, m. */
const FOOT = 5e-3;

/** A sphere of the body that may touch the plane. */
interface Foot {
  readonly radius: number;
  readonly center: readonly [number, number, number];
}

function feet(scene: Scene): Foot[] {
  if (scene.ground !== 'plane' || scene.cells.length !== 1) {
    throw new Error('Expected one ball or box on a plane');
  }
  return shapeOf<Foot[]>(scene.cells[0], {
    box: ([a, b, c]) =>
      [-1, 1].flatMap((x) =>
        [-1, 1].map(
          (y): Foot => ({
            radius: FOOT,
            center: [x * (a - FOOT), y * (b - FOOT), FOOT - c],
          }),
        ),
      ),
    sphere: (radius) => [{ radius, center: [0, 0, 0] }],
    hull: () => {
      throw new Error('Expected a ball or a box, got a hull');
    },
  });
}

function model(scene: Scene, stiffness: number, integrator: IntegratorKind): SystemModel {
  const normalLaw = {
    kind: 'hysteretic',
    stiffness,
    exponent: 1.5,
    restitution: scene.restitution === 0 ? 0.3 : scene.restitution,
    smallVelocity: 1e-3,
    relaxationTime: 0,
  } as const;
  const rough =
    scene.friction === 0
      ? {}
      : {
          frictionLaw: { ...INCLINE_BRISTLE, stiction: scene.stiction, coulomb: scene.friction },
        };
  return system({
    integrator,
    gravity: scene.gravity,
    step: scene.step,
    bodies: [
      body('body', 'dynamic', {
        mass: scene.mass,
        inertia: [...scene.moments, 0, 0, 0],
        position: scene.position,
        orientation: scene.orientation,
        velocity: scene.velocity,
        angularVelocity: scene.spin,
      }),
      body('ground', 'fixed'),
    ],
    contacts: feet(scene).map(({ radius, center }, k) =>
      contact('body', 'ground', {
        name: `foot ${k}`,
        pair: { kind: 'sphere-plane', radius, center, normal: [0, 0, 1], offset: 0 },
        normalLaw,
        ...rough,
      }),
    ),
  });
}

function make(scene: Scene, stiffness: number, integrator: IntegratorKind): Running {
  const run = makeSystem(model(scene, stiffness, integrator), contactKernels());
  const kept = run.state.slice();
  const points = feet(scene).length;
  return {
    push: (force, moment) => run.setExternalWrench(0, Float64Array.of(...force, ...moment), 0),
    mark: () => run.snapshot(kept),
    rewind: () => run.restore(kept),
    step: () => {
      if (run.step(scene.step) !== 0) throw new Error('Berth: the step failed');
    },
    read: (out) => run.readBody(0, out, 0),
    contacts: () => points,
    free: () => undefined,
  };
}

/** Contact at points, of a stiffness in N/m^1.5. */
export function berthPoints(
  name: string,
  stiffness: number,
  integrator: IntegratorKind = 'implicit-contact',
): Engine {
  return {
    name,
    contact: `points; compliant, double precision, JavaScript: ${integrator}, hysteretic law, k = ${stiffness.toExponential()} N/m^1.5, bristle friction with presliding; a box has four feet`,
    unit: 'points',
    make: (scene) => make(scene, stiffness, integrator),
  };
}
