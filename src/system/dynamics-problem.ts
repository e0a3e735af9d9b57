/** The dynamics of a system as a problem of integration: y' = f(y), and what is done to the state between steps. */
import { GAP } from '../contact/pair.ts';
import type { Dynamics } from './dynamics.ts';
import type { RateProblem } from '../integrate/one-step.ts';
import { BODY_STATE } from '../multibody/body.ts';

/** A view of a system's dynamics for the methods of src/integrate. */
export class DynamicsProblem implements RateProblem {
  readonly values: Float64Array;
  readonly rates: Float64Array;
  /** [time since the start of the step]: what constraints impose depends on it. */
  readonly time: Float64Array = new Float64Array(1);
  readonly autonomous: boolean;
  /** Lengths, angles and speeds of 0: an increment of 5e-11 is far below a depth and far above the rounding of a gap. */
  readonly leastSize: number = 1e-5;
  readonly evolving: Int32Array;
  readonly controlled: Int32Array;
  /** Whether bodies have the poses of the values and point contacts that touch are measured there: the next evaluation need not. */
  placed = false;
  private readonly dynamics: Dynamics;
  private readonly settles: boolean;

  /** `settles`: whether the method puts the state in order itself after each of its steps. */
  constructor(dynamics: Dynamics, settles: boolean) {
    this.dynamics = dynamics;
    this.settles = settles;
    this.autonomous = dynamics.constraints === null;
    this.values = dynamics.state;
    this.rates = dynamics.rates;
    const still = new Set<number>();
    for (const body of dynamics.bodies) {
      if (body.dynamic || body.accommodated || (body.prescribed && !body.driven)) continue;
      const first = (body.state.byteOffset - dynamics.state.byteOffset) / 8;
      for (let a = 0; a < BODY_STATE; a++) still.add(first + a);
    }
    const all = Int32Array.from(dynamics.rates, (_, i) => i).filter((i) => !still.has(i));
    const { start, length } = dynamics.workSlice;
    this.evolving = all;
    // the ledger's work acts on nothing, and its size would decide the tolerance in its own unit
    this.controlled = all.filter((i) => i < start || i >= start + length);
  }

  computeRates(): void {
    this.setClock();
    if (this.placed) this.dynamics.computePlacedRates();
    else this.dynamics.computeRates();
    this.placed = false;
  }

  settle(): void {
    if (!this.settles) return;
    const { movers, current, stepLength } = this.dynamics;
    for (let m = 0; m < movers.length; m++) movers[m].normalize();
    this.dynamics.place();
    this.closeConstraints();
    for (let k = 0; k < current.count; k++) {
      const contact = current.items[k];
      contact.measure();
      if (contact.kinematics[GAP] < 0) contact.friction.prepare(contact.kinematics, stepLength);
    }
  }

  /** Onto the constraints at the present time, positions and velocities. @alloc none */
  closeConstraints(): void {
    const { constraints } = this.dynamics;
    if (constraints === null) return;
    this.setClock();
    constraints.closePositions();
    constraints.closeVelocities();
  }

  private setClock(): void {
    const { constraints, clock } = this.dynamics;
    if (constraints !== null) constraints.clock[0] = clock[0] + this.time[0];
  }
}
