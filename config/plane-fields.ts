/** Fields of a plane of body j in a scenario file. */
import { quantity, triple } from './fields.ts';

export const PLANE_FIELDS = {
  normal: triple('', {
    default: [0, 0, 1],
    description: 'Outward normal of the plane in the frame of body j, normalised on load.',
  }),
  offset_m: quantity('m', {
    default: 0,
    description: 'Distance of the plane from the origin of body j along the normal.',
  }),
} as const;
