/** Cam and follower: force of the driven cam beside its law, the cam left to itself, lift-off without a spring. `Tasora, cam benchmark`. */
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  EnergyReadout,
  makeSystem,
  type System,
} from '../../../src/system/system.ts';
import {
  atMost,
  closedForm,
  type Curve,
  curve,
  type Figure,
  independent,
  type ValidationCase,
} from '../case.ts';
import { CAM, camForce, camLaw } from '../cam-law.ts';

const DEGREE = Math.PI / 180;
/** Steps of the driven cam: 1.5° each, so that they meet the angles of the figures and the junctions of the law. */
const DRIVEN_STEP = 1 / 1200;
/** Of the run without a spring: a hundredth of the time to the lift-off's tolerance. */
const LIFT_STEP = 2e-5;
const state = new Float64Array(13);
const row = new Float64Array(CONTACT_READOUT.length);

/** Model of the scenario; `free` leaves the cam to itself. */
function camModel(free: boolean, changes: readonly string[] = []): SystemModel {
  const model = compileScenario(loadScenario('cam-follower', changes));
  if (!free) return model;
  const constraints = (model.constraints ?? []).map((one) => {
    if (one.kind !== 'lock' || one.rotationMotion === undefined) return one;
    const { rotationMotion: _, ...shaft } = one;
    return { ...shaft, rotation: ['x', 'y'] as const };
  });
  return { ...model, constraints };
}

/** Without spring and row: the tip may leave the cam, on which it lies by a stiff contact. */
function liftModel(): SystemModel {
  const model = camModel(false);
  const rows = model.constraints ?? [];
  const sliding = rows.find((one) => one.kind === 'sliding');
  if (sliding?.kind !== 'sliding') throw new Error('cam-follower has a sliding contact');
  return {
    ...model,
    springs: [],
    integrator: 'rk4',
    constraints: rows.filter((one) => one !== sliding),
    contacts: [
      {
        name: 'tip-on-cam',
        bodyI: 'follower',
        bodyJ: 'cam',
        pair: {
          kind: 'freeform',
          surfacesI: { kind: 'ball', radius: CAM.tip, center: [0, 0, 0] },
          surfacesJ: {
            kind: 'faces',
            faces: [{ ...sliding.second.surface, trim: { v: [-0.01, 0.01] } }],
          },
          contactRadius: CAM.tip,
        },
        normalLaw: { kind: 'kelvin-voigt', stiffness: 1e8, damping: 700 },
        frictionLaw: { kind: 'none' },
      },
    ],
  };
}

function pressOf(system: System): number {
  system.readConstraint(2, row, 0);
  return Math.sqrt(row[0] ** 2 + row[1] ** 2 + row[2] ** 2);
}

interface Turn {
  readonly degrees: number[];
  readonly force: number[];
  readonly law: number[];
  readonly speed: number[];
  readonly acceleration: number[];
  /** Largest errors of way, speed and acceleration. */
  readonly errors: number[];
}

/** One turn of the driven cam. */
function drivenTurn(): Turn {
  const system = makeSystem(camModel(false));
  const turn: Turn = {
    degrees: [],
    force: [],
    law: [],
    speed: [],
    acceleration: [],
    errors: [0, 0, 0],
  };
  for (let k = 0; k <= 240; k++) {
    const angle = 1.5 * k * DEGREE;
    const [s, s1, s2] = camLaw(angle);
    system.readBody(1, state, 0);
    turn.degrees.push(1.5 * k);
    turn.force.push(pressOf(system));
    turn.law.push(camForce(angle));
    const way = state[1] - CAM.pitch;
    const acceleration = (row[1] - CAM.preload - CAM.stiffness * way) / CAM.mass - CAM.gravity;
    turn.speed.push(state[8]);
    turn.acceleration.push(acceleration);
    [way - s, state[8] - s1 * CAM.rate, acceleration - s2 * CAM.rate ** 2].forEach((error, a) => {
      turn.errors[a] = Math.max(turn.errors[a], Math.abs(error));
    });
    if (system.step(DRIVEN_STEP) !== 0) break;
  }
  return turn;
}

function drivenFigures(turn: Turn): Figure[] {
  const at = (degrees: number): number => turn.force[turn.degrees.indexOf(degrees)];
  const [way, speed, acceleration] = turn.errors;
  return [
    independent('driven: force at the junction, 0°', 'N', at(0), 44.963, 1e-3),
    ...[30, 60, 90, 135, 210, 300].map((degrees) =>
      closedForm(
        `driven: force at ${degrees}°`,
        'N',
        at(degrees),
        camForce(degrees * DEGREE),
        1e-3,
      ),
    ),
    atMost('driven: error of the way, one turn', 'm', way, 6e-9),
    atMost('driven: error of the speed', 'm/s', speed, 2e-5),
    atMost('driven: error of the acceleration', 'm/s²', acceleration, 0.13),
  ];
}

/** Angle after 0.4 s, rad, and the largest balance of the ledger, J. */
function freeRun(changes: readonly string[]): readonly [number, number] {
  const system = makeSystem(camModel(true, changes));
  const { step } = system.model;
  let angle = 0;
  let balance = 0;
  for (let k = Math.round(0.4 / step); k > 0; k--) {
    if (system.step(step) !== 0) return [NaN, NaN];
    system.readBody(0, state, 0);
    const turn = 2 * Math.atan2(state[5], state[6]);
    angle = turn + 2 * Math.PI * Math.round((angle - turn) / (2 * Math.PI));
    system.readEnergy(row, 0);
    balance = Math.max(balance, Math.abs(row[EnergyReadout.balance]));
  }
  return [angle, balance];
}

function freeFigures(): Figure[] {
  const kinetic = 0.5 * CAM.inertia * CAM.rate ** 2;
  const [exact, exactLoss] = freeRun([]);
  const [fixed, fixedLoss] = freeRun(['integration.kind=implicit-contact']);
  return [
    independent('free, rk4 1 ms: angle after 0.4 s', 'rad', exact, 12.2025368, 1e-7),
    atMost('free, rk4 1 ms: balance over kinetic energy', '', exactLoss / kinetic, 1e-7),
    independent('free, RATTLE 1 ms: angle after 0.4 s', 'rad', fixed, 12.2025368, 1e-5),
    atMost('free, RATTLE 1 ms: balance over kinetic energy', '', fixedLoss / kinetic, 1.6e-5),
  ];
}

interface Flight {
  readonly time: number[];
  readonly way: number[];
  /** Times at which the tip leaves the cam and lands, s, and the speed at which it does, m/s. */
  readonly leaves: number;
  readonly lands: number;
  readonly impact: number;
}

/** From rest on the cam to its first landing. */
function flight(): Flight {
  const system = makeSystem(liftModel());
  const time: number[] = [];
  const way: number[] = [];
  let leaves = NaN;
  for (let n = 1; n * LIFT_STEP < 0.09; n++) {
    if (system.step(LIFT_STEP) !== 0) break;
    system.readContact(0, row, 0);
    system.readBody(1, state, 0);
    time.push(1e3 * n * LIFT_STEP);
    way.push(1e3 * (state[1] - CAM.pitch));
    const touches = row[ContactReadout.active] === 1;
    // in the first millisecond the contact takes up the load
    if (!touches && Number.isNaN(leaves) && n * LIFT_STEP > 1e-3) leaves = n * LIFT_STEP;
    if (touches && leaves > 0) {
      return { time, way, leaves, lands: n * LIFT_STEP, impact: row[ContactReadout.impactSpeed] };
    }
  }
  return { time, way, leaves, lands: NaN, impact: NaN };
}

function liftFigures({ leaves, lands, impact }: Flight): Figure[] {
  const rate = CAM.rate / DEGREE;
  return [
    independent('no spring: leaves at 74.647°', 's', leaves, 74.647 / rate, 1e-4),
    independent('no spring: flies', 's', lands - leaves, 38.398e-3, 1e-4),
    independent('no spring: lands in the dwell at', 'm/s', impact, 0.11868, 1e-3),
  ];
}

const law = (name: string, turn: Turn, y: readonly number[]): Curve => ({
  name,
  x: turn.degrees.filter((_, k) => k % 4 === 0),
  y: y.filter((_, k) => k % 4 === 0),
  kind: 'points',
});

export const camFollowerCase: ValidationCase = {
  name: 'cam-follower',
  title: 'Cam and follower as a sliding contact',
  source: 'Tasora, sliding contact of free-form surfaces, cam benchmark, figures 8 to 10',
  description:
    'The scenario cam-follower: a profile of 200 points, driven at 300 rpm and left to itself; the same without row and spring, by a contact of free form.',
  equation: 'N cos α = m (s″ ω² + g) + F₀ + k s, tan α = s′/(r + s); cycloidal lift s',
  tolerances:
    'Driven: the spline misses the acceleration by 0.1152 m/s² at the junctions of the law, 0.06 N of 0.5 kg, and by far less elsewhere. Free: the angle of one equation of motion to its digits, RATTLE of second order. Lift-off: five steps, and 7 µs in which the contact gives back its depth.',
  run() {
    const turn = drivenTurn();
    const flown = flight();
    const angles = turn.degrees.map((degrees) => camLaw(degrees * DEGREE));
    return {
      figures: [...drivenFigures(turn), ...freeFigures(), ...liftFigures(flown)],
      plots: [
        {
          title: 'Force between cam and tip',
          xLabel: 'angle, °',
          yLabel: 'force, N',
          curves: [curve('computed', turn.degrees, turn.force), law('law', turn, turn.law)],
        },
        {
          title: 'Speed of the follower',
          xLabel: 'angle, °',
          yLabel: 'speed, m/s',
          curves: [
            curve('computed', turn.degrees, turn.speed),
            law(
              'law',
              turn,
              angles.map(([, s1]) => s1 * CAM.rate),
            ),
          ],
        },
        {
          title: 'Acceleration of the follower',
          xLabel: 'angle, °',
          yLabel: 'acceleration, m/s²',
          curves: [
            curve('computed', turn.degrees, turn.acceleration),
            law(
              'law',
              turn,
              angles.map(([, , s2]) => s2 * CAM.rate ** 2),
            ),
          ],
        },
        {
          title: 'Follower without a spring',
          xLabel: 'time, ms',
          yLabel: 'lift, mm',
          curves: [
            curve('tip', flown.time, flown.way),
            {
              name: 'lift of the cam',
              x: flown.time.filter((_, k) => k % 100 === 0),
              y: flown.time
                .filter((_, k) => k % 100 === 0)
                .map((t) => 1e3 * camLaw(1e-3 * t * CAM.rate)[0]),
              kind: 'points',
            },
          ],
        },
      ],
    };
  },
};
