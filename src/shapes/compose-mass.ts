/** Mass properties of several placed parts: rotated, moved by the parallel-axis theorem, added or subtracted. */
import type { Placed } from './cell-model.ts';
import type { MassProperties } from './mass-properties.ts';
import { placementOf, toFrame } from './placement.ts';

type Sextuple = [number, number, number, number, number, number];

/** Mass properties in the parent frame: inertia about the part's own centre of mass. */
export function placedMass(
  properties: MassProperties,
  placed: Omit<Placed<unknown>, 'shape'>,
): MassProperties {
  const r = placementOf(placed);
  const [xx, yy, zz, xy, xz, yz] = properties.inertia;
  const own = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
  const turned = (i: number, j: number): number => {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      for (let l = 0; l < 3; l++) sum += r[3 * i + k] * own[3 * k + l] * r[3 * j + l];
    }
    return sum;
  };
  return {
    mass: properties.mass,
    center: toFrame(r, properties.center),
    inertia: [turned(0, 0), turned(1, 1), turned(2, 2), turned(0, 1), turned(0, 2), turned(1, 2)],
  };
}

/** Sum of all `parts` less all `holes`, which lie inside the parts; all in the same frame. */
export function sumMass(
  parts: readonly MassProperties[],
  holes: readonly MassProperties[] = [],
): MassProperties {
  const signed = [
    ...parts.map((part) => ({ sign: 1, part })),
    ...holes.map((part) => ({ sign: -1, part })),
  ];
  const total = (value: (part: MassProperties) => number): number =>
    signed.reduce((sum, { sign, part }) => sum + sign * value(part), 0);
  const mass = total((part) => part.mass);
  const [x, y, z] = [0, 1, 2].map((k) => total((part) => part.mass * part.center[k]) / mass);
  const center = [x, y, z] as const;
  // about the common centre, so that no large terms cancel
  const inertia: Sextuple = [0, 0, 0, 0, 0, 0];
  for (const { sign, part } of signed) {
    const [a, b, c] = part.center.map((value, k) => value - center[k]);
    const moved = [b * b + c * c, a * a + c * c, a * a + b * b, -a * b, -a * c, -b * c];
    for (let k = 0; k < 6; k++) inertia[k] += sign * (part.inertia[k] + part.mass * moved[k]);
  }
  return { mass, center, inertia };
}
