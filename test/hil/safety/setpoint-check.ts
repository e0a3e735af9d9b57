/** What every flight is held to: set-points inside their limits in pose and twist. */
import assert from 'node:assert/strict';
import { largestExcess, type Seen } from '../../fixtures/setpoint-flight.ts';

/** What the law leaves by its own rounding is 10⁻⁹ of a limit; that of the frame is taken off where it is differenced. */
const AT_MOST = 1 + 1e-6;
/** Twist and pose may be apart by acceleration times period: docs/safety.md, Limits of set-points, derives it. */
const APART = 1 + 1e-6;

export function check(seen: Seen, what: string): void {
  assert.ok(seen.differenced > 20, `${what}: ${seen.differenced} set-points`);
  assert.ok(largestExcess(seen) <= AT_MOST, `${what}: ${seen.worst}`);
  assert.ok(seen.apart <= APART, `${what}: twist and pose apart ${seen.apart}`);
  assert.ok(seen.beyond_m <= 1e-9, `${what}: ${seen.beyond_m} m beyond a wall`);
}
