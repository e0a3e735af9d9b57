/** A stick-slip rig as a model has it, and the peaks of its friction force (Gonthier 2007, 5.1.2). */
import { BerthError } from '../base/errors.ts';
import { ContactReadout, CONTACT_READOUT } from '../contact/contact-readout.ts';
import type { BodyModel, FrictionLawModel, SystemModel } from '../model/model.ts';
import { makeSystem } from '../system/system.ts';

/** Steps a period of the block on its spring: peaks of the published rig are then within 7e-5 N of those at 1 ms, 0.05 % of its dwell time. */
const STEPS = 2000;
/** Longest run as a multiple of the time in which the plate stretches the spring to breakaway, for each cycle. */
const TIME_OF_CYCLE = 2;
/** A cycle has its peak behind it when the force is below it by this share and the contact slips. */
const FALL = 0.02;
const HALF = 0.5;

/** A friction law that a rest makes stronger. */
export type DwellingLaw = Extract<FrictionLawModel, { dwellTime: number }>;

/** A block on a moving plate, held by a spring. */
export interface Rig {
  readonly model: SystemModel;
  readonly law: DwellingLaw;
  readonly plate: BodyModel;
  readonly block: BodyModel;
  /** N */
  readonly load: number;
}

const lengthOf = ([x, y, z]: readonly [number, number, number]): number =>
  Math.sqrt(x * x + y * y + z * z);

/** The parts of a rig. @throws BerthError for a model that is none */
export function rigOf(model: SystemModel): Rig {
  const { bodies, contacts, springs, gravity } = model;
  const law = contacts.length === 1 ? contacts[0].frictionLaw : null;
  const plate = bodies.find(({ motion }) => motion === 'prescribed');
  const block = bodies.find(({ motion }) => motion === 'dynamic');
  const complete = plate !== undefined && block !== undefined && springs.length === 1;
  if (law !== null && 'dwellTime' in law && complete && lengthOf(plate.velocity) > 0)
    return { model, law, plate, block, load: block.mass * lengthOf(gravity) };
  throw new BerthError(
    'BERTH_MISMATCH',
    `--scenario: "${model.name}" is no stick-slip rig; allowed: one contact with law bristle between a dynamic block under gravity and a prescribed plate that moves, and one spring, as bowden-leben`,
    { field: '--scenario' },
  );
}

/** Peaks of the first cycles with a law and a speed of the plate; fewer where it slides on. */
export function peaksOf(rig: Rig, law: DwellingLaw, speed: number, cycles: number): number[] {
  const { model, plate, block, load } = rig;
  const factor = speed / lengthOf(plate.velocity);
  const [x, y, z] = plate.velocity;
  const velocity = [x * factor, y * factor, z * factor] as const;
  const [{ stiffness }] = model.springs;
  const step = (2 * Math.PI * Math.sqrt(block.mass / stiffness)) / STEPS;
  const system = makeSystem({
    ...model,
    bodies: model.bodies.map((body) =>
      body === plate || body === block ? { ...body, velocity } : body,
    ),
    contacts: [{ ...model.contacts[0], frictionLaw: law }],
    step,
  });
  const readout = new Float64Array(CONTACT_READOUT.length);
  const longest = (TIME_OF_CYCLE * cycles * law.stiction * load) / (stiffness * speed);
  const peaks: number[] = [];
  let highest = 0;
  let slipping = false;
  while (peaks.length < cycles && system.time < longest) {
    if (system.step(step) !== 0) break;
    system.readContact(0, readout, 0);
    const sticks = readout[ContactReadout.stick] > HALF;
    const force = lengthOf([
      readout[ContactReadout.ft_x],
      readout[ContactReadout.ft_y],
      readout[ContactReadout.ft_z],
    ]);
    if (slipping) {
      if (!sticks) continue;
      slipping = false;
      highest = 0;
    }
    if (force > highest) highest = force;
    else if (!sticks && force < (1 - FALL) * highest) {
      peaks.push(highest);
      slipping = true;
    }
  }
  return peaks;
}
