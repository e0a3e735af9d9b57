/**
 * The contact of samples and a distance field: a contact of many places (faceted-contact.ts) whose places are patches of a foundation.
 *
 * The normal law gives the force of the whole volume V = Σ V_p. A patch has its part V_p/V of force and damping, and the moment of its springs beside
 * its own force; k E is the energy stored. docs/theory/sampled.md.
 */
import type { ContactBody } from '../contact-body.ts';
import type { ContactKernels } from '../contact-loops.ts';
import type { FacetFriction } from '../faceted/facet-friction.ts';
import { sumSquares } from '../faceted/facet-sums.ts';
import { PlacesContact } from '../faceted/faceted-contact.ts';
import {
  DAMPING,
  DEPTH,
  ELASTIC,
  LEAST,
  NORMAL_RATE,
  type NormalLaw,
  OVERLAP_AREA,
  OVERLAP_VOLUME,
  STORED,
} from '../normal/normal-law.ts';
import { GAP, RATE, RESISTANCE, SPIN, VELOCITY } from '../pair.ts';
import type { RollingLaw } from '../rolling/rolling-law.ts';
import type { SampledPair } from './sampled-pair.ts';

/** The contact. */
export class SampledContact extends PlacesContact {
  private readonly samples: SampledPair;
  /** [force over volume of the last evaluation, N/m³] */
  private readonly foundation: Float64Array = new Float64Array(1);

  constructor(
    name: string,
    i: ContactBody,
    j: ContactBody,
    pair: SampledPair,
    normalLaw: NormalLaw,
    friction: FacetFriction,
    rolling: RollingLaw,
    flags: Float64Array,
    readout: Float64Array,
    memory: Float64Array,
  ) {
    super(name, i, j, pair, normalLaw, friction, rolling, flags, readout, memory, 1);
    this.samples = pair;
  }

  /** From now on a kernel takes the sums over samples. */
  override useKernels(kernels: ContactKernels): void {
    this.samples.follow(kernels);
  }

  override computeElastic(): void {
    const { samples, normal, result, elastic, damping, foundation, kinematics: k } = this;
    const { totals, shares } = samples;
    const volume = totals[0];
    result[DEPTH] = -k[GAP];
    result[OVERLAP_VOLUME] = volume;
    result[OVERLAP_AREA] = totals[2];
    this.writeMeanRate();
    this.normalLaw.evaluate(result);
    foundation[0] = volume > 0 ? result[ELASTIC] / volume : 0;
    const drag = volume > 0 ? result[DAMPING] / volume : 0;
    for (let c = 0; c < samples.count; c++) {
      elastic[c] = foundation[0] * shares[c];
      damping[c] = drag * shares[c];
    }
    normal[ELASTIC] = result[ELASTIC];
    normal[DAMPING] = result[DAMPING];
    normal[LEAST] = result[LEAST];
    normal[STORED] = foundation[0] * totals[1];
    normal[DEPTH] = -k[GAP];
    this.mobility[RESISTANCE] = result[DAMPING];
    this.friction.computeStored(this.flags, normal, k);
  }

  /** result[NORMAL_RATE] := power of the springs over their volume, with its sign changed: the rate at which the mean depth falls. */
  private writeMeanRate(): void {
    const { samples, result, kinematics: k } = this;
    const { shares, rows, moment, totals } = samples;
    result[NORMAL_RATE] = k[RATE];
    if (!(totals[0] > 0)) return;
    let power = 0;
    for (let a = 0; a < 3; a++) power += moment[a] * k[SPIN + a];
    for (let c = 0, o = 0; c < samples.count; c++, o += 6)
      for (let a = 0; a < 3; a++)
        power += shares[c] * (rows[o + a] * k[VELOCITY + a] + rows[o + 3 + a] * k[SPIN + a]);
    result[NORMAL_RATE] = power / totals[0];
  }

  protected override sum(explicit: boolean): void {
    super.sum(explicit);
    const { torque, foundation, samples } = this;
    for (let a = 0; a < 3; a++) torque[a] += foundation[0] * samples.moment[a];
  }

  protected override fillStiffness(): void {
    const { samples, slope, slopes, foundation } = this;
    const { rows, stiffAreas, count } = samples;
    for (let c = 0; c < count; c++) slopes[c] = foundation[0] * stiffAreas[c];
    sumSquares(rows, slopes, count, slope);
  }
}
