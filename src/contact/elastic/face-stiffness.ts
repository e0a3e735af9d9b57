/**
 * How stiff an elastic face is at a force: a rigid flat plate pressed along its mean normal, without friction. The force is a piecewise linear
 * function of the depth. For set-up; allocates.
 */
import { tangentBasis } from '../../math/vec3.ts';
import type { PatchModel } from '../../model/patch-spec.ts';
import { ElasticPatch, patchStateLength } from './elastic-patch.ts';
import { makePatch } from './patch-constants.ts';

/** Halvings of the depth, and half width of the central difference, relative to it. */
const HALVINGS = 40;
const DIFFERENCE = 1e-6;
/** Slot of the height and of the force along the normal of the plate. */
const ALONG = 2;

/** Stiffness dF/dδ at a normal force, N/m. */
export function faceStiffness(model: PatchModel, force: number): number {
  const count = model.areas.length;
  // at rest every mode is static
  const constants = makePatch({ ...model, modes: [] }, 1);
  const state = new Float64Array(patchStateLength(constants));
  const patch = new ElasticPatch(constants, { static: 0, sliding: 0 }, state, undefined, count);
  const sum = [0, 1, 2].map((axis) =>
    model.normals.reduce((total, x, k) => (k % 3 === axis ? total + x : total), 0),
  );
  const size = Math.sqrt(sum.reduce((total, x) => total + x * x, 0));
  const plate = Float64Array.from(sum, (x) => -x / size);
  const { pose } = patch;
  tangentBasis(pose, plate, 0);
  pose.copyWithin(3, 0, 6);
  pose.set(plate, 9);
  pose.fill(0, 0, 3);
  let least = Infinity;
  let softest = 0;
  for (let p = 0; p < count; p++) {
    let height = 0;
    let own = 0;
    for (let a = 0; a < 3; a++) {
      height += plate[a] * model.points[3 * p + a];
      for (let b = 0; b < 3; b++) {
        own += plate[a] * model.compliance[3 * count * (3 * p + a) + 3 * p + b] * plate[b];
      }
    }
    if (height < least) [least, softest] = [height, own];
  }
  const forceAt = (depth: number): number => {
    pose[ALONG] = -least - depth;
    patch.solve();
    return patch.wrench[ALONG];
  };
  // the first point by itself is the softest that the face can be
  let [low, high] = [0, softest * force];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = 0.5 * (low + high);
    if (forceAt(middle) < force) low = middle;
    else high = middle;
  }
  const step = DIFFERENCE * high;
  return (forceAt(high + step) - forceAt(high - step)) / (2 * step);
}
