/** The plain description of a grapple: springs and dampers between points of two bodies that act from a touch on. SI. */
import type { Triple } from '../base/tuples.ts';

/** `Kim 1999, (6.1)–(6.6)`: f = K Δr + C Δṙ at each pair of points, Δr their whole distance. */
export interface GrappleModel {
  readonly name: string;
  readonly bodyI: string;
  readonly bodyJ: string;
  /** As many of each, in the frame of the body: origin at the centre of mass. */
  readonly pointsI: readonly Triple[];
  readonly pointsJ: readonly Triple[];
  /** Of a pair of points, along every axis: N/m and N s/m; at least one above 0. */
  readonly stiffness: number;
  readonly damping: number;
  /** Contact whose first touch engages it; left out, it holds from the start. */
  readonly contact?: string;
}
