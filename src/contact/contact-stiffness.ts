/**
 * Linearised stiffness and damping of a contact at a force, for what must be known before anything touches: F = k x + b x' about the
 * depth at which the elastic force of the normal law is F. Set-up only.
 */
import type { ContactModelSpec } from '../model/contact-spec.ts';
import { BerthError } from '../base/errors.ts';
import { isVolumetric } from './cellular/make-cell-contact.ts';
import { isElastic } from './elastic/elastic-spec.ts';
import { faceStiffness } from './elastic/face-stiffness.ts';
import { DAMPING, DEPTH, ELASTIC, NORMAL_RATE, NORMAL_RESULT } from './normal/normal-law.ts';
import { normalDefinition, pairDefinition } from './registry.ts';

/** What is known of a contact before it touches; NaN is unknown. */
export interface LinearContact {
  /** N/m. */
  readonly stiffness: number;
  /** N s/m. */
  readonly damping: number;
  /** Stiffness of a foundation, N/m³. */
  readonly perArea: number;
}

/** Half width of the central difference, relative to the depth: its error is 4e-8 of k for a force ~ δ^1.5, rounding 1e-12. */
const DIFFERENCE = 1e-3;
const BISECTIONS = 200;

/**
 * Stiffness and damping of a contact at a normal force, N, for an impact that began at `speed`, m/s: the damping of most laws falls
 * with the speed at touch. An elastic face has that of a flat plate on it, and no damping. Unknown for a volumetric contact, whose stiffness depends on the area that touches.
 */
export function contactStiffness(
  spec: ContactModelSpec,
  force: number,
  speed: number,
): LinearContact {
  if (!(force > 0) || !(speed > 0)) {
    const text = `Expected a force and a speed > 0, got ${force} N and ${speed} m/s`;
    throw new BerthError('BERTH_PARAMETER_RANGE', text);
  }
  if (isElastic(spec)) {
    const { patch, target } = spec.pair;
    const own = faceStiffness(patch, force);
    // two faces give way one after the other
    const stiffness =
      target?.kind === 'face' ? 1 / (1 / own + 1 / faceStiffness(target.patch, force)) : own;
    return { stiffness, damping: 0, perArea: Number.NaN };
  }
  const definition = normalDefinition(spec.normalLaw);
  const perArea = definition.stiffnessPerArea?.(spec.normalLaw) ?? Number.NaN;
  if (isVolumetric(spec)) return { stiffness: Number.NaN, damping: Number.NaN, perArea };
  const size = definition.size(spec.normalLaw);
  const memory = {
    states: new Float64Array(size.states),
    rates: new Float64Array(size.states),
    internals: new Float64Array(size.internals),
  };
  const effectiveRadius = pairDefinition(spec.pair).effectiveRadius(spec.pair);
  const law = definition.make(spec.normalLaw, memory, { effectiveRadius });
  const result = new Float64Array(NORMAL_RESULT);
  result[NORMAL_RATE] = -speed;
  law.begin(-speed, 0, result);
  const elastic = (depth: number): number => {
    result[DEPTH] = depth;
    law.evaluate(result);
    return result[ELASTIC];
  };
  let low = 0;
  let high = 1;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = 0.5 * (low + high);
    if (middle === low || middle === high) break;
    if (elastic(middle) < force) low = middle;
    else high = middle;
  }
  const step = DIFFERENCE * high;
  const stiffness = (elastic(high + step) - elastic(high - step)) / (2 * step);
  elastic(high);
  return { stiffness, damping: result[DAMPING], perArea };
}
