/** Every validation case, in the order of the report. */
import type { ValidationCase } from './case.ts';
import { accommodatedFrictionCase, noiseCase, plateauCase } from './cases/accommodation.ts';
import { bowdenLebenCase, bowdenLebenImplicitCase } from './cases/bowden-leben.ts';
import { directionCase, frictionCase } from './cases/friction.ts';
import { implicitImpactCase } from './cases/implicit-impact.ts';
import { inclineCase, inclineImplicitCase } from './cases/incline.ts';
import { contactForceCase, dampingFactorCase, impactCase } from './cases/normal-force.ts';

export const VALIDATION_CASES: readonly ValidationCase[] = [
  dampingFactorCase,
  impactCase,
  contactForceCase,
  directionCase,
  frictionCase,
  bowdenLebenCase,
  inclineCase,
  bowdenLebenImplicitCase,
  inclineImplicitCase,
  implicitImpactCase,
  plateauCase,
  accommodatedFrictionCase,
  noiseCase,
];
