/** Every validation case, in the order of the report. */
import type { ValidationCase } from './case.ts';
import { accommodatedFrictionCase, noiseCase, plateauCase } from './cases/accommodation.ts';
import { bowdenLebenCase, bowdenLebenImplicitCase } from './cases/bowden-leben.ts';
import { directionCase, frictionCase } from './cases/friction.ts';
import { boreCase, boreImplicitCase } from './cases/bore.ts';
import { implicitImpactCase } from './cases/implicit-impact.ts';
import { inclineCase, inclineImplicitCase } from './cases/incline.ts';
import { modia3dImpactCase, modia3dLawCase } from './cases/modia3d-law.ts';
import { dampingFactorCase, impactCase, restitutionOverSpeedCase } from './cases/normal-force.ts';
import { contactForceCase } from './cases/contact-force.ts';

export const VALIDATION_CASES: readonly ValidationCase[] = [
  dampingFactorCase,
  restitutionOverSpeedCase,
  impactCase,
  contactForceCase,
  directionCase,
  frictionCase,
  bowdenLebenCase,
  inclineCase,
  boreCase,
  bowdenLebenImplicitCase,
  inclineImplicitCase,
  boreImplicitCase,
  implicitImpactCase,
  modia3dLawCase,
  modia3dImpactCase,
  plateauCase,
  accommodatedFrictionCase,
  noiseCase,
];
