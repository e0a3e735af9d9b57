/** Topics of the telemetry socket that a picture needs: poses and forces, and closest points of bodies of facets. */
import { Type } from 'typebox';
import { count, number, text } from './message-fields.ts';

export const Scene = Type.Object({
  sim_time_s: number('Model time, s.'),
  touching: count('Contact points.'),
  poses: Type.Array(Type.Number(), {
    description: '7 numbers a body in the order of GET /api/scene: position, orientation.',
  }),
  points: Type.Array(Type.Number(), {
    description: '9 numbers a point: place, force on body i, normal; normal 0 of a constraint.',
  }),
  faces: Type.Array(Type.Number(), {
    description:
      '2 numbers a point: 1 sticks, 2 slides, 0 not of an elastic face; its pressure, Pa, 0 where it is not known.',
  }),
  touches: Type.Array(Type.Number(), {
    description:
      '8 numbers a point, empty where no point is of surfaces of free form: its place among `touches` of GET /api/scene; of such surfaces their places that are held or were found last, least and largest relative curvature, 1/m, unit axis of the least, and reciprocal condition; 0 of all others, and all but the places on a border.',
  }),
});

export const Witnesses = Type.Object(
  {
    contacts: Type.Array(
      Type.Object({
        contact: text('Name of a contact of bodies of facets.'),
        pairs: count('Pairs of facets within the standoff.'),
        distinct: count('Those of them with closest features of their own.'),
        least_distance_m: number('Least distance of the bodies.'),
      }),
    ),
    lines: Type.Array(Type.Number(), {
      description: '6 numbers a line: point on body i, point on body j, world, m.',
    }),
  },
  {
    description: 'Closest points of bodies of facets, the nearest 240; at most 20 times a second.',
  },
);
