/**
 * How long a robot may act on a set-point without a newer one. A robot in contact must act sooner on silence, and the least lives are those of a
 * loop at 1 kHz. A slower loop needs longer ones. Of two set-points that follow each other with one lost between them the second
 * comes two periods after the first, and later by what both ends slip, less than a period: three. In free space, where nothing is
 * pressed, two more may be lost: five.
 */

const LEAST_CONTACT_ms = 5;
const LEAST_FREE_ms = 20;
const PERIODS_CONTACT = 3;
const PERIODS_FREE = 5;

/** Life of a set-point, whole ms. @alloc none */
export function setpointTtl_ms(contact: boolean, period_s: number): number {
  const least_ms = contact ? LEAST_CONTACT_ms : LEAST_FREE_ms;
  const periods_ms = 1e3 * period_s * (contact ? PERIODS_CONTACT : PERIODS_FREE);
  // a period is written in decimals, and its multiples are not rounded up for their last bit
  return Math.max(least_ms, Math.ceil(periods_ms - 1e-9));
}
