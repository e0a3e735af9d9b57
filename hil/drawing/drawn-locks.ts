/** Rods between the markers of locks, for a body that has no other shape: a crank or a connecting rod would not be seen. */
import type { SystemModel } from '../../src/model/model.ts';
import type { DrawnCell, Vector } from './drawn-shapes.ts';

/** Radius of a rod over its length. */
const SLIM = 0.05;

/** Rods of a body from each marker to the next one that lies elsewhere. */
export function drawnLocks(body: string, model: SystemModel): DrawnCell[] {
  const places = (model.constraints ?? []).flatMap((one) =>
    one.kind === 'lock'
      ? [one.first, one.second].filter((marker) => marker.body === body).map((m) => m.position)
      : [],
  );
  return places.slice(1).flatMap((to, k) => rod(places[k], to));
}

/** A cylinder from a to b; none where both are one place. */
function rod(a: Vector, b: Vector): DrawnCell[] {
  const way = [0, 1, 2].map((k) => b[k] - a[k]);
  const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  if (length === 0) return [];
  const [x, y, z] = way.map((part) => part / length);
  // turns z to the way: (z × way, 1 + z·way), and about x where both are opposite
  const size = Math.sqrt(2 * (1 + z));
  const orientation = size > 0 ? [-y / size, x / size, 0, (1 + z) / size] : [1, 0, 0, 0];
  return [
    {
      name: 'rod',
      shape: { kind: 'cylinder', radius_m: SLIM * length, length_m: length },
      position_m: [0, 1, 2].map((k) => (a[k] + b[k]) / 2),
      orientation,
    },
  ];
}
