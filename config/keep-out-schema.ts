/** Keep-out zones of settings: boxes, spheres and half-spaces of the base frame that the tool point must not enter. */
import { Type } from 'typebox';
import { quantity, strict, triple } from './fields.ts';

export const KeepOutSchema = Type.Union([
  Type.Object({ kind: Type.Literal('box'), min_m: triple('m'), max_m: triple('m') }, strict),
  Type.Object(
    {
      kind: Type.Literal('sphere'),
      center_m: triple('m'),
      radius_m: quantity('m', { exclusiveMinimum: 0 }),
    },
    strict,
  ),
  /** The half-space behind the plane through the point, against its normal. */
  Type.Object(
    { kind: Type.Literal('half-space'), point_m: triple('m'), normal: triple('') },
    strict,
  ),
]);
