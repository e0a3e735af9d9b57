/** Orientations in input files: identity, axis and angle, or a quaternion of any length above zero. */
import { type Static, Type } from 'typebox';
import type { Quadruple } from '../src/model/model.ts';
import { quantity, strict, triple } from './fields.ts';
import { unit } from './unit-vector.ts';
import { cos, sin } from '../src/math/elementary/circular.ts';

const KINDS = [
  Type.Object({ kind: Type.Literal('identity') }, strict),
  Type.Object(
    {
      kind: Type.Literal('axis-angle'),
      axis: triple('', { description: 'Rotation axis, any length above zero.' }),
      angle_rad: quantity('rad'),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('quaternion'),
      xyzw: Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()], {
        description: '(x, y, z, w), normalised on load.',
      }),
    },
    strict,
  ),
] as const;

/** Rotates vectors from the body into the world, or from the shape into the body. */
export const Orientation = Type.Union([...KINDS], {
  default: { kind: 'identity' },
  description: 'Rotates body vectors into the world.',
});

/** An orientation that has no default: left out it means that there is none. */
export const GivenOrientation = Type.Union([...KINDS], {
  description: 'Rotates vectors of the tool into the frame.',
});

/** Unit quaternion (x, y, z, w); `field` is its position in the file. */
export function compileOrientation(source: Static<typeof Orientation>, field: string): Quadruple {
  switch (source.kind) {
    case 'identity':
      return [0, 0, 0, 1];
    case 'axis-angle': {
      const [x, y, z] = unit(source.axis, `${field}.axis`);
      const sine = sin(source.angle_rad / 2);
      return [x * sine, y * sine, z * sine, cos(source.angle_rad / 2)];
    }
    case 'quaternion':
      return unit(source.xyzw, `${field}.xyzw`);
  }
}
