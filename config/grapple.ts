/** Grapples of a scenario: springs and dampers that hold two bodies from a touch on. docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import type { GrappleModel } from '../src/model/model.ts';
import { quantity, strict, triple } from './fields.ts';

const notNegative = { minimum: 0, default: 0 } as const;
const points = (body: string): ReturnType<typeof Type.Array<ReturnType<typeof triple>>> =>
  Type.Array(triple('m'), {
    minItems: 1,
    maxItems: 8,
    description: `In the frame of body ${body}, from its centre of mass.`,
  });

/** One grapple of a scenario. */
export const Grapple = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    body_i: Type.String(),
    body_j: Type.String(),
    points_i_m: points('i'),
    points_j_m: points('j'),
    stiffness_N_per_m: quantity('N/m', notNegative),
    damping_N_s_per_m: quantity('N*s/m', notNegative),
    contact: Type.Optional(
      Type.String({
        description: 'Contact whose first touch engages it; left out, it holds from the start.',
      }),
    ),
  },
  {
    ...strict,
    description:
      'A spring and a damper between each point of body i and its partner on body j, on their whole distance.',
  },
);

/** Compiles one grapple. */
export function compileGrapple(source: Static<typeof Grapple>): GrappleModel {
  return {
    name: source.name,
    bodyI: source.body_i,
    bodyJ: source.body_j,
    pointsI: source.points_i_m,
    pointsJ: source.points_j_m,
    stiffness: source.stiffness_N_per_m,
    damping: source.damping_N_s_per_m,
    ...(source.contact === undefined ? {} : { contact: source.contact }),
  };
}
