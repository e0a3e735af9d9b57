/** The kinds of integrator by class of step. */
import type { IntegratorKind } from '../model/model.ts';

/**
 * `discrete`: the steps of the loop, which may hold an arm; `explicit`: steps whose number is bounded; `adaptive`: as many steps as
 * the tolerance needs.
 */
type StepClass = 'discrete' | 'explicit' | 'adaptive';

const STEP_CLASSES: Readonly<Record<IntegratorKind, StepClass>> = {
  'implicit-contact': 'discrete',
  'symplectic-euler': 'discrete',
  ode3: 'explicit',
  rk4: 'explicit',
  ode5: 'explicit',
  'dormand-prince': 'adaptive',
  rosenbrock: 'adaptive',
};

/** Every kind. */
export const INTEGRATOR_KINDS = Object.keys(STEP_CLASSES) as readonly IntegratorKind[];

/** Kinds with the steps of the loop. */
export const DISCRETE_KINDS: readonly IntegratorKind[] = INTEGRATOR_KINDS.filter(
  (kind) => STEP_CLASSES[kind] === 'discrete',
);

/** Whether an integrator takes an unbounded number of steps, and so has no place in a loop with deadlines. */
export function isAdaptive(kind: IntegratorKind): boolean {
  return STEP_CLASSES[kind] === 'adaptive';
}
