/** What the loop reads of one point of an elastic face: one column a quantity, SI, world. */
import { indicesOf, type NameIndices } from '../../base/name-indices.ts';

/** Columns of a point's read-out. */
export const POINT_READOUT = [
  /** 0 where it does not push, 1 where it sticks, 2 where it slides. */
  'state',
  'place_x',
  'place_y',
  'place_z',
  /** Force on body i, N. */
  'force_x',
  'force_y',
  'force_z',
  /** Unit normal of body j at it. */
  'normal_x',
  'normal_y',
  'normal_z',
  /** Part of the face that it stands for, m²; 0 where it is not known. */
  'area',
  /** Normal force over that, Pa; 0 where it is not known. */
  'pressure',
] as const;
/** Index of each of them. */
export const PointReadout: NameIndices<typeof POINT_READOUT> = indicesOf(POINT_READOUT);
