/** What the parameters of both bristle laws may be. */
import type { BristleModel } from '../../model/contact-spec.ts';
import { flag, notNegative, positive, range } from '../../base/parameter-checks.ts';

/** Refuses parameters outside their range. */
export function checkBristle(model: Omit<BristleModel, 'kind'>, field: string): void {
  const { coulomb, stiction, velocityTolerance } = model;
  notNegative(`${field}.coulomb`, coulomb);
  range(`${field}.stiction`, stiction, stiction >= coulomb, `>= coulomb (${coulomb})`);
  positive(`${field}.bristleStiffness`, model.bristleStiffness);
  positive(`${field}.bristleDamping`, model.bristleDamping);
  notNegative(`${field}.viscousDamping`, model.viscousDamping);
  positive(`${field}.stribeckVelocity`, model.stribeckVelocity);
  notNegative(`${field}.dwellTime`, model.dwellTime);
  flag(`${field}.startsSticking`, model.startsSticking);
  const limit = model.stribeckVelocity / 10;
  range(
    `${field}.velocityTolerance`,
    velocityTolerance,
    velocityTolerance > 0 && velocityTolerance <= limit * (1 + 1e-12),
    `in (0, ${limit}] (a tenth of the Stribeck velocity)`,
  );
}
