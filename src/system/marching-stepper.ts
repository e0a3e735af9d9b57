/**
 * Steps that end at the start and the end of every contact: adaptive methods, and fixed-step methods that locate events. One
 * step of the system is one span; the step length of an adaptive method goes on from span to span in the arena.
 */
import type { Dynamics } from './dynamics.ts';
import { March } from '../integrate/march.ts';
import { makeMethod, type OdeMethod } from '../integrate/ode.ts';
import { StepControl } from '../integrate/step-control.ts';
import { ContactEvents } from './contact-events.ts';
import { DynamicsProblem } from './dynamics-problem.ts';
import type { Stepper } from './stepper.ts';

/** Tolerances of a model that gives none. */
export const DEFAULT_RELATIVE_TOLERANCE = 1e-8;
export const DEFAULT_ABSOLUTE_TOLERANCE = 1e-10;
/** Most steps of an adaptive method in one step of the system. */
const MOST_STEPS = 1_000_000;

/** Carries a system over a span with events located. */
export class MarchingStepper implements Stepper {
  substeps = 1;
  substepBoundHit = false;
  readonly guarded: boolean = false;
  failed = false;
  readonly endsMeasured: boolean;
  readonly counts: null = null;
  private readonly dynamics: Dynamics;
  private readonly march: March;
  private readonly start: Float64Array = new Float64Array(1);
  private readonly span: Float64Array = new Float64Array(1);

  constructor(dynamics: Dynamics, name: OdeMethod) {
    const { model } = dynamics;
    const tolerance = {
      relative: model.relativeTolerance ?? DEFAULT_RELATIVE_TOLERANCE,
      absolute: model.absoluteTolerance ?? DEFAULT_ABSOLUTE_TOLERANCE,
    };
    const problem = new DynamicsProblem(dynamics, true);
    const method = makeMethod(name, problem, tolerance);
    const adaptive = method.estimateOrder > 0;
    this.dynamics = dynamics;
    this.endsMeasured = dynamics.drive === null;
    this.march = new March({
      problem,
      method,
      control: adaptive
        ? new StepControl(problem, method.estimateOrder, tolerance, dynamics.stepMemory)
        : null,
      events: dynamics.contacts.length > 0 ? new ContactEvents(dynamics) : null,
      mostSteps: adaptive ? MOST_STEPS : model.maximumSubsteps,
      longestStep: Infinity,
      onStep: null,
    });
  }

  step(): void {
    const { dynamics, march } = this;
    const { drive, stepLength, current } = dynamics;
    this.span[0] = stepLength[0];
    if (drive !== null) drive.beforeRungeKutta(stepLength);
    dynamics.place();
    dynamics.gather();
    for (let k = 0; k < current.count; k++) {
      const contact = current.items[k];
      contact.measure();
      contact.friction.prepare(contact.kinematics, stepLength);
    }
    this.failed = !march.run(this.start, this.span);
    this.substeps = march.steps;
    this.substepBoundHit = march.bounded;
    dynamics.place();
    dynamics.evaluateForces(); // forces of the read-out belong to the state after the step
  }
}
