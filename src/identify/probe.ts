/** Small systems of this project on which a law is measured: a ball whose motion is given, and a plate. */
import type { BodyModel, FrictionLawModel, NormalLawModel, SystemModel } from '../model/model.ts';
import { makeSystem, type System } from '../system/system.ts';
import { ContactReadout, CONTACT_READOUT } from '../contact/contact-readout.ts';

/** The radius has no part in a force at a given depth. */
const RADIUS = 0.05;
const STEP_s = 1e-3;

function body(name: string, motion: BodyModel['motion']): BodyModel {
  return {
    name,
    motion,
    mass: 1,
    inertia: [1, 1, 1, 0, 0, 0],
    rotationLocked: true,
    position: [0, 0, RADIUS],
    orientation: [0, 0, 0, 1],
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
  };
}

/** The model: body 0 is the plate, body 1 a ball of 1 kg that touches it at its start. */
export function probeModel(normalLaw: NormalLawModel, frictionLaw: FrictionLawModel): SystemModel {
  return {
    name: 'probe',
    gravity: [0, 0, 0],
    bodies: [{ ...body('plate', 'fixed'), position: [0, 0, 0] }, body('ball', 'prescribed')],
    contacts: [
      {
        name: 'contact',
        bodyI: 'ball',
        bodyJ: 'plate',
        pair: {
          kind: 'sphere-plane',
          radius: RADIUS,
          center: [0, 0, 0],
          normal: [0, 0, 1],
          offset: 0,
        },
        normalLaw,
        frictionLaw,
      },
    ],
    springs: [],
    tool: null,
    command: [],
    integrator: 'implicit-contact',
    step: STEP_s,
    maximumSubsteps: 100,
    duration: 1,
  };
}

/** A ball on a plate with these laws. */
export class Probe {
  readonly #system: System;
  readonly #motion = new Float64Array(13);
  readonly #readout = new Float64Array(CONTACT_READOUT.length);

  constructor(normalLaw: NormalLawModel, frictionLaw: FrictionLawModel = { kind: 'none' }) {
    this.#system = makeSystem(probeModel(normalLaw, frictionLaw));
    this.#motion[6] = 1;
  }

  /** Normal force of the ball at rest, N, its lowest point `gap` above the plate, m. */
  forceAt(gap: number): number {
    this.#place(gap, 0);
    this.#system.step(STEP_s);
    return this.#read(ContactReadout.normalForce);
  }

  /**
   * Friction over normal force after `time`, s, of sliding at `speed`, m/s, with the lowest point `depth` below the face of the plate, m.
   * Positive against the motion.
   */
  frictionAt(speed: number, depth: number, time: number): number {
    this.#place(-depth, speed);
    for (let n = Math.ceil(time / STEP_s); n > 0; n--) this.#system.step(STEP_s);
    return -this.#read(ContactReadout.ft_x) / this.#read(ContactReadout.normalForce);
  }

  #place(gap: number, speed: number): void {
    this.#motion[2] = RADIUS + gap;
    this.#motion[7] = speed;
    this.#system.setBodyMotion(1, this.#motion, 0);
  }

  #read(column: number): number {
    this.#system.readContact(0, this.#readout, 0);
    return this.#readout[column];
  }
}
