/** One central impact of a free body on a fixed plane, run by the system: what the tests of the normal laws share. */
import assert from 'node:assert/strict';
import { makeSystem } from '../../../src/index.ts';
import type { IntegratorKind, NormalLawModel } from '../../../src/index.ts';
import { body, contact, system } from '../../fixtures/models.ts';

/** Radius of the sphere, m: the effective radius of the contact. */
export const RADIUS = 0.1;

export interface ImpactRun {
  readonly law: NormalLawModel;
  readonly mass: number;
  readonly speed: number;
  /** Time from touch to release, s; the step is this divided by `steps`. */
  readonly duration: number;
  readonly steps: number;
  readonly integrator?: IntegratorKind;
  /** Part of a step between the start and the touch. */
  readonly phase?: number;
}

export interface Outcome {
  readonly restitution: number;
  /** Greatest depth, m, and force, N, seen at the steps. */
  readonly depth: number;
  readonly peak: number;
  /** Smallest force while in contact, N. */
  readonly least: number;
  /** Force of the first step in contact, N, and how long the contact was on at its end, s. */
  readonly first: number;
  readonly firstTime: number;
  /** Kinetic energy after over before, less 1. */
  readonly gain: number;
}

/** Runs the impact until release. */
export function runImpact(options: ImpactRun): Outcome {
  const { law, mass, speed, duration, steps, integrator = 'rk4', phase = 0.3 } = options;
  const h = duration / steps;
  const run = makeSystem(
    system({
      integrator,
      step: h,
      bodies: [
        body('ball', 'dynamic', {
          mass,
          position: [0, 0, RADIUS + phase * speed * h],
          velocity: [0, 0, -speed],
        }),
        body('ground', 'fixed'),
      ],
      contacts: [contact('ball', 'ground', { normalLaw: law })],
    }),
  );
  const out = new Float64Array(40);
  let touched = false;
  let first = 0;
  let depth = 0;
  let peak = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 4 * steps; k++) {
    assert.equal(run.step(h), 0);
    run.readContact(0, out, 0);
    if (out[0] === 1) {
      if (!touched) first = out[3];
      touched = true;
      depth = Math.max(depth, out[1]);
      peak = Math.max(peak, out[3]);
      least = Math.min(least, out[3]);
    } else if (touched) break;
  }
  assert.ok(touched && out[0] === 0, 'the contact began and ended');
  run.readBody(0, out, 0);
  const restitution = out[9] / speed;
  return {
    restitution,
    depth,
    peak,
    least,
    first,
    firstTime: (1 - phase) * h,
    gain: restitution * restitution - 1,
  };
}
