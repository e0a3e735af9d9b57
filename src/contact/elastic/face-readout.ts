/** What the loop reads of all elastic faces of a system together, SI. */
import { indicesOf, type NameIndices } from '../../base/name-indices.ts';
import type { ElasticContact } from './elastic-contact.ts';
import { OPEN, ROUNDS, SLIDE } from './patch-problem.ts';
import { PointReadout } from './point-readout.ts';

/** Columns of the read-out. */
export const FACE_READOUT = [
  /** Points that push after the last step, and those of them that slide. */
  'points',
  'sliding',
  /** Largest normal force of a point over the area that it stands for, Pa; points of unknown area are left out. */
  'pressure',
  /** Most rounds of the solver for a face in the last (sub-)step. */
  'rounds',
  /** (Sub-)steps since time zero whose forces did not settle. */
  'unsettled',
  /** Touches since time zero that had too long (sub-)steps: ω h above 0.4. */
  'unresolved',
] as const;
/** Index of each of them. */
export const FaceReadout: NameIndices<typeof FACE_READOUT> = indicesOf(FACE_READOUT);

/** Columns of FACE_READOUT of some faces. @param point work space, a POINT_READOUT @alloc none */
export function readFaces(
  faces: readonly ElasticContact[],
  point: Float64Array,
  out: Float64Array,
  at: number,
): void {
  for (let a = 0; a < FACE_READOUT.length; a++) out[at + a] = 0;
  for (let k = 0; k < faces.length; k++) {
    const face = faces[k];
    const { states, readout } = face.patch.problem;
    out[at + FaceReadout.unsettled] += face.unsettledSteps;
    out[at + FaceReadout.unresolved] += face.unresolvedTouches;
    if (!face.active) continue;
    if (readout[ROUNDS] > out[at + FaceReadout.rounds])
      out[at + FaceReadout.rounds] = readout[ROUNDS];
    for (let p = 0; p < states.length; p++) {
      if (states[p] === OPEN) continue;
      out[at + FaceReadout.points]++;
      if (states[p] === SLIDE) out[at + FaceReadout.sliding]++;
      face.readPoint(p, point, 0);
      const pressure = point[PointReadout.pressure];
      if (pressure > out[at + FaceReadout.pressure]) out[at + FaceReadout.pressure] = pressure;
    }
  }
}
