/** How fast two bodies of cells may come nearer. */
import type { ContactBody } from '../contact-body.ts';
import type { CellTable } from './volumetric-pair.ts';

/** Writes a rate that no distance of their cells falls faster than, m/s, into out[o], from the boxes of the last `placeAll`. @alloc none */
export function measureApproach(
  i: ContactBody,
  j: ContactBody,
  table: CellTable,
  out: Float64Array,
  o: number,
): void {
  const vx = i.state[7] - j.state[7];
  const vy = i.state[8] - j.state[8];
  const vz = i.state[9] - j.state[9];
  const reachI = reach(i, table.i.whole, table.j.whole);
  const reachJ = reach(j, table.j.whole, table.i.whole);
  out[o] = -(Math.sqrt(vx * vx + vy * vy + vz * vz) + turning(i) * reachI + turning(j) * reachJ);
}

function turning(body: ContactBody): number {
  const x = body.state;
  return Math.sqrt(x[10] * x[10] + x[11] * x[11] + x[12] * x[12]);
}

/** Farthest corner of the box of a body from its origin; of the box of the other one for a body without an end. */
function reach(body: ContactBody, own: Float64Array, other: Float64Array): number {
  let square = 0;
  for (let a = 0; a < 3; a++) {
    const bounded = own[a] > -Infinity && own[a + 3] < Infinity;
    const low = (bounded ? own[a] : other[a]) - body.state[a];
    const high = (bounded ? own[a + 3] : other[a + 3]) - body.state[a];
    const far = Math.max(low * low, high * high);
    square += far;
  }
  return Math.sqrt(square);
}
