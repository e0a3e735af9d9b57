/**
 * A cantilever in the plane against the closed form of a beam that is loaded by shear at its end, `Timoshenko & Goodier 1970, 21`.
 *
 * Length L, height H, unit thickness, plane stress, I = H³/12, load P:
 * u_x = −P y/(6 E I) [(6 L − 3 x) x + (2 + ν)(y² − H²/4)]
 * u_y =  P/(6 E I) [3 ν y² (L − x) + (4 + 5 ν) H² x/4 + (3 L − x) x²]
 * The end x = 0 has the displacements of the closed form, the end x = L the shear τ = P (H²/4 − y²)/(2 I).
 */
import { assembleFem, type HeldComponent } from '../../src/fem/assembly.ts';
import { gridNode, planeGrid } from '../../src/fem/grid-meshes.ts';
import { staticFactors } from '../../src/fem/statics.ts';
import { CHECK_MATERIAL } from './fem-field.ts';

const LENGTH = 4;
const HEIGHT = 1;
const INERTIA = HEIGHT ** 3 / 12;
const LOAD = 1;

function exact(x: number, y: number): [number, number] {
  const { young, poisson } = CHECK_MATERIAL;
  const scale = LOAD / (6 * young * INERTIA);
  return [
    -scale * y * ((6 * LENGTH - 3 * x) * x + (2 + poisson) * (y * y - HEIGHT ** 2 / 4)),
    scale *
      (3 * poisson * y * y * (LENGTH - x) +
        ((4 + 5 * poisson) * HEIGHT ** 2 * x) / 4 +
        (3 * LENGTH - x) * x * x),
  ];
}

/** Deflection of the middle of the free end over that of the closed form, with n elements over the height and 2 n along. */
export function beamDeflection(kind: 'quad4' | 'cst', n: number): number {
  const along = 2 * n;
  const mesh = planeGrid(kind, along, n, (u, v) => [LENGTH * u, HEIGHT * (v - 0.5)]);
  const model = { mesh, material: CHECK_MATERIAL, state: 'plane-stress' as const };
  const whole = assembleFem(model);
  const held: HeldComponent[] = [];
  const given = new Float64Array(whole.size);
  for (let j = 0; j <= n; j++) {
    const node = gridNode(along, 0, j);
    for (const [axis, value] of exact(0, HEIGHT * (j / n - 0.5)).entries()) {
      held.push({ node, axis });
      given[whole.freedom[2 * node + axis]] = value;
    }
  }
  const inner = assembleFem({ ...model, held });
  const reaction = new Float64Array(whole.size);
  whole.stiffness.multiply(given, reaction);
  const u = new Float64Array(inner.size);
  for (const [component, at] of inner.freedom.entries()) {
    if (at >= 0) u[at] = -reaction[whole.freedom[component]];
  }
  // two Gauss points integrate the parabola times a linear shape exactly
  for (let j = 0; j < n; j++) {
    for (const point of [-1, 1]) {
      const part = (1 + point / Math.sqrt(3)) / 2;
      const y = HEIGHT * ((j + part) / n - 0.5);
      const force = ((LOAD * (HEIGHT ** 2 / 4 - y * y)) / (2 * INERTIA)) * (HEIGHT / n / 2);
      u[inner.freedom[2 * gridNode(along, along, j) + 1]] += (1 - part) * force;
      u[inner.freedom[2 * gridNode(along, along, j + 1) + 1]] += part * force;
    }
  }
  staticFactors(inner).solve(u);
  return u[inner.freedom[2 * gridNode(along, along, n / 2) + 1]] / exact(LENGTH, 0)[1];
}
