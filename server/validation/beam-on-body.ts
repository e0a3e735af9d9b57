/**
 * Frequencies of a uniform beam whose root is on a rigid body that moves with it, in closed form: w = A cos βx + B sin βx + C cosh βx + D sinh βx
 * with ω = β² √(EI/(m/l)). No moment and no shear at the tip; at the root the beam turns freely or with the body, whose inertia it drives.
 *
 * Two equal beams on opposite sides of a body swing in phase (the body goes along with half of its mass for each) or against each other (it
 * turns with half of its moment of inertia for each). Balance at the root, w′′′ and w′′ times EI being shear and moment:
 *
 * in phase:  ½ M ω² w = EI w′′′;  the slope is 0, or the moment is
 * against:   w = r θ, ½ J ω² θ = EI (r w′′′ − w′′), θ = w′;  or the moment is 0 and ½ J ω² θ = EI r w′′′, θ = w/r
 */
export interface BeamOnBody {
  readonly length: number;
  readonly mass: number;
  readonly bendingStiffness: number;
  /** kg, kg m², and the distance of the roots from the centre, m. */
  readonly bodyMass: number;
  readonly bodyInertia: number;
  readonly root: number;
}

/** Determinant of a matrix of rows. */
function determinant(rows: readonly (readonly number[])[]): number {
  if (rows.length === 1) return rows[0][0];
  return rows[0].reduce(
    (sum, value, c) =>
      sum +
      (c % 2 === 0 ? 1 : -1) *
        value *
        determinant(rows.slice(1).map((row) => row.filter((_, k) => k !== c))),
    0,
  );
}

/** Lowest frequency above zero, rad/s. */
export function beamOnBody(data: BeamOnBody, locked: boolean, inPhase: boolean): number {
  const { length, mass, bendingStiffness, bodyMass, bodyInertia, root } = data;
  const line = mass / length;
  const residual = (x: number): number => {
    const beta = x / length;
    const square = (bendingStiffness * beta ** 4) / line;
    const [c, s, ch, sh] = [Math.cos(x), Math.sin(x), Math.cosh(x), Math.sinh(x)];
    // rows over A, B, C, D; at the root w = A + C, w′ = β(B + D), w′′ = β²(C − A), w′′′ = β³(D − B)
    const place = [1, 0, 1, 0];
    const slope = [0, beta, 0, beta];
    const moment = [-1, 0, 1, 0].map((v) => v * beta ** 2 * bendingStiffness);
    const shear = [0, -1, 0, 1].map((v) => v * beta ** 3 * bendingStiffness);
    const tip = [
      [-c, -s, ch, sh],
      [s, -c, sh, ch],
    ];
    let base: number[][];
    if (inPhase) {
      const balance = place.map((v, k) => 0.5 * bodyMass * square * v - shear[k]);
      base = [locked ? slope : moment, balance];
    } else if (locked) {
      base = [
        place.map((v, k) => v - root * slope[k]),
        slope.map((v, k) => 0.5 * bodyInertia * square * v + moment[k] - root * shear[k]),
      ];
    } else {
      base = [
        moment,
        place.map((v, k) => (0.5 * bodyInertia * square * v) / root - root * shear[k]),
      ];
    }
    return determinant([...tip, ...base]);
  };
  let low = 0.2;
  let value = residual(low);
  for (let x = low + 0.01; x < 8; x += 0.01) {
    const next = residual(x);
    if (value * next < 0) {
      let [a, b] = [low, x];
      for (let round = 0; round < 60; round++) {
        const middle = (a + b) / 2;
        if (residual(a) * residual(middle) <= 0) b = middle;
        else a = middle;
      }
      return ((a + b) / 2 / length) ** 2 * Math.sqrt(bendingStiffness / line);
    }
    low = x;
    value = next;
  }
  return Number.NaN;
}
