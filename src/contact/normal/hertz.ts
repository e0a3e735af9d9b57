/** Hertz stiffness of elastic spheres and half-spaces, f = k δ^1.5. `Gonthier 2007, (2.1)–(2.4)`. */

/** 1/E* of two materials, 1/Pa: sum of (1 − ν²)/E. */
function compliance(e1: number, nu1: number, e2: number, nu2: number): number {
  return (1 - nu1 * nu1) / e1 + (1 - nu2 * nu2) / e2;
}

/** Sphere of radius R on a plane, N/m^1.5. Young's moduli in Pa. */
export function hertzSpherePlane(
  radius: number,
  youngI: number,
  poissonI: number,
  youngJ: number,
  poissonJ: number,
): number {
  return ((4 / 3) * Math.sqrt(radius)) / compliance(youngI, poissonI, youngJ, poissonJ);
}

/** Two spheres, N/m^1.5: the radius is R_i R_j / (R_i + R_j). */
export function hertzSphereSphere(
  radiusI: number,
  radiusJ: number,
  youngI: number,
  poissonI: number,
  youngJ: number,
  poissonJ: number,
): number {
  const radius = (radiusI * radiusJ) / (radiusI + radiusJ);
  return hertzSpherePlane(radius, youngI, poissonI, youngJ, poissonJ);
}
