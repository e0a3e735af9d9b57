/** The stepper of each kind of integrator. */
import type { Dynamics } from './dynamics.ts';
import { BOGACKI_SHAMPINE, DORMAND_PRINCE_5, RK4 } from '../integrate/tableaus.ts';
import type { SystemModel } from '../model/model.ts';
import { DiscreteStepper } from './discrete-stepper.ts';
import { MarchingStepper } from './marching-stepper.ts';
import { RungeKuttaStepper } from './runge-kutta-stepper.ts';
import type { Stepper } from './stepper.ts';

/** Builds the stepper that a model asks for. */
export function makeStepper(model: SystemModel, dynamics: Dynamics): Stepper {
  const kind = model.integrator;
  switch (kind) {
    case 'implicit-contact':
      return new DiscreteStepper(dynamics, true);
    case 'symplectic-euler':
      return new DiscreteStepper(dynamics, false);
    case 'dormand-prince':
    case 'rosenbrock':
      return new MarchingStepper(dynamics, kind);
  }
  if (model.locateEvents === true) return new MarchingStepper(dynamics, kind);
  switch (kind) {
    case 'ode3':
      return new RungeKuttaStepper(dynamics, BOGACKI_SHAMPINE);
    case 'rk4':
      return new RungeKuttaStepper(dynamics, RK4);
    case 'ode5':
      return new RungeKuttaStepper(dynamics, DORMAND_PRINCE_5);
  }
}
