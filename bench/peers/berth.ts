/** The scenes in Berth: implicit contact, hysteretic normal law; the box stands on a small sphere at each lower corner. */
import { type IntegratorKind, makeSystem, type SystemModel } from '../../src/index.ts';
import { body, contact, INCLINE_BRISTLE, system } from '../../test/fixtures/models.ts';
import { type BoxScene, boxMoments, type Engine, gravityOf, type Running } from './engine.ts';

/** Radius of the feet of the box, m. */
const FOOT = 5e-3;

function running(model: SystemModel): Running {
  const run = makeSystem(model);
  const h = model.step;
  return {
    step: () => {
      if (run.step(h) !== 0) throw new Error('Berth: the step failed');
    },
    read: (out) => run.readBody(0, out, 0),
    free: () => undefined,
  };
}

function normalLaw(stiffness: number, restitution: number) {
  return {
    kind: 'hysteretic',
    stiffness,
    exponent: 1.5,
    restitution,
    smallVelocity: 1e-3,
    relaxationTime: 0,
  } as const;
}

function feet(scene: BoxScene, stiffness: number): SystemModel['contacts'] {
  const [a, b, c] = scene.size.map((edge) => edge / 2);
  return [-1, 1].flatMap((x) =>
    [-1, 1].map((y) =>
      contact('box', 'ground', {
        name: `foot ${x} ${y}`,
        pair: {
          kind: 'sphere-plane',
          radius: FOOT,
          center: [x * (a - FOOT), y * (b - FOOT), FOOT - c],
          normal: [0, 0, 1],
          offset: 0,
        },
        normalLaw: normalLaw(stiffness, 0.3),
        frictionLaw: { ...INCLINE_BRISTLE, stiction: scene.friction, coulomb: scene.friction },
      }),
    ),
  );
}

function engine(name: string, stiffness: number, integrator: IntegratorKind): Engine {
  return {
    name,
    contact: `compliant, double precision, JavaScript: ${integrator}, hysteretic law with exact damping, k = ${stiffness.toExponential()} N/m^1.5; bristle friction; the box has four feet`,
    ball: (scene) => {
      const inertia = 0.4 * scene.mass * scene.radius * scene.radius;
      return running(
        system({
          integrator,
          gravity: gravityOf(scene),
          step: scene.step,
          bodies: [
            body('ball', 'dynamic', {
              mass: scene.mass,
              inertia: [inertia, inertia, inertia, 0, 0, 0],
              position: [0, 0, scene.radius + scene.drop],
            }),
            body('ground', 'fixed'),
          ],
          contacts: [
            contact('ball', 'ground', {
              pair: {
                kind: 'sphere-plane',
                radius: scene.radius,
                center: [0, 0, 0],
                normal: [0, 0, 1],
                offset: 0,
              },
              normalLaw: normalLaw(stiffness, scene.restitution),
            }),
          ],
        }),
      );
    },
    box: (scene) =>
      running(
        system({
          integrator,
          gravity: gravityOf(scene),
          step: scene.step,
          bodies: [
            body('box', 'dynamic', {
              mass: scene.mass,
              inertia: [...boxMoments(scene), 0, 0, 0],
              position: [0, 0, scene.size[2] / 2 + scene.drop],
            }),
            body('ground', 'fixed'),
          ],
          contacts: feet(scene, stiffness),
        }),
      ),
  };
}

/** An impact takes 10 ms. */
export const BERTH: Engine = engine('Berth', 1e6, 'implicit-contact');
/** An impact takes 2 ms: several sub-steps. */
export const BERTH_STIFF: Engine = engine('Berth, stiff', 1e8, 'implicit-contact');
/** What the law of the first one returns, without the error of the step. */
export const BERTH_EXACT: Engine = engine('Berth, error-controlled', 1e6, 'dormand-prince');
