/** The law of Modia3D in impacts, delivered restitution and the effect of k_red, and the creep of its friction. */
import { dampingForRestitution } from '../../../src/contact/normal/damping-factor.ts';
import { hertzStiffness } from '../../../src/contact/normal/hertz.ts';
import { impactDepth, restDepth } from '../../../src/contact/normal/impact.ts';
import type { Modia3dModel } from '../../../src/model/model.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { atMost, closedForm, type Figure, type ValidationCase } from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import { runImpact } from '../systems.ts';
import { bodyModel, worldModel } from '../world-models.ts';
import { law, normalForce, STEEL, STEEL_BALL_MASS } from './modia3d-law.ts';

const G = 9.81;

function impactOf(cor: number, mass: number, changes: Partial<Modia3dModel> = {}): number {
  const model = law(STEEL, { restitution: cor, ...changes });
  const speed = 1;
  const stiffness = model.reductionFactor * hertzStiffness(STEEL, 0.1);
  const depth = impactDepth({ mass, stiffness, exponent: 1.5, speed, damping: 0 });
  return runImpact({
    mass,
    speed,
    gap: 0,
    gravity: 0,
    law: model,
    step: depth / speed / 20,
    integrator: 'dormand-prince',
  }).restitution;
}

export const modia3dImpactCase: ValidationCase = {
  name: 'modia3d-impact',
  title: 'Modia3D law: delivered restitution, softening, creep',
  source: 'Neumayr & Otter 2019, Modia3D contact force law; A3, A4, A5, A8',
  description:
    'Free impacts at 1 m/s for thirteen restitutions, masses from 1 g to 1 t and k_red from 1 to 1e-4; the variant with the exact level, which returns what was asked for; undamped impacts of a steel ball over k_red; the creep of a block on a slope below the friction angle.',
  equation:
    'z (1 + e) = ln((1 + z)/(1 − e z)) with z = d v_i = 8 (1 − cor)/(5 cor): e depends on cor alone; depth and duration go as k_red^-0.4; creep where μ v/reg(v) = tan θ.',
  tolerances:
    'e 1e-6 (acceptance A3; the runs are error-controlled to 1e-10), 1e-9 for the level: digits of the table. cor = 1 loses 1e-8 at most (A5). Softening 1e-4 relative and 3e-4 for the frequency: five and four digits. Creep 1e-4 relative (A8).',
  run() {
    const table = referenceRows('modia3d-law', 'delivered-restitution', ['cor', 'z', 'delivered']);
    const figures: Figure[] = [];
    const computed: number[] = [];
    for (const { cor, delivered } of table) {
      const e = impactOf(cor, STEEL_BALL_MASS);
      computed.push(e);
      if (cor === 1) figures.push(closedForm('e for cor 1: energy kept', '1', e, 1, 5e-9));
      else figures.push(closedForm(`e for cor ${cor}`, '1', e, delivered, 1e-6));
    }
    for (const { cor, delivered } of table.filter(({ cor: c }) =>
      [0.9, 0.7, 0.5, 0.3].includes(c),
    )) {
      for (const [mass, reductionFactor] of [
        [1e-3, 1],
        [1, 1e-2],
        [1e3, 1e-4],
      ] as const) {
        const e = impactOf(cor, mass, { reductionFactor });
        figures.push(
          closedForm(
            `e for cor ${cor}, ${mass} kg, k_red ${reductionFactor}`,
            '1',
            e,
            delivered,
            1e-6,
          ),
        );
      }
    }
    for (const { cor, z } of referenceRows('modia3d-law', 'exact-level', ['cor', 'z'])) {
      figures.push(
        closedForm(`z of the exact level for ${cor}`, '1', dampingForRestitution(cor), z, 1e-9),
      );
      const e = impactOf(cor, STEEL_BALL_MASS, { damping: 'exact' });
      figures.push(closedForm(`e with the exact level for ${cor}`, '1', e, cor, 1e-6));
    }
    const softening = referenceRows('modia3d-law', 'reduction', [
      ...(['reduction', 'depth', 'duration', 'force', 'restDepth', 'frequency'] as const),
    ]);
    const depths: number[] = [];
    const durations: number[] = [];
    for (const row of softening) {
      const model = law(STEEL, { restitution: 1, reductionFactor: row.reduction });
      const interval = row.duration / 200;
      const run = runImpact({
        mass: STEEL_BALL_MASS,
        speed: 1,
        gap: 0,
        gravity: 0,
        law: model,
        step: interval,
        integrator: 'dormand-prince',
      });
      // at speed 1 m/s and without loss the depth of the last sample still goes back at 1 m/s: its remaining time is its depth
      const last = run.time.length - 1;
      const duration = run.time[last] + run.indentation[last];
      const name = `k_red ${row.reduction}`;
      const near = (quantity: string, unit: string, value: number, reference: number): void => {
        figures.push(closedForm(`${name}: ${quantity}`, unit, value, reference, 1e-4 * reference));
      };
      near('depth', 'm', run.depth, row.depth);
      near('duration', 's', duration, row.duration);
      near('largest force', 'N', run.mostForce, row.force);
      const stiffness = row.reduction * hertzStiffness(STEEL, 0.1);
      const rest = restDepth(STEEL_BALL_MASS * G, stiffness, 1.5);
      near('depth at rest', 'm', rest, row.restDepth);
      const force = (part: number): number => normalForce(model, 0.1, part * rest);
      const tangent = (force(1.0001) - force(0.9999)) / (2e-4 * rest);
      const frequency = Math.sqrt(tangent / STEEL_BALL_MASS) / (2 * Math.PI);
      figures.push(
        closedForm(
          `${name}: frequency about rest`,
          'Hz',
          frequency,
          row.frequency,
          Math.max(3e-4 * row.frequency, 0.05),
        ),
      );
      depths.push(run.depth);
      durations.push(duration);
    }
    const creep = referenceRows('modia3d-law', 'creep', ['load', 'speed']);
    const creeps = creep.map(({ load }) => creepSpeed(load));
    for (const [i, { load, speed }] of creep.entries()) {
      figures.push(
        closedForm(`creep over v_small at tan θ/μ = ${load}`, '1', creeps[i], speed, 1e-4 * speed),
      );
    }
    figures.push(
      atMost('largest rebound over 1/d_max at 5 mm/s', '1', 2000 * 0.005 * slowRebound(), 1),
    );
    const cors = table.map(({ cor }) => cor);
    return {
      figures,
      plots: [
        {
          title: 'Restitution delivered over restitution asked for',
          xLabel: 'cor, 1',
          yLabel: 'e, 1',
          curves: [
            { name: 'computed', x: cors, y: computed },
            {
              name: 'reference',
              x: cors,
              y: table.map(({ delivered }) => delivered),
              kind: 'points',
            },
            { name: 'e = cor', x: [0, 1], y: [0, 1], kind: 'bound' },
          ],
        },
        {
          title: 'Undamped impact of a steel ball over k_red',
          xLabel: 'k_red, 1',
          yLabel: 'depth, m; duration, s',
          xScale: 'log',
          yScale: 'log',
          curves: [
            { name: 'depth', x: softening.map(({ reduction }) => reduction), y: depths },
            { name: 'duration', x: softening.map(({ reduction }) => reduction), y: durations },
            {
              name: 'depth, reference',
              x: softening.map(({ reduction }) => reduction),
              y: softening.map(({ depth }) => depth),
              kind: 'points',
            },
            {
              name: 'duration, reference',
              x: softening.map(({ reduction }) => reduction),
              y: softening.map(({ duration }) => duration),
              kind: 'points',
            },
          ],
        },
        {
          title: 'Creep on a slope',
          xLabel: 'tan θ/μ, 1',
          yLabel: 'creep speed over v_small, 1',
          curves: [
            { name: 'computed', x: creep.map(({ load }) => load), y: creeps },
            {
              name: 'reference',
              x: creep.map(({ load }) => load),
              y: creep.map(({ speed }) => speed),
              kind: 'points',
            },
          ],
        },
      ],
    };
  },
};

/** Restitution of an impact at half of v_small, which takes d_max. */
function slowRebound(): number {
  const mass = STEEL_BALL_MASS;
  const stiffness = hertzStiffness(STEEL, 0.1);
  const depth = impactDepth({ mass, stiffness, exponent: 1.5, speed: 0.005, damping: 0 });
  return runImpact({
    mass,
    speed: 0.005,
    gap: 0,
    gravity: 0,
    law: law(STEEL),
    step: depth / 0.005 / 20,
    integrator: 'dormand-prince',
  }).restitution;
}

/** Steady speed over v_small of a block that slides down a slope of tan θ = load μ. */
function creepSpeed(load: number): number {
  const mu = 0.5;
  const angle = Math.atan(load * mu);
  const weight = G * Math.cos(angle);
  const model = worldModel({
    gravity: [G * Math.sin(angle), 0, -weight],
    bodies: [
      bodyModel('slope', 'fixed'),
      bodyModel('block', 'dynamic', { rotationLocked: true, position: [0, 0, -weight / 1e5] }),
    ],
    contacts: [
      {
        name: 'contact',
        bodyI: 'block',
        bodyJ: 'slope',
        pair: {
          kind: 'sphere-plane',
          radius: 0.1,
          center: [0, 0, 0.1],
          normal: [0, 0, 1],
          offset: 0,
        },
        normalLaw: { kind: 'kelvin-voigt', stiffness: 1e5, damping: 600 },
        frictionLaw: {
          kind: 'regularized-coulomb',
          coulomb: mu,
          regularization: 'modia3d',
          velocityTolerance: 0.01,
        },
      },
    ],
    integrator: 'dormand-prince',
    step: 0.1,
  });
  const system = makeSystem(model);
  const block = new Float64Array(13);
  for (let n = 0; n < 5; n++) system.step(0.1);
  system.readBody(1, block, 0);
  return block[7] / 0.01;
}
