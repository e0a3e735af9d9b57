/**
 * Rolling laws of a scenario file: the fields of each and its plain description.
 * docs/configuration.md explains each field.
 */
import { type Static, type TObject, Type } from 'typebox';
import type {
  NoRollingModel,
  RollingLawModel,
  RollingResistanceModel,
  VolumetricRollingModel,
} from '../src/model/model.ts';
import { quantity } from './fields.ts';
import { compileKind, kind, schemaOf, type SourceOf } from './kinds.ts';
import {
  type Materials,
  materialNames,
  materials,
  numberOfPair,
  pairOfMaterials,
} from './materials.ts';

/** Default tolerance of turning, rad/s: that of all listed pairs of materials. */
const SMALL_ANGULAR_VELOCITY = 0.01;

const resistance = {
  rolling_friction: Type.Optional(
    Type.Number({ minimum: 0, description: 'Left out, that of the pair of materials.' }),
  ),
  materials: materialNames,
  angular_velocity_tolerance_radps: Type.Optional(
    quantity('rad/s', {
      exclusiveMinimum: 0,
      description:
        'Turning below which the moment is not fully developed; left out, that of the pair of materials or 0.01.',
    }),
  ),
} as const;

const ROLLING_LAWS = {
  none: kind({}, (): NoRollingModel => ({ kind: 'none' })),
  modia3d: kind(resistance, compileResistance, 'tau = -mu_r R f_n w / reg(|w|)'),
  volumetric: kind(
    {},
    (): VolumetricRollingModel => ({ kind: 'volumetric' }),
    'tau = -(B/V) J_v w_t of the damped foundation',
  ),
} as const;

/** Every rolling law, distinguished by `kind`; none by default. */
export const RollingLaw = schemaOf(ROLLING_LAWS, { default: { kind: 'none' } });

/** Compiles a rolling law; `field` is its path. */
export function compileRollingLaw(
  source: SourceOf<typeof ROLLING_LAWS>,
  field: string,
  palette: Materials = materials(),
): RollingLawModel {
  return compileKind<RollingLawModel, typeof ROLLING_LAWS>(ROLLING_LAWS, source, field, palette);
}

function compileResistance(
  source: Static<TObject<typeof resistance>>,
  field: string,
  palette: Materials,
): RollingResistanceModel {
  const needed = source.rolling_friction === undefined;
  const pair = pairOfMaterials(palette, source.materials, `${field}.materials`, needed);
  const friction = source.rolling_friction ?? pair?.rolling_resistance;
  return {
    kind: 'modia3d',
    rollingFriction: numberOfPair(friction, `${field}.rolling_friction`),
    angularVelocityTolerance:
      source.angular_velocity_tolerance_radps ??
      pair?.small_angular_velocity_radps ??
      SMALL_ANGULAR_VELOCITY,
  };
}
