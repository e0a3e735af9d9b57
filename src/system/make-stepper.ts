/** The stepper of each kind of integrator, and what it refuses. */
import type { CrossingGuard } from './crossing-guard.ts';
import type { Dynamics } from './dynamics.ts';
import { BOGACKI_SHAMPINE, DORMAND_PRINCE_5, RK4 } from '../integrate/tableaus.ts';
import { BerthError } from '../base/errors.ts';
import { flag, oneOf, positive, range } from '../base/parameter-checks.ts';
import type { SystemModel } from '../model/model.ts';
import { DISCRETE_KINDS, INTEGRATOR_KINDS } from './integrator-kinds.ts';
import { DiscreteStepper } from './discrete-stepper.ts';
import { MarchingStepper } from './marching-stepper.ts';
import { RungeKuttaStepper } from './runge-kutta-stepper.ts';
import type { Stepper } from './stepper.ts';

/** Checks how a model is to be integrated. @throws BerthError */
export function checkIntegration(model: SystemModel): void {
  oneOf('integrator', model.integrator, INTEGRATOR_KINDS);
  if (model.relativeTolerance !== undefined) {
    const r = model.relativeTolerance;
    range('relativeTolerance', r, r >= 1e-13 && r <= 0.1, 'from 1e-13 to 0.1');
  }
  if (model.absoluteTolerance !== undefined) positive('absoluteTolerance', model.absoluteTolerance);
  if (model.locateEvents !== undefined) flag('locateEvents', model.locateEvents);
  const opening = (model.constraints ?? []).find(
    (one) => one.kind === 'sliding' && one.unilateral !== undefined,
  );
  if (opening !== undefined && !DISCRETE_KINDS.includes(model.integrator)) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `Expected integrator implicit-contact or symplectic-euler with constraint ${opening.name}.unilateral, got "${model.integrator}"`,
      { field: `constraint ${opening.name}.unilateral` },
    );
  }
  if (model.locateEvents === true && DISCRETE_KINDS.includes(model.integrator)) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `Expected integrator ode3, rk4, ode5, dormand-prince or rosenbrock with locateEvents, got "${model.integrator}"`,
      { field: 'locateEvents' },
    );
  }
}

/** Builds the stepper that a model names. */
export function makeStepper(model: SystemModel, dynamics: Dynamics, guard: CrossingGuard): Stepper {
  const kind = model.integrator;
  switch (kind) {
    case 'implicit-contact':
      return new DiscreteStepper(dynamics, guard, true);
    case 'symplectic-euler':
      return new DiscreteStepper(dynamics, guard, false);
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
