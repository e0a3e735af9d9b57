/** A polytope made ready for walks around its faces, with each side of a face on its edge. Built once, at load. */
import type { Polytope } from '../polytope.ts';

/** A polytope with the edge of each side of its loops: twice its number, plus 1 when the side runs against it. */
export interface WalkedPolytope {
  readonly polytope: Polytope;
  readonly sides: Int32Array;
}

/** Makes the sides of a bounded polytope. Allocates. */
export function walked(polytope: Polytope): WalkedPolytope {
  const { edges, loops, loopStart } = polytope;
  const number = new Map<string, number>();
  for (let e = 0; 4 * e < edges.length; e++) {
    number.set(`${edges[4 * e]},${edges[4 * e + 1]}`, 2 * e);
    number.set(`${edges[4 * e + 1]},${edges[4 * e]}`, 2 * e + 1);
  }
  const sides = new Int32Array(loops.length);
  for (let f = 0; f + 1 < loopStart.length; f++) {
    for (let h = loopStart[f]; h < loopStart[f + 1]; h++) {
      const next = h + 1 < loopStart[f + 1] ? h + 1 : loopStart[f];
      sides[h] = number.get(`${loops[h]},${loops[next]}`) ?? -1;
    }
  }
  return { polytope, sides };
}
