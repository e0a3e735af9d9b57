/** Rows of the table of `hil-anchors 3`: m kg, k N/m, b N s/m, T ms, and the restitution that the delay alone gives. */
export const SHEET_ROWS: readonly (readonly [number, number, number, number, number])[] = [
  [100, 1e4, 0, 1, 1.0158],
  [100, 1e4, 0, 5, 1.0816],
  [100, 1e4, 0, 10, 1.1696],
  [100, 1e4, 0, 20, 1.3643],
  [100, 1e5, 0, 1, 1.0509],
  [100, 1e5, 0, 2, 1.1043],
  [100, 1e5, 0, 5, 1.2795],
  [100, 1e5, 0, 10, 1.6221],
  [100, 1e5, 0, 20, 2.4801],
  [20, 1e5, 0, 5, 1.7116],
  [100, 1e5, 200, 1, 0.9534],
  [100, 1e5, 200, 2, 1.0021],
  [100, 1e5, 200, 5, 1.163],
  [100, 1e6, 632, 2, 1.2417],
  [500, 11691, 131.4, 5, 0.9551],
  [500, 11691, 131.4, 11.24, 1.0016],
  [500, 11691, 131.4, 108, 2.0114],
];

/** Restitution without delay: clipped Kelvin–Voigt, eq. 6. */
export function undelayed(m: number, k: number, b: number): number {
  const zeta = b / (2 * Math.sqrt(k * m));
  return Math.exp((-zeta * (Math.PI - 2 * Math.asin(zeta))) / Math.sqrt(1 - zeta * zeta));
}
