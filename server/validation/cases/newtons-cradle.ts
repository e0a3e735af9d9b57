/** Newton's cradle: five pendulums that hit one after the other across gaps of 0.2 mm. `Modia3D, NewtonsCradle`. */
import type { SystemModel, TreeModel } from '../../../src/model/model.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  ENERGY_READOUT,
  EnergyReadout,
  makeSystem,
} from '../../../src/system/system.ts';
import {
  atMost,
  type CaseResult,
  curve,
  independent,
  printed,
  type ValidationCase,
} from '../case.ts';
import { modia3dContact, modia3dModel } from '../modia3d-world.ts';

const COUNT = 5;
const RADIUS = 0.01;
const WIRE = 0.15;
const SPACING = 0.0202;
/** Steel, 8000 kg/m³. */
const MASS = (4 / 3) * Math.PI * RADIUS ** 3 * 8000;
/** First hits along the row, s. */
const HITS = [0.2088014, 0.2090912, 0.209381, 0.2096709] as const;
/** Window in which the hits are timed, s, and its step. */
const WINDOW = [0.2086, 0.2098] as const;
const FINE = 1e-6;
/** Rows elsewhere, s: shorter than a contact, 0.13 ms. */
const ROW = 1e-4;

function pendulum(k: number): TreeModel {
  const moment = 0.4 * MASS * RADIUS * RADIUS;
  return {
    name: `pendulum ${k + 1}`,
    position: [k * SPACING, 0, 0],
    orientation: [0, 0, 0, 1],
    links: [
      {
        name: `ball ${k + 1}`,
        parent: -1,
        position: [0, 0, 0],
        orientation: [0, 0, 0, 1],
        // a positive angle turns towards +x
        joint: {
          kind: 'revolute',
          axis: [0, -1, 0],
          position: k === 0 ? -Math.PI / 3 : 0,
          rate: 0,
        },
        mass: MASS,
        center: [0, 0, -WIRE],
        inertia: [moment, moment, moment, 0, 0, 0],
      },
    ],
    frames: [],
  };
}

/** The cradle: links only, one contact between each two neighbours. */
export function cradleModel(parts: Partial<SystemModel> = {}): SystemModel {
  const indices = Array.from({ length: COUNT }, (_, k) => k);
  return modia3dModel({
    bodies: [],
    trees: indices.map(pendulum),
    contacts: indices.slice(1).map((k) =>
      modia3dContact(
        `ball ${k}`,
        `ball ${k + 1}`,
        {
          kind: 'sphere-sphere',
          radius: RADIUS,
          center: [0, 0, 0],
          radiusJ: RADIUS,
          centerJ: [0, 0, 0],
        },
        ['BilliardBall', 'BilliardBall'],
      ),
    ),
    step: 1e-3,
    relativeTolerance: 1e-9,
    absoluteTolerance: 1e-12,
    ...parts,
  });
}

function run(): CaseResult {
  const system = makeSystem(cradleModel());
  const state = new Float64Array(13);
  const contact = new Float64Array(CONTACT_READOUT.length);
  const energy = new Float64Array(ENERGY_READOUT.length);
  const touching = new Array<boolean>(COUNT - 1).fill(false);
  const firstHits = new Array<number>(COUNT - 1).fill(NaN);
  const times: number[] = [];
  const angles: number[][] = Array.from({ length: COUNT }, () => []);
  const motion = (k: number): readonly [number, number] => {
    system.readBody(k, state, 0);
    return [2 * Math.atan2(-state[4], state[6]), -state[11]];
  };
  const total = (): number => {
    system.readEnergy(energy, 0);
    return (
      energy[EnergyReadout.kinetic] +
      energy[EnergyReadout.potential] +
      energy[EnergyReadout.elastic]
    );
  };
  const start = total();
  let hitSpeed = NaN;
  let contacts = 0;
  let drift = 0;
  while (system.time < 5 - 1e-9) {
    const inWindow = system.time > WINDOW[0] - 1e-9 && system.time < WINDOW[1] - 1e-9;
    if (system.step(inWindow ? FINE : ROW) !== 0) break;
    for (let k = 0; k < COUNT - 1; k++) {
      system.readContact(k, contact, 0);
      const active = contact[ContactReadout.active] !== 0;
      if (active && !touching[k]) {
        contacts++;
        if (Number.isNaN(firstHits[k])) firstHits[k] = system.time;
        if (Number.isNaN(hitSpeed)) hitSpeed = contact[ContactReadout.impactSpeed];
      }
      touching[k] = active;
    }
    if (inWindow) continue;
    drift = Math.max(drift, Math.abs(total() - start));
    times.push(system.time);
    for (let k = 0; k < COUNT; k++) angles[k].push(motion(k)[0]);
  }
  const [angle, rate] = motion(0);
  return {
    figures: [
      ...HITS.map((time, k) =>
        independent(`first hit of balls ${k + 1} and ${k + 2}`, 's', firstHits[k], time, 2e-6),
      ),
      independent('speed of the first hit', 'm/s', hitSpeed, 1.211975, 1e-6),
      independent('contacts in 5 s', '1', contacts, 48, 0),
      independent('angle of ball 1 at 5 s', 'rad', angle, -1.0339365, 1e-5),
      independent('rate of ball 1 at 5 s', 'rad/s', rate, -1.180955, 1e-3),
      printed('angle of ball 1 at 5 s, recorded by Modia3D', 'rad', angle, -1.0339345, 1e-5),
      printed('rate of ball 1 at 5 s, recorded by Modia3D', 'rad/s', rate, -1.180792, 1e-3),
      ...[1, 2, 3, 4].map((k) =>
        independent(`angle of ball ${k + 1} at 5 s`, 'rad', motion(k)[0], 0.0184735, 1e-5),
      ),
      ...[1, 2, 3, 4].map((k) =>
        independent(`rate of ball ${k + 1} at 5 s`, 'rad/s', motion(k)[1], 0.049845, 1e-4),
      ),
      atMost('largest change of energy', 'J', drift, 5e-8 * MASS * 9.81 * WIRE),
    ],
    plots: [
      {
        title: 'Angles',
        xLabel: 'time, s',
        yLabel: 'angle, rad',
        curves: angles.map((values, k) => curve(`ball ${k + 1}`, times, values)),
      },
    ],
  };
}

export const newtonsCradleCase: ValidationCase = {
  name: 'newtons-cradle',
  title: "Newton's cradle",
  source: 'Modia3D, example NewtonsCradle (Neumayr and Otter); acceptance A10',
  description:
    'Five steel balls of 20 mm on wires of 150 mm, 0.2 mm apart, the first let go at −60°. Each is a tree of one link; billiard-ball contact with restitution 1. Adaptive Dormand–Prince, contacts located.',
  equation: 'f = c_res c_geo δ^1.5, no damping; each hit passes the momentum to the next ball',
  tolerances:
    'Hits are seen in rows of 1 µs: 2 µs. Angle 1e-5 rad and rate 1e-3 rad/s as A10 asks, for 48 impacts between two integrations; energy to 5e-8 of m g l, a relative 1e-9 in each of 48 impacts.',
  run,
};
