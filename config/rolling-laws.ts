/**
 * Rolling laws of a scenario file: the fields of each and its plain description.
 * docs/configuration.md explains each field.
 */
import { Type } from 'typebox';
import type {
  NoRollingModel,
  RollingLawModel,
  RollingResistanceModel,
  VolumetricRollingModel,
} from '../src/model/model.ts';
import { quantity } from './fields.ts';
import { compileKind, kind, schemaOf, type SourceOf } from './kinds.ts';

const ROLLING_LAWS = {
  none: kind({}, (): NoRollingModel => ({ kind: 'none' })),
  modia3d: kind(
    {
      rolling_friction: Type.Number({ minimum: 0 }),
      angular_velocity_tolerance_radps: quantity('rad/s', {
        exclusiveMinimum: 0,
        default: 0.01,
        description: 'Turning below which the moment is not fully developed.',
      }),
    },
    (source): RollingResistanceModel => ({
      kind: 'modia3d',
      rollingFriction: source.rolling_friction,
      angularVelocityTolerance: source.angular_velocity_tolerance_radps,
    }),
    'tau = -mu_r R f_n w / reg(|w|)',
  ),
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
): RollingLawModel {
  return compileKind<RollingLawModel, typeof ROLLING_LAWS>(ROLLING_LAWS, source, field);
}
