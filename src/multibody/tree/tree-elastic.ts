/**
 * What is linear in a tree: stiffness and damping of beam modes, joint springs and drives with a flexible gear, and the inertia of
 * rotors. A rotor
 * is reflected to its joint: an extra coordinate with the inertia Jr that pushes the joint through the gear, without gyroscopic
 * coupling. A rigid drive adds Jr to the inertia of the joint. docs/theory/trees.md.
 */
import type { TreeLink } from './tree-link.ts';
import type { TreeLayout } from './tree-layout.ts';
import type { JointSpringModel, TreeJointModel, TreeModel } from '../../model/tree-model.ts';

/** A spring between a coordinate and ground (a mode, a joint) or another coordinate (joint and rotor). */
interface Spring {
  /** Places of the first in positions and rates, and of the second; −1 for ground. */
  readonly position: number;
  readonly rate: number;
  readonly otherPosition: number;
  readonly otherRate: number;
}

/** All springs of one tree. */
export class TreeElastic {
  /** What rotors add to the diagonal of the mass matrix. */
  readonly rotors: readonly { readonly place: number; readonly inertia: number }[];
  /** Whether there are springs or dampers. */
  readonly isElastic: boolean;
  private readonly rates: number;
  private readonly springs: readonly Spring[];
  private readonly stiffness: Float64Array;
  private readonly damping: Float64Array;
  /** Position of the first without force, against that of the second. */
  private readonly rest: Float64Array;

  constructor(model: TreeModel, layout: TreeLayout, links: readonly TreeLink[]) {
    this.rates = layout.rates;
    const rotors: { readonly place: number; readonly inertia: number }[] = [];
    const springs: Spring[] = [];
    const stiffness: number[] = [];
    const damping: number[] = [];
    const rest: number[] = [];
    links.forEach(({ beam, places }) => {
      for (let k = 0; beam !== null && k < beam.count; k++) {
        const position = places.modePosition + k;
        springs.push({ position, rate: places.modeRate + k, otherPosition: -1, otherRate: -1 });
        stiffness.push(beam.stiffness[k]);
        damping.push(beam.damping[k]);
        rest.push(0);
      }
    });
    model.links.forEach(({ joint }, i) => {
      const { position, rate, rotorPosition, rotorRate } = layout.links[i];
      springsOf(joint).forEach((spring, axis) => {
        if (spring.stiffness === 0 && spring.damping === 0) return;
        springs.push({
          position: position + axis,
          rate: rate + axis,
          otherPosition: -1,
          otherRate: -1,
        });
        stiffness.push(spring.stiffness);
        damping.push(spring.damping);
        rest.push(spring.rest);
      });
      if ((joint.kind !== 'revolute' && joint.kind !== 'prismatic') || !joint.drive) return;
      const { drive } = joint;
      rotors.push({ place: rotorRate < 0 ? rate : rotorRate, inertia: drive.rotorInertia });
      if (drive.stiffness === null) return;
      springs.push({ position, rate, otherPosition: rotorPosition, otherRate: rotorRate });
      stiffness.push(drive.stiffness);
      damping.push(drive.damping);
      rest.push(0);
    });
    this.rotors = rotors;
    this.springs = springs;
    this.isElastic = springs.length > 0;
    this.stiffness = Float64Array.from(stiffness);
    this.damping = Float64Array.from(damping);
    this.rest = Float64Array.from(rest);
  }

  /** out += K (x − rest) + D u, with the positions moved on by `ahead[0]` times the rates. @alloc none */
  addForces(q: Float64Array, u: Float64Array, ahead: Float64Array, out: Float64Array): void {
    const h = ahead[0];
    for (let s = 0; s < this.springs.length; s++) {
      const { position, rate, otherPosition, otherRate } = this.springs[s];
      let x = q[position] - this.rest[s];
      let v = u[rate];
      if (otherRate >= 0) {
        x -= q[otherPosition];
        v -= u[otherRate];
      }
      const force = this.stiffness[s] * (x + h * v) + this.damping[s] * v;
      out[rate] += force;
      if (otherRate >= 0) out[otherRate] -= force;
    }
  }

  /** out += weights[0] K + weights[1] D, matrices over the rates. @alloc none */
  addMatrices(weights: Float64Array, out: Float64Array): void {
    const n = this.rates;
    for (let s = 0; s < this.springs.length; s++) {
      const { rate, otherRate } = this.springs[s];
      const value = weights[0] * this.stiffness[s] + weights[1] * this.damping[s];
      out[(n + 1) * rate] += value;
      if (otherRate < 0) continue;
      out[(n + 1) * otherRate] += value;
      out[n * rate + otherRate] -= value;
      out[n * otherRate + rate] -= value;
    }
  }

  /** sum[0] += what the dampers took in a mid-point step of timing[0] between two positions, J. @alloc none */
  addLoss(
    before: Float64Array,
    after: Float64Array,
    timing: Float64Array,
    sum: Float64Array,
  ): void {
    for (let s = 0; s < this.springs.length; s++) {
      const { position, otherPosition } = this.springs[s];
      let way = after[position] - before[position];
      if (otherPosition >= 0) way -= after[otherPosition] - before[otherPosition];
      sum[0] += (this.damping[s] * way * way) / timing[0];
    }
  }

  /** sum[0] += power that the dampers take at the rates `u`, W. @alloc none */
  addLossRate(u: Float64Array, sum: Float64Array): void {
    for (let s = 0; s < this.springs.length; s++) {
      const { rate, otherRate } = this.springs[s];
      const v = otherRate < 0 ? u[rate] : u[rate] - u[otherRate];
      sum[0] += this.damping[s] * v * v;
    }
  }

  /** sum[0] += energy of all springs, J. @alloc none */
  addEnergy(q: Float64Array, sum: Float64Array): void {
    for (let s = 0; s < this.springs.length; s++) {
      const { position, otherPosition } = this.springs[s];
      let x = q[position] - this.rest[s];
      if (otherPosition >= 0) x -= q[otherPosition];
      sum[0] += 0.5 * this.stiffness[s] * x * x;
    }
  }
}

function springsOf(joint: TreeJointModel): readonly JointSpringModel[] {
  if (joint.kind === 'universal') return joint.springs ?? [];
  const axis = joint.kind === 'revolute' || joint.kind === 'prismatic';
  return axis && joint.spring !== undefined ? [joint.spring] : [];
}
