/** Contacts of a scenario file: two bodies, a pair and three laws. docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import type { ContactModelSpec } from '../src/model/model.ts';
import { strict } from './fields.ts';
import { compileFrictionLaw, FrictionLaw } from './friction-laws.ts';
import { type Materials, materials } from './materials.ts';
import { compileNormalLaw, NormalLaw } from './normal-laws.ts';
import { compilePair, Pair } from './pairs.ts';
import { compileRollingLaw, RollingLaw } from './rolling-laws.ts';

/** One contact of a scenario: a pair, a normal law, a friction law and a rolling law. */
export const Contact = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    body_i: Type.String({ description: 'Body pushed along the normal.' }),
    body_j: Type.String({ description: 'Body whose outward normal is the contact normal.' }),
    pair: Pair,
    normal_law: NormalLaw,
    friction_law: FrictionLaw,
    rolling_law: RollingLaw,
  },
  strict,
);

/** Compiles one contact; `index` is its position in the file. */
export function compileContact(
  source: Static<typeof Contact>,
  index: number,
  palette: Materials = materials(),
): ContactModelSpec {
  const field = `contacts[${index}]`;
  return {
    name: source.name,
    bodyI: source.body_i,
    bodyJ: source.body_j,
    pair: compilePair(source.pair, `${field}.pair`),
    normalLaw: compileNormalLaw(source.normal_law, `${field}.normal_law`, palette),
    frictionLaw: compileFrictionLaw(source.friction_law, `${field}.friction_law`, palette),
    rollingLaw: compileRollingLaw(source.rolling_law, `${field}.rolling_law`, palette),
  };
}
