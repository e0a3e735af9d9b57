/** Free bodies of cells in Berth: implicit contact, volumetric laws. */
import { contactKernels } from '../../config/contact-kernels.ts';
import { CONTACT_READOUT, ContactReadout, makeSystem, type SystemModel } from '../../src/index.ts';
import { body, system } from '../../test/fixtures/models.ts';
import { wrenchAt } from '../../test/fixtures/volumetric-models.ts';
import { type Engine, groundCells, type Scene } from './engine.ts';

function model(scene: Scene, stiffness: number): SystemModel {
  const { position, orientation, velocity, mass, cells } = scene;
  return system({
    gravity: scene.gravity,
    step: scene.step,
    integrator: 'implicit-contact',
    bodies: [
      body('box', 'dynamic', {
        mass,
        inertia: [...scene.moments, 0, 0, 0],
        position,
        orientation,
        velocity,
        angularVelocity: scene.spin,
        cells,
      }),
      body('ground', 'fixed', { cells: groundCells(scene) }),
    ],
    contacts: [
      {
        name: 'box-ground',
        bodyI: 'box',
        bodyJ: 'ground',
        pair: { kind: 'volumetric', maximumPairs: 64 },
        normalLaw: {
          kind: 'volumetric',
          stiffness,
          restitution: 0.3,
          smallVelocity: 1e-3,
          relaxationTime: 0,
        },
        frictionLaw: {
          kind: 'volumetric-bristle',
          stiction: scene.stiction,
          coulomb: scene.friction,
          bristleStiffness: 1e5,
          bristleDamping: 316.23,
          viscousDamping: 0,
          stribeckVelocity: 1e-2,
          dwellTime: 0.1,
          velocityTolerance: 1e-4,
          startsSticking: false,
        },
        rollingLaw: { kind: 'volumetric' },
      },
    ],
  });
}

/** Contact of volumes, of a stiffness in N/m³. */
export function berthCells(name: string, stiffness: number): Engine {
  return {
    name,
    contact: `volumes of overlap; compliant, double precision, JavaScript: implicit-contact, k = ${stiffness.toExponential()} N/m³, volumetric bristle friction with presliding and dwell`,
    unit: 'cell pairs',
    wrench: (scene) => wrenchAt(model(scene, stiffness)),
    make: (scene) => {
      const run = makeSystem(model(scene, stiffness), contactKernels());
      const kept = run.state.slice();
      const contact = new Float64Array(CONTACT_READOUT.length);
      return {
        push: (force, moment) => run.setExternalWrench(0, Float64Array.of(...force, ...moment), 0),
        mark: () => run.snapshot(kept),
        rewind: () => run.restore(kept),
        step: () => {
          if (run.step(scene.step) !== 0) throw new Error('Berth: the step failed');
        },
        read: (out) => run.readBody(0, out, 0),
        contacts: () => {
          run.readContact(0, contact, 0);
          return contact[ContactReadout.pairs];
        },
        free: () => undefined,
      };
    },
  };
}
