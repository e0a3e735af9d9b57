/** Contacts of a scenario file: two bodies, a pair and three laws. docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import type { ContactModelSpec, ObserverModel } from '../src/model/model.ts';
import { quantity, strict } from './fields.ts';
import { compileFrictionLaw, FrictionLaw } from './friction-laws.ts';
import { type Materials, materials } from './materials.ts';
import { compileNormalLaw, NormalLaw } from './normal-laws.ts';
import { compilePairs, Pair } from './pairs.ts';
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
    yield_strength_N_per_m2: Type.Optional(
      quantity('N/m^2', {
        exclusiveMinimum: 0,
        description:
          'Mean pressure above which validity says that a material yields; left out, that of the weaker one of `materials`.',
      }),
    ),
    response: Type.Union(
      (['elastic', 'observer', 'none'] as const).map((name) => Type.Literal(name)),
      {
        default: 'elastic',
        description:
          'elastic: the laws act; observer: the contact is seen and does not push; none: it is not evaluated.',
      },
    ),
  },
  strict,
);

/** Compiles one contact, or one for each pair of pieces; `index` is its position in the file. */
export function compileContact(
  source: Static<typeof Contact>,
  index: number,
  palette: Materials = materials(),
): ContactModelSpec[] {
  const field = `contacts[${index}]`;
  const normalLaw = compileNormalLaw(source.normal_law, `${field}.normal_law`, palette);
  const seen = source.response === 'observer' || normalLaw.kind === 'observer';
  const laws: Pick<ContactModelSpec, 'normalLaw' | 'frictionLaw' | 'rollingLaw'> = seen
    ? {
        normalLaw: asObserver(normalLaw),
        frictionLaw: { kind: 'none' },
        rollingLaw: { kind: 'none' },
      }
    : {
        normalLaw,
        frictionLaw: compileFrictionLaw(source.friction_law, `${field}.friction_law`, palette),
        rollingLaw: compileRollingLaw(source.rolling_law, `${field}.rolling_law`, palette),
      };
  const strength = source.yield_strength_N_per_m2 ?? strengthOf(source.normal_law, palette);
  return compilePairs(source.pair, `${field}.pair`).map(({ name, pair }) => ({
    name: name === '' ? source.name : `${source.name}.${name}`,
    bodyI: source.body_i,
    bodyJ: source.body_j,
    pair,
    ...laws,
    ...(strength === undefined ? {} : { yieldStrength: strength }),
  }));
}

/** Yield strength of the materials of a law, where it names them and they have one. */
function strengthOf(law: Static<typeof NormalLaw>, palette: Materials): number | undefined {
  const names = 'materials' in law ? law.materials : undefined;
  return names === undefined ? undefined : palette.yieldStrength(names);
}

function asObserver(law: ContactModelSpec['normalLaw']): ObserverModel {
  return law.kind === 'observer' ? law : { kind: 'observer' };
}
