/** One form of each kind and a pose for it, for the measurement of the heap. */
import { BoxEdge, BoxFlat } from '../../src/overlap/box.ts';
import { CylinderLying, CylinderStanding } from '../../src/overlap/cylinder.ts';
import { OVERLAP_SIZE, volumeInertia } from '../../src/overlap/metrics.ts';
import { Polyhedron } from '../../src/overlap/polyhedron.ts';
import { SphereBore } from '../../src/overlap/sphere-bore.ts';
import { SphereCap, SphereLens } from '../../src/overlap/sphere-cap.ts';
import { SphereSquareEdge } from '../../src/overlap/sphere-edge.ts';

const pose = Float64Array.of(0.0025, 0.05);
const poseOverEdge = Float64Array.of(0.005, 0.097);
const poseInEdge = Float64Array.of(-0.02, -0.03);
const corners = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
const cap = new SphereCap(0.1);
const lens = new SphereLens(0.1, 0.05);
const flat = new BoxFlat(0.3, 0.4, 0.5);
const tilted = new BoxEdge(0.3, 0.4, 0.5);
const lying = new CylinderLying(0.05, 0.2);
const standing = new CylinderStanding(0.05, 0.2);
const bore = new SphereBore(0.1, 1);
const edge = new SphereSquareEdge(0.1);
const polyhedron = new Polyhedron([
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
]);

/** Columns of all forms, one after another, with J_v of the last; sum of all slots in `out[0]`. */
export function writeAll(out: Float64Array, columns: Float64Array): void {
  cap.write(columns, 0, pose, 0);
  lens.write(columns, OVERLAP_SIZE, pose, 0);
  flat.write(columns, 2 * OVERLAP_SIZE, pose, 0);
  tilted.write(columns, 3 * OVERLAP_SIZE, pose, 0);
  lying.write(columns, 4 * OVERLAP_SIZE, pose, 0);
  standing.write(columns, 5 * OVERLAP_SIZE, pose, 0);
  bore.write(columns, 6 * OVERLAP_SIZE, pose, 0);
  edge.write(columns, 7 * OVERLAP_SIZE, poseOverEdge, 0);
  edge.write(columns, 8 * OVERLAP_SIZE, poseInEdge, 0);
  polyhedron.write(columns, 9 * OVERLAP_SIZE, corners, 0);
  volumeInertia(out, 1, columns, 9 * OVERLAP_SIZE);
  out[0] = 0;
  for (let k = 0; k < 10 * OVERLAP_SIZE; k++) out[0] += columns[k];
}
