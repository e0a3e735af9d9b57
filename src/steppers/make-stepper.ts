/** The stepper of each kind of integrator. */
import type { Dynamics } from '../dynamics.ts';
import type { IntegratorKind } from '../model.ts';
import { DiscreteStepper } from './discrete-stepper.ts';
import { RungeKuttaStepper } from './runge-kutta-stepper.ts';
import type { Stepper } from './stepper.ts';

/** Builds the stepper that a model asks for. */
export function makeStepper(kind: IntegratorKind, dynamics: Dynamics): Stepper {
  switch (kind) {
    case 'implicit-contact':
      return new DiscreteStepper(dynamics, true);
    case 'symplectic-euler':
      return new DiscreteStepper(dynamics, false);
    case 'rk4':
      return new RungeKuttaStepper(dynamics);
  }
}
