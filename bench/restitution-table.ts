/**
 * Restitution of one mass on one unilateral spring and dashpot when the force is late by T: the delay differential equation,
 * integrated with steps of T/400 (hil-anchors 3). What the real loop has to reproduce.
 */

/** One row of the table. */
export interface RestitutionRow {
  readonly mass_kg: number;
  readonly stiffness_N_per_m: number;
  readonly damping_Ns_per_m: number;
  readonly delay_s: number;
  /** Numeric restitution without compensation. */
  readonly restitution: number;
}

const row = (m: number, k: number, b: number, delay_ms: number, e: number): RestitutionRow => ({
  mass_kg: m,
  stiffness_N_per_m: k,
  damping_Ns_per_m: b,
  delay_s: delay_ms / 1000,
  restitution: e,
});

/** The 17 rows. */
export const RESTITUTION_ROWS: readonly RestitutionRow[] = [
  row(100, 1e4, 0, 1, 1.0158),
  row(100, 1e4, 0, 5, 1.0816),
  row(100, 1e4, 0, 10, 1.1696),
  row(100, 1e4, 0, 20, 1.3643),
  row(100, 1e5, 0, 1, 1.0509),
  row(100, 1e5, 0, 2, 1.1043),
  row(100, 1e5, 0, 5, 1.2795),
  row(100, 1e5, 0, 10, 1.6221),
  row(100, 1e5, 0, 20, 2.4801),
  row(20, 1e5, 0, 5, 1.7116),
  row(100, 1e5, 200, 1, 0.9534),
  row(100, 1e5, 200, 2, 1.0021),
  row(100, 1e5, 200, 5, 1.163),
  row(100, 1e6, 632, 2, 1.2417),
  row(500, 11691, 131.4, 5, 0.9551),
  row(500, 11691, 131.4, 11.24, 1.0016),
  row(500, 11691, 131.4, 108, 2.0114),
];

/** Damping ratio b / (2 √(k m)). */
function dampingRatio(row: RestitutionRow): number {
  return row.damping_Ns_per_m / (2 * Math.sqrt(row.stiffness_N_per_m * row.mass_kg));
}

/** Restitution without delay of a spring and dashpot that cannot pull (hil-anchors 3, eq. 6). */
export function undelayedRestitution(row: RestitutionRow): number {
  const zeta = dampingRatio(row);
  return Math.exp((-zeta * (Math.PI - 2 * Math.asin(zeta))) / Math.sqrt(1 - zeta * zeta));
}

/** What a row is called in tables. */
export function rowName(row: RestitutionRow): string {
  const k = row.stiffness_N_per_m;
  const stiffness = k >= 1e5 ? k.toExponential(0).replace('e+', 'e') : String(k);
  const delay = Number((1000 * row.delay_s).toFixed(2));
  return `m ${row.mass_kg}, k ${stiffness}, b ${row.damping_Ns_per_m}, T ${delay} ms`;
}
