/** Everything of the controllers that runs in a tick, for the measurement of the heap. */
export { CompositeController } from '../../src/control/composite.ts';
export { ComputedTorque } from '../../src/control/computed-torque.ts';
export { CycloidalPath } from '../../src/control/cycloidal-path.ts';
export { ForceCorrection } from '../../src/control/force-correction.ts';
export { ImpedanceController } from '../../src/control/impedance.ts';
export { computePoseError } from '../../src/control/pose-error.ts';
export { DEFAULT_RESOLVED_RATE, ResolvedRate } from '../../src/control/resolved-rate.ts';
export { makeArm, makeTree, SEVEN_JOINTS } from '../control/arm-models.ts';
