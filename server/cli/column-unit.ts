/** Unit in the name of a column, by the convention that it is the last word (docs/conventions.md). */

/** Last words of names, longest first, and the units that they stand for. */
const UNITS: readonly (readonly [suffix: string, unit: string])[] = [
  ['_Nms_per_rad', 'N m s/rad'],
  ['_N_per_m', 'N/m'],
  ['_Ns_per_m', 'N s/m'],
  ['_radps', 'rad/s'],
  ['_rad', 'rad'],
  ['_mps', 'm/s'],
  ['_Nm', 'N m'],
  ['_m3', 'm³'],
  ['_m2', 'm²'],
  ['_kg', 'kg'],
  ['_N', 'N'],
  ['_J', 'J'],
  ['_W', 'W'],
  ['_m', 'm'],
  ['_s', 's'],
];

/** The unit that the name states; empty for numbers without one. */
export function unitOfName(name: string): string {
  return UNITS.find(([suffix]) => name.endsWith(suffix))?.[1] ?? '';
}
