/**
 * Hertz stiffness of elastic spheres and half-spaces, f = k δ^1.5 with k = 4/3 E* √R. `Gonthier 2007, (2.1)–(2.4)`; the same E* is
 * called c_res in `Modia3D`, where c_i = E_i/(1 − ν_i²).
 */

import { expect, positive, range } from '../../base/parameter-checks.ts';

/**
 * Contact modulus E* of two materials, N/m²: 1/E* is the sum of (1 − ν²)/E.
 * @param youngI - Young's modulus E, N/m², > 0
 * @param poissonI - Poisson's ratio ν, in [0, 0.5]
 */
export function contactModulus(
  youngI: number,
  poissonI: number,
  youngJ: number,
  poissonJ: number,
): number {
  checkElastic('I', youngI, poissonI);
  checkElastic('J', youngJ, poissonJ);
  return 1 / ((1 - poissonI * poissonI) / youngI + (1 - poissonJ * poissonJ) / youngJ);
}

function checkElastic(side: string, young: number, poisson: number): void {
  expect(`young${side}`, young, young > 0, '> 0, N/m²');
  range(`poisson${side}`, poisson, poisson >= 0 && poisson <= 0.5, 'in [0, 0.5]');
}

/** Stiffness k, N/m^1.5, from the contact modulus, N/m², and the effective radius, m: 1/R = 1/R_i + 1/R_j. */
export function hertzStiffness(modulus: number, radius: number): number {
  positive('modulus', modulus);
  positive('radius', radius);
  return (4 / 3) * modulus * Math.sqrt(radius);
}

/** Sphere of radius R on a plane, N/m^1.5. Young's moduli in N/m². */
export function hertzSpherePlane(
  radius: number,
  youngI: number,
  poissonI: number,
  youngJ: number,
  poissonJ: number,
): number {
  return hertzStiffness(contactModulus(youngI, poissonI, youngJ, poissonJ), radius);
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
  positive('radiusI', radiusI);
  positive('radiusJ', radiusJ);
  const radius = (radiusI * radiusJ) / (radiusI + radiusJ);
  return hertzSpherePlane(radius, youngI, poissonI, youngJ, poissonJ);
}
