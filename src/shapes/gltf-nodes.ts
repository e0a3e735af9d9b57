/** Placements of the nodes of a glTF file: 4 × 4 matrices, column by column. */
import { refuse } from './mesh-lines.ts';
import { type JsonObject, optionalNumbers } from './gltf-json.ts';

/** Sixteen numbers, column by column; the last row is 0, 0, 0, 1. */
export type Matrix4 = readonly number[];

/** Largest part of the last row besides its 1. */
const AFFINE = 1e-6;
/** Largest difference of a quaternion from unit length: a few digits of text. */
const UNIT = 1e-2;

/** The placement that moves nothing. */
export function identity(): Matrix4 {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
}

/** a b. */
export function product(a: Matrix4, b: Matrix4): Matrix4 {
  return Array.from({ length: 16 }, (_, at) => {
    const row = at % 4;
    const column = at - row;
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + row] * b[column + k], 0);
  });
}

/** Whether a matrix mirrors, so that triangles run the other way round. */
export function turnsOver(m: Matrix4): boolean {
  const minor = m[0] * (m[5] * m[10] - m[6] * m[9]);
  const other = m[4] * (m[1] * m[10] - m[2] * m[9]);
  return minor - other + m[8] * (m[1] * m[6] - m[2] * m[5]) < 0;
}

/** Matrix of a node: its own, or T R S. @throws BerthError */
export function nodeMatrix(node: JsonObject, where: string, name: string): Matrix4 {
  const given = optionalNumbers(node.matrix, 16, `${where}.matrix`, name);
  if (given !== null) {
    const [x, y, z, w] = [given[3], given[7], given[11], given[15]];
    const rest = [x, y, z, w - 1].find((value) => Math.abs(value) > AFFINE);
    if (rest === undefined) return given;
    throw refuse(name, `${where}.matrix`, 'its last row is not 0, 0, 0, 1');
  }
  const move = optionalNumbers(node.translation, 3, `${where}.translation`, name) ?? [0, 0, 0];
  const turn = optionalNumbers(node.rotation, 4, `${where}.rotation`, name) ?? [0, 0, 0, 1];
  const scale = optionalNumbers(node.scale, 3, `${where}.scale`, name) ?? [1, 1, 1];
  const length = Math.sqrt(turn.reduce((sum, q) => sum + q * q, 0));
  if (!(Math.abs(length - 1) < UNIT)) {
    throw refuse(name, `${where}.rotation`, `a quaternion of the length ${length}; allowed: 1`);
  }
  const [x, y, z, w] = turn.map((q) => q / length);
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  const rotated = columns.flatMap((column, k) => [...column.map((value) => value * scale[k]), 0]);
  return [...rotated, ...move, 1];
}
