/** The contact law of Modia3D: single evaluations, damping and the regularised direction. */
import type { LawMemory } from '../../../src/contact/component.ts';
import { directionFactor, regularizedLength } from '../../../src/contact/friction/direction.ts';
import { contactModulus, hertzStiffness } from '../../../src/contact/normal/hertz.ts';
import {
  impactDepth,
  impactDuration,
  impactPeakForce,
  restDepth,
} from '../../../src/contact/normal/impact.ts';
import { Modia3dLaw } from '../../../src/contact/normal/modia3d.ts';
import { DAMPING, DEPTH, ELASTIC, NORMAL_RESULT } from '../../../src/contact/normal/normal-law.ts';
import { pairDefinition } from '../../../src/contact/registry.ts';
import type { Modia3dModel, PairModel, SystemModel } from '../../../src/model/model.ts';
import type { ConvexShapeModel, PlacedShape } from '../../../src/shapes/shape-model.ts';
import { CONTACT_READOUT, ContactReadout, makeSystem } from '../../../src/system/system.ts';
import { closedForm, type Curve, type Figure, type ValidationCase } from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import { ballInertia, bodyModel, worldModel } from '../world-models.ts';

/** Contact modulus of steel on steel, N/m². */
export const STEEL = contactModulus(2e11, 0.3, 2e11, 0.3);
const WOOD = contactModulus(1.1e10, 0.4, 1.1e10, 0.4);
const TABLE = contactModulus(5.4e9, 0.34, 1.1e10, 0.4);
const BALLS = contactModulus(5.4e9, 0.34, 5.4e9, 0.34);
const G = 9.81;

/** The law with the parameters of steel. */
export function law(modulus: number, changes: Partial<Modia3dModel> = {}): Modia3dModel {
  return {
    kind: 'modia3d',
    contactModulus: modulus,
    restitution: 0.7,
    smallVelocity: 0.01,
    maximumDamping: 2000,
    reductionFactor: 1,
    ...changes,
  };
}

function memory(): LawMemory {
  return {
    states: new Float64Array(0),
    rates: new Float64Array(0),
    internals: new Float64Array(2),
  };
}

/** Normal force at a depth, m, and a rate of penetration, m/s, after an onset at a speed, m/s. */
export function normalForce(
  model: Modia3dModel,
  radius: number,
  depth: number,
  rate = 0,
  onset = 1,
): number {
  const one = new Modia3dLaw(model, memory(), radius);
  const result = new Float64Array(NORMAL_RESULT);
  one.begin(-onset);
  result[DEPTH] = depth;
  one.evaluate(result);
  return result[ELASTIC] + result[DAMPING] * rate;
}

/** Damping coefficient d, s/m, after an onset at a speed, m/s. */
function damping(cor: number, speed: number): number {
  const still = normalForce(law(STEEL, { restitution: cor }), 0.1, 1e-5, 0, speed);
  return normalForce(law(STEEL, { restitution: cor }), 0.1, 1e-5, 1, speed) / still - 1;
}

function placed(shape: ConvexShapeModel): PlacedShape {
  return { shape, position: [0, 0, 0], orientation: [0, 0, 0, 1] };
}

function effectiveRadius(i: ConvexShapeModel, j: ConvexShapeModel): number {
  const pair: PairModel = { kind: 'convex', shapeI: placed(i), shapeJ: placed(j) };
  return pairDefinition(pair).effectiveRadius(pair);
}

const SPHERE: ConvexShapeModel = { kind: 'sphere', radius: 0.1 };
const BILLIARD: ConvexShapeModel = { kind: 'sphere', radius: 0.03 };
const SLAB: ConvexShapeModel = { kind: 'box', size: [4, 0.1, 0.7] };
/** Mass of a steel ball of 0.1 m, kg. */
export const STEEL_BALL_MASS = ((8000 * 4) / 3) * Math.PI * 0.1 ** 3;
const BILLIARD_MASS = ((1768 * 4) / 3) * Math.PI * 0.03 ** 3;

/** Friction force and rolling moment of a steel ball pressed 1e-5 m into steel that slides and turns as given. */
function dragged(slip: number, turn: number): { friction: number; moment: number } {
  const model = worldModel({
    gravity: [0, 0, 0],
    bodies: [
      bodyModel('plane', 'fixed'),
      bodyModel('ball', 'prescribed', {
        position: [0, 0, -1e-5],
        velocity: [slip, 0, 0],
        angularVelocity: [0, 0, turn],
      }),
    ],
    contacts: [
      {
        name: 'contact',
        bodyI: 'ball',
        bodyJ: 'plane',
        pair: {
          kind: 'sphere-plane',
          radius: 0.1,
          center: [0, 0, 0.1],
          normal: [0, 0, 1],
          offset: 0,
        },
        normalLaw: law(STEEL),
        frictionLaw: {
          kind: 'regularized-coulomb',
          coulomb: 0.5,
          regularization: 'modia3d',
          velocityTolerance: 0.01,
        },
        rollingLaw: { kind: 'modia3d', rollingFriction: 0.001, angularVelocityTolerance: 0.01 },
      },
    ],
    integrator: 'rk4',
    step: 1e-9,
  });
  const system = makeSystem(model);
  const contact = new Float64Array(CONTACT_READOUT.length);
  system.step(model.step);
  system.readContact(0, contact, 0);
  return {
    friction: -contact[ContactReadout.ft_x],
    moment: -contact[ContactReadout.torque_z],
  };
}

/** Speeds and path of a ball that starts sliding: `[time to roll, path until then]`, and its deceleration in rolling. */
function slideAndRoll(): { time: number; path: number; speed: number; deceleration: number } {
  const start = 3;
  const until = 0.109218;
  const run = (rollingFriction: number, spin: number, speed: number): SystemModel => {
    const depth = restDepth(BILLIARD_MASS * G, hertzStiffness(TABLE, 0.03), 1.5);
    return worldModel({
      gravity: [0, 0, -G],
      bodies: [
        bodyModel('table', 'fixed'),
        bodyModel('ball', 'dynamic', {
          mass: BILLIARD_MASS,
          inertia: ballInertia(BILLIARD_MASS, 0.03),
          position: [0, 0, 0.03 - depth],
          velocity: [speed, 0, 0],
          angularVelocity: [0, spin, 0],
        }),
      ],
      contacts: [
        {
          name: 'contact',
          bodyI: 'ball',
          bodyJ: 'table',
          pair: {
            kind: 'sphere-plane',
            radius: 0.03,
            center: [0, 0, 0],
            normal: [0, 0, 1],
            offset: 0,
          },
          normalLaw: law(TABLE, { restitution: 0 }),
          frictionLaw: {
            kind: 'regularized-coulomb',
            coulomb: 0.8,
            regularization: 'modia3d',
            velocityTolerance: 1e-3,
          },
          rollingLaw: { kind: 'modia3d', rollingFriction, angularVelocityTolerance: 1e-3 },
        },
      ],
      integrator: 'dormand-prince',
      step: until / 2,
      relativeTolerance: 1e-9,
      absoluteTolerance: 1e-12,
    });
  };
  const ball = new Float64Array(13);
  const slide = makeSystem(run(0, 0, start));
  const slips: number[] = [];
  for (let n = 0; n < 2; n++) {
    slide.step(until / 2);
    slide.readBody(1, ball, 0);
    if (n === 0) slips.push(start, ball[7] - 0.03 * ball[11]);
  }
  const path = ball[0];
  const time = ((until / 2) * slips[0]) / (slips[0] - slips[1]);
  slide.step(0.01);
  slide.readBody(1, ball, 0);
  const speed = ball[7];
  const rolling = makeSystem(run(0.01, 2 / 0.03, 2));
  rolling.step(0.01);
  rolling.readBody(1, ball, 0);
  const before = ball[7];
  rolling.step(0.1);
  rolling.readBody(1, ball, 0);
  return { time, path, speed, deceleration: (before - ball[7]) / 0.1 };
}

/** Computed W1 to W16 by number and place in the table. */
function worked(): Map<string, readonly [string, string, number]> {
  const found = new Map<string, readonly [string, string, number]>();
  const add = (place: string, quantity: string, unit: string, value: number): void => {
    found.set(place, [quantity, unit, value]);
  };
  const steel = law(STEEL);
  const flat = effectiveRadius(SPHERE, SLAB);
  add('1.1', 'W1 steel sphere 0.1 m on steel, 10 µm', 'N', normalForce(steel, flat, 1e-5));
  add('2.1', 'W2 the same, 1 µm', 'N', normalForce(steel, flat, 1e-6));
  const two = effectiveRadius(SPHERE, SPHERE);
  add('3.1', 'W3 two steel spheres, 10 µm', 'N', normalForce(steel, two, 1e-5));
  add('4.1', 'W4 W1 after 1 m/s, approaching at 0.5 m/s', 'N', normalForce(steel, flat, 1e-5, 0.5));
  add('4.2', 'W4 W1 after 1 m/s, leaving at 0.5 m/s', 'N', normalForce(steel, flat, 1e-5, -0.5));
  const soft = law(STEEL, { reductionFactor: 1e-4 });
  add('5.1', 'W5 W1 with k_red 1e-4, 1 mm', 'N', normalForce(soft, flat, 1e-3));
  const onTable = effectiveRadius(BILLIARD, SLAB);
  add('6.1', 'W6 billiard ball on the table, 10 µm', 'N', normalForce(law(TABLE), onTable, 1e-5));
  const pair = effectiveRadius(BILLIARD, BILLIARD);
  add('7.1', 'W7 two billiard balls, 10 µm', 'N', normalForce(law(BALLS), pair, 1e-5));
  const ellipsoid = effectiveRadius({ kind: 'ellipsoid', size: [0.1, 0.02, 0.02] }, SLAB);
  add(
    '8.1',
    'W8 wood ellipsoid on a wood box, 10 µm',
    'N',
    normalForce(law(WOOD), ellipsoid, 1e-5),
  );
  const boxes = effectiveRadius(
    { kind: 'box', size: [3, 2, 5] },
    { kind: 'box', size: [0.5, 0.5, 0.5] },
  );
  add('9.1', 'W9 two steel boxes, 10 µm', 'N', normalForce(steel, boxes, 1e-5));
  for (const [i, slip] of [0.001, 0.002, 0.005, 0.02].entries()) {
    add(`10.${i + 1}`, `W10 friction of W1 at ${slip} m/s`, 'N', dragged(slip, 0).friction);
  }
  for (const [i, turn] of [0.004, 0.02].entries()) {
    add(`11.${i + 1}`, `W11 rolling moment of W1 at ${turn} rad/s`, 'N m', dragged(0, turn).moment);
  }
  const sag = restDepth(BILLIARD_MASS * G, hertzStiffness(TABLE, onTable), 1.5);
  add('12.1', 'W12 sag of a billiard ball on the table', 'm', sag);
  const light = restDepth(0.001 * G, hertzStiffness(STEEL, flat), 1.5);
  add('13.1', 'W13 sag of a steel ball of 1 g', 'm', light);
  const hit = {
    mass: BILLIARD_MASS / 2,
    stiffness: hertzStiffness(BALLS, pair),
    exponent: 1.5,
    speed: 2.1034,
    damping: 0,
  };
  add('14.1', 'W14 two billiard balls at 2.1034 m/s: depth', 'm', impactDepth(hit));
  add('14.2', 'W14: duration', 's', impactDuration(hit));
  add('14.3', 'W14: largest force', 'N', impactPeakForce(hit));
  const roll = slideAndRoll();
  add('15.1', 'W15 time from sliding at 3 m/s to rolling', 's', roll.time);
  add('15.2', 'W15 path until then', 'm', roll.path);
  add('15.3', 'W15 speed of rolling', 'm/s', roll.speed);
  add('16.1', 'W16 deceleration in rolling', 'm/s²', roll.deceleration);
  return found;
}

/** Relative tolerance of each worked number. */
function allowed(number: number): number {
  if (number <= 9) return 1e-12; // full digits of the table
  if (number <= 11) return 1e-10; // ten digits
  if (number <= 13) return 1e-10;
  if (number === 14) return 5e-5; // five digits
  return 1e-4; // one run with v_small 1 mm/s and the sag of the ball in its lever arm
}

export const modia3dLawCase: ValidationCase = {
  name: 'modia3d-law',
  title: 'Modia3D law: worked numbers and damping',
  source: 'Neumayr & Otter 2019, Modia3D contact force law; W1 to W16, A1, A2',
  description:
    'Forces, moments, sags and speeds for the materials and shapes of Modia3D, from the law itself, from closed forms and, for friction and rolling, from a run; the damping coefficient over restitution and speed; the regularised direction.',
  equation:
    'f_n = k_red max(0, c_res c_geo δ^1.5 (1 + d δ̇)), c_geo = 4/3 √R, d = min(d_max, 8 (1 − cor)/(5 cor v_i)); f_t = −μ f_n v_t/reg(v_t).',
  tolerances:
    'Relative: 1e-12 for W1 to W9 (rounding), 1e-10 for ten-digit figures, 5e-5 for W14 (five digits), 1e-4 for W15 and W16, which are ideal values and the run has a sag of 5e-5 R and a v_small of 1 mm/s. Damping 1e-6 relative, reg and length 1e-8: digits of the tables.',
  run() {
    const figures: Figure[] = [];
    const found = worked();
    for (const row of referenceRows('modia3d-law', 'worked', ['number', 'place', 'value'])) {
      const [quantity, unit, value] = found.get(`${row.number}.${row.place}`) ?? ['', '', NaN];
      figures.push(closedForm(quantity, unit, value, row.value, allowed(row.number) * row.value));
    }
    for (const row of referenceRows('modia3d-law', 'damping', ['cor', 'speed', 'd'])) {
      const d = damping(row.cor, row.speed);
      const name = `d, cor ${row.cor}, ${row.speed} m/s`;
      figures.push(closedForm(name, 's/m', d, row.d, Math.max(1e-6 * row.d, 1e-9)));
    }
    const regularised = referenceRows('modia3d-law', 'regularised', ['speed', 'reg', 'length']);
    for (const { speed, reg, length } of regularised) {
      const value = regularizedLength(speed, 0.01);
      figures.push(
        closedForm(`reg(${speed} m/s)`, 'm/s', value, reg, 1e-10),
        closedForm(`length of the direction at ${speed} m/s`, '1', speed / value, length, 1e-8),
      );
    }
    const speeds = Array.from({ length: 161 }, (_, i) => 10 ** (-3 + i / 40));
    const overSpeed = (cor: number): Curve => ({
      name: `cor ${cor}`,
      x: speeds,
      y: speeds.map((speed) => damping(cor, speed)),
    });
    const slips = Array.from({ length: 101 }, (_, i) => i * 2e-4);
    return {
      figures,
      plots: [
        {
          title: 'Damping coefficient over approach speed',
          xLabel: 'approach speed, m/s',
          yLabel: 'd, s/m',
          xScale: 'log',
          yScale: 'log',
          curves: [
            ...[0.1, 0.3, 0.7].map(overSpeed),
            ...[0.1, 0.3, 0.7].map((cor) => {
              const rows = referenceRows('modia3d-law', 'damping', ['cor', 'speed', 'd']).filter(
                (row) => row.cor === cor,
              );
              return {
                name: `cor ${cor}, reference`,
                x: rows.map(({ speed }) => speed),
                y: rows.map(({ d }) => d),
                kind: 'points' as const,
              };
            }),
          ],
        },
        {
          title: 'Length of the regularised direction, v_small 0.01 m/s',
          xLabel: 'slip speed, m/s',
          yLabel: 'length, 1',
          curves: [
            { name: 'Modia3D (C2)', x: slips, y: slips.map((v) => v / regularizedLength(v, 0.01)) },
            {
              name: 'Gonthier’s cubic (C1)',
              x: slips,
              y: slips.map((v) => v * directionFactor(v, 0.01)),
            },
            {
              name: 'Modia3D, reference',
              x: regularised.map(({ speed }) => speed),
              y: regularised.map(({ length }) => length),
              kind: 'points',
            },
          ],
        },
      ],
    };
  },
};
