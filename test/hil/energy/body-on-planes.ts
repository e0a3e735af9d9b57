/** The free body on which guard and audit are tested: an anisotropic inertia, a point off its centre, a floor. */
import type { FreeBody } from './free-body.ts';

export const FLOOR = {
  n: [0, 0, 1],
  offset: 0,
  k: 5e4,
  b: 0,
  mu: 0,
} satisfies FreeBody['planes'][number];
type Plane = FreeBody['planes'][number];
export const planes = (...list: Plane[]): Plane[] => list;
export const BODY: FreeBody = {
  mass: 40,
  inertia: [1.2, 2.5, 3.1],
  points: [[0.2, 0.1, -0.15]],
  planes: planes(FLOOR),
  tool: [0.05, -0.1, 0.2],
  position: [0, 0, 0.16],
  orientation: [0, 0, 0, 1],
  velocity: [0.05, 0.02, -0.1],
  spin: [0, 0, 0],
  delay: 5,
  guard: false,
  ticks: 1200,
};
