/** The law with λ = 3/2 α k: restitution over α v, depth and duration, weight, decay at rest. `LaFarge & Lewis 1998; Hunt & Crossley 1975`. */
import {
  deliveredRestitution,
  elasticDepth,
  slopeForRestitution,
} from '../../../src/contact/normal/impact.ts';
import type { RestitutionSlopeModel } from '../../../src/model/model.ts';
import { makeSystem } from '../../../src/system/system.ts';
import {
  atMost,
  closedForm,
  type Curve,
  curve,
  type Figure,
  independent,
  type ValidationCase,
} from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import { ballModel, type ImpactOutcome, runImpact } from '../systems.ts';

const G = 9.81;
/** Samples of an impact over the time δ_el/v. */
const SAMPLES_PER_DEPTH = 60;

function law(stiffness: number, exponent: number, slope: number): RestitutionSlopeModel {
  return { kind: 'restitution-slope', stiffness, exponent, slope };
}

function impact(
  mass: number,
  model: RestitutionSlopeModel,
  speed = 1,
  gravity = 0,
): ImpactOutcome & { duration: number } {
  const { stiffness, exponent } = model;
  const depth = elasticDepth({ mass, stiffness, exponent, speed, damping: 0 });
  const outcome = runImpact({
    mass,
    speed,
    gap: 0,
    gravity,
    law: model,
    step: depth / speed / SAMPLES_PER_DEPTH,
    integrator: 'dormand-prince',
  });
  // from the last sample the body leaves at its rebound speed; depth there is at most a sixtieth of the elastic one
  const last = outcome.time.length - 1;
  const rest = outcome.indentation[last] / (outcome.restitution * speed);
  return { ...outcome, duration: outcome.time[last] + rest };
}

export const sandiaImpactCase: ValidationCase = {
  name: 'restitution-slope',
  title: 'Nonlinear damping: restitution over α v',
  source: 'LaFarge & Lewis 1998 (Sandia); Hunt & Crossley 1975; B1, B2, B4, B5',
  description:
    'Free impacts with λ = 3/2 α k for eighteen values of α v from 0.001 to 5, error-controlled; the closed form for the same; the α for a wanted restitution; the force of the first sample after touch and the sign of all.',
  equation:
    'f_n = k δ^n + 3/2 α k δ^n δ̇: z (1 + e) = ln((1 + z)/(1 − e z)) with z = 3/2 α v, e = 1 − α v + (α v)² − …',
  tolerances:
    '1e-6 for e (acceptance B1), 1e-8 for the closed form: digits of the table. 0 ≤ e − (1 − α v) ≤ (α v)² for α v ≤ 0.3 (B2), less 1e-8, the error of the run. 1e-6 relative for α from e: digits of the table.',
  run() {
    const figures: Figure[] = [];
    const table = referenceRows('sandia-law', 'restitution', ['alphaV', 'e']);
    const computed: number[] = [];
    let pulled = 0;
    for (const { alphaV, e } of table) {
      const outcome = impact(1, law(1e5, 1, alphaV));
      computed.push(outcome.restitution);
      figures.push(
        closedForm(`e at α v = ${alphaV}`, '1', outcome.restitution, e, 1e-6),
        closedForm(
          `closed form at α v = ${alphaV}`,
          '1',
          deliveredRestitution(1.5 * alphaV),
          e,
          1e-8,
        ),
      );
      if (alphaV <= 0.3) {
        const above = outcome.restitution - (1 - alphaV);
        figures.push(
          atMost(`e − (1 − α v) over (α v)² at ${alphaV}`, '1', above / alphaV ** 2, 1),
          atMost(`(1 − α v) − e at ${alphaV}`, '1', Math.max(0, -above), 1e-8),
        );
      }
      const step = outcome.time[0];
      const bound = 1e5 * step * (1 + 1.5 * alphaV);
      figures.push(
        atMost(
          `first force over k v h (1 + z) at α v = ${alphaV}`,
          '1',
          outcome.force[0] / bound,
          1,
        ),
      );
      pulled += outcome.force.filter((f) => f < 0).length;
    }
    figures.push(closedForm('samples that pull', '1', pulled, 0, 0));
    for (const { e, alphaV } of referenceRows('sandia-law', 'slope-for-restitution', [
      'e',
      'alphaV',
    ])) {
      const slope = slopeForRestitution(e, 1);
      figures.push(closedForm(`α v for e = ${e}`, '1', slope, alphaV, 1e-6 * alphaV));
    }
    const x = table.map(({ alphaV }) => alphaV);
    return {
      figures,
      plots: [
        {
          title: 'Restitution over α v',
          xLabel: 'α v, 1',
          yLabel: 'e, 1',
          xScale: 'log',
          curves: [
            { name: 'computed', x, y: computed },
            { name: 'reference', x, y: table.map(({ e }) => e), kind: 'points' },
            {
              name: '1 − α v',
              x: x.filter((a) => a <= 1),
              y: x.filter((a) => a <= 1).map((a) => 1 - a),
              kind: 'bound',
            },
          ],
        },
        {
          title: 'Difference from the straight line 1 − α v',
          xLabel: 'α v, 1',
          yLabel: 'e − (1 − α v), 1',
          xScale: 'log',
          yScale: 'log',
          curves: [
            { name: 'computed', x, y: computed.map((e, i) => e - 1 + x[i]) },
            {
              name: 'reference',
              x: x.filter((a) => a >= 0.01),
              y: table
                .filter(({ alphaV }) => alphaV >= 0.01)
                .map(({ alphaV, e }) => e - 1 + alphaV),
              kind: 'points',
            },
            { name: '(α v)²', x, y: x.map((a) => a * a), kind: 'bound' },
          ],
        },
      ],
    };
  },
};

export const sandiaDepthCase: ValidationCase = {
  name: 'restitution-slope-depth',
  title: 'Nonlinear damping: depth, weight, decay',
  source: 'LaFarge & Lewis 1998 (Sandia); Hunt & Crossley 1975; B1, B3, B15',
  description:
    'Six impacts with α v = 0.2 and other mass, stiffness and exponent return the same restitution; depth and duration of each; peak force of one; restitution under a weight; the rate at which small oscillations about rest decay.',
  equation:
    'δ_max^(n+1) = (n + 1) m/k (v/d − ln(1 + d v)/d²), d = 3/2 α; at rest k δ^n = m g and the damping rate is 3/2 α g, amplitudes fall as exp(−0.75 α g t).',
  tolerances:
    'e 1e-6 (B1), depth 1e-4 relative (B3), durations 1e-3: four digits; the worked impact 2e-5 relative: its digits and the spacing of samples. Weight 1e-5: digits. Decay 1 % (B15) of 0.75 α g, 0.1 % of the measured one.',
  run() {
    const figures: Figure[] = [];
    const rows = referenceRows('sandia-law', 'independence', [
      ...(['mass', 'stiffness', 'exponent', 'depth', 'duration'] as const),
    ]);
    const [worked] = referenceRows('sandia-law', 'worked', [
      ...(['depth', 'force', 'forceTime', 'duration', 'e'] as const),
    ]);
    const loops: Curve[] = [];
    for (const [i, row] of rows.entries()) {
      const outcome = impact(row.mass, law(row.stiffness, row.exponent, 0.2));
      const name = `${row.mass} kg, k ${row.stiffness.toExponential(0)}, n ${row.exponent}`;
      figures.push(
        closedForm(`${name}: e`, '1', outcome.restitution, worked.e, 1e-6),
        closedForm(`${name}: depth`, 'm', outcome.depth, row.depth, 1e-4 * row.depth),
        independent(`${name}: duration`, 's', outcome.duration, row.duration, 1e-3 * row.duration),
      );
      const peak = Math.max(...outcome.force);
      loops.push(
        curve(
          name,
          outcome.indentation.map((depth) => depth / outcome.depth),
          outcome.force.map((force) => force / peak),
          300,
        ),
      );
      if (i > 0) continue;
      const at = outcome.force.indexOf(peak);
      figures.push(
        closedForm('worked impact: depth', 'm', outcome.depth, worked.depth, 2e-5 * worked.depth),
        closedForm(
          'worked impact: largest force',
          'N',
          outcome.mostForce,
          worked.force,
          2e-5 * worked.force,
        ),
        independent(
          'worked impact: time of it',
          's',
          outcome.time[at],
          worked.forceTime,
          outcome.time[0],
        ),
        independent(
          'worked impact: duration',
          's',
          outcome.duration,
          worked.duration,
          1e-4 * worked.duration,
        ),
      );
    }
    const weights = referenceRows('sandia-law', 'weight', ['weight', 'e']);
    const loaded = weights.map(({ weight }) => {
      const [mass, stiffness] = [1, 1e5];
      const scale = Math.sqrt(stiffness * mass);
      return impact(mass, law(stiffness, 1, 0.2), 1, (weight * scale) / mass).restitution;
    });
    for (const [i, { weight, e }] of weights.entries()) {
      figures.push(independent(`e under W/F = ${weight}`, '1', loaded[i], e, 1e-5));
    }
    const [decay] = referenceRows('sandia-law', 'decay', ['alpha', 'rate']);
    const swing = oscillation(decay.alpha);
    figures.push(
      closedForm(
        'decay rate about rest, 0.75 α g',
        '1/s',
        swing.rate,
        0.75 * decay.alpha * G,
        0.01 * decay.rate,
      ),
      independent('decay rate, measured', '1/s', swing.rate, decay.rate, 1e-3 * decay.rate),
    );
    return {
      figures,
      plots: [
        {
          title: 'The same loop for every mass, stiffness and speed of one exponent',
          xLabel: 'depth over the greatest, 1',
          yLabel: 'force over the largest, 1',
          curves: loops,
        },
        {
          title: 'Restitution under a weight, z = 0.3',
          xLabel: 'weight over v √(k m), 1',
          yLabel: 'e, 1',
          curves: [
            { name: 'computed', x: weights.map(({ weight }) => weight), y: loaded },
            {
              name: 'reference',
              x: weights.map(({ weight }) => weight),
              y: weights.map(({ e }) => e),
              kind: 'points',
            },
          ],
        },
        {
          title: 'Oscillation about rest, α = 4 s/m',
          xLabel: 'time, s',
          yLabel: 'depth over depth at rest − 1, 1',
          curves: [
            { name: 'computed', x: swing.time, y: swing.deviation },
            ...[1, -1].map((sign) => ({
              name: sign > 0 ? 'exp(−0.75 α g t)' : 'its mirror image',
              x: swing.time,
              y: swing.time.map((t) => sign * SWING * Math.exp(-0.75 * decay.alpha * G * t)),
              kind: 'bound' as const,
            })),
          ],
        },
      ],
    };
  },
};

/** Start of the oscillation about rest, part of the depth at rest: small, so that it is linear. */
const SWING = 1e-3;

/** A body let go beside its depth at rest: the fit of ln |peak| over time. */
function oscillation(alpha: number): { rate: number; time: number[]; deviation: number[] } {
  const stiffness = 1e5;
  const depth = G / stiffness;
  const model = ballModel({
    mass: 1,
    speed: 0,
    gap: -depth * (1 + SWING),
    gravity: G,
    law: law(stiffness, 1, alpha),
    step: 1e-4,
    integrator: 'dormand-prince',
  });
  const system = makeSystem({ ...model, relativeTolerance: 1e-12, absoluteTolerance: 1e-15 });
  const ball = new Float64Array(13);
  const time = [0];
  const deviation = [SWING];
  for (let n = 1; n <= 1000; n++) {
    system.step(1e-4);
    system.readBody(1, ball, 0);
    time.push(system.time);
    deviation.push(-ball[2] / depth - 1);
  }
  const peaks: [number, number][] = [];
  for (let n = 1; n + 1 < deviation.length; n++) {
    const [a, b, c] = deviation.slice(n - 1, n + 2).map(Math.abs);
    if (!(b > a && b >= c)) continue;
    const shift = (0.5 * (a - c)) / (a - 2 * b + c);
    peaks.push([time[n] + shift * 1e-4, Math.log(b - 0.25 * (a - c) * shift)]);
  }
  const mean = (k: 0 | 1): number => peaks.reduce((sum, peak) => sum + peak[k], 0) / peaks.length;
  const [t0, y0] = [mean(0), mean(1)];
  const slope =
    peaks.reduce((sum, [t, y]) => sum + (t - t0) * (y - y0), 0) /
    peaks.reduce((sum, [t]) => sum + (t - t0) ** 2, 0);
  return { rate: -slope, time, deviation };
}
