/** Makes the control law of an arm. */
import type { ArmModel } from '../model/arm-spec.ts';
import type { RigidBody } from '../multibody/body.ts';
import type { ArmLaw, ArmView } from './arm-law.ts';
import { CompositeLaw } from './composite-law.ts';
import { ComputedTorqueLaw, computedTorqueMemory } from './computed-torque-law.ts';
import { ImpedanceLaw } from './impedance-law.ts';
import { RateLaw } from './rate-law.ts';
import { TASK_MEMORY } from './task-law.ts';

/** Number of arena values of the law of an arm with so many joints. */
export function lawMemory({ control }: Pick<ArmModel, 'control'>, joints: number): number {
  switch (control?.law) {
    case 'computed-torque':
      return computedTorqueMemory(joints);
    case 'impedance':
    case 'composite':
      return TASK_MEMORY;
    default:
      return 0;
  }
}

/**
 * @param tip tip of the flexible arm, where the wrench acts
 * @param memory `lawMemory` values of the arena
 */
export function makeLaw(
  model: ArmModel,
  view: ArmView,
  target: RigidBody | null,
  tip: Float64Array,
  memory: Float64Array,
): ArmLaw {
  const { control } = model;
  switch (control?.law) {
    case 'computed-torque':
      return new ComputedTorqueLaw(model, control.gains, view, memory);
    case 'impedance':
      return new ImpedanceLaw(model, control.impedance, view, target, tip, memory);
    case 'composite': {
      const { impedance, fast } = control;
      return new CompositeLaw(model, impedance, fast, view, target, tip, memory);
    }
    default:
      return new RateLaw(view);
  }
}
