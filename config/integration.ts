/** Integration of a scenario: its fields and their plain description. docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import type { SystemModel } from '../src/model/model.ts';
import { quantity, strict } from './fields.ts';

/** Fields of the model that it sets. */
type IntegrationModel = Omit<
  SystemModel,
  | 'name'
  | 'gravity'
  | 'bodies'
  | 'chains'
  | 'contacts'
  | 'springs'
  | 'tool'
  | 'command'
  | 'duration'
>;

/** The group `integration` of a scenario. */
export const Integration = Type.Object(
  {
    kind: Type.Union(
      [
        Type.Literal('implicit-contact'),
        Type.Literal('symplectic-euler'),
        Type.Literal('ode3'),
        Type.Literal('rk4'),
        Type.Literal('ode5'),
        Type.Literal('dormand-prince'),
        Type.Literal('rosenbrock'),
      ],
      {
        default: 'implicit-contact',
        description:
          'The last two choose their steps by the tolerances and do not run in the loop.',
      },
    ),
    step_s: quantity('s', {
      exclusiveMinimum: 0,
      maximum: 0.01,
      default: 0.001,
      description: 'Fixed step; for adaptive kinds the interval of results.',
    }),
    maximum_substeps: Type.Integer({ minimum: 1, maximum: 1000, default: 64 }),
    relative_tolerance: Type.Number({
      minimum: 1e-13,
      maximum: 0.1,
      default: 1e-8,
      description: 'Of adaptive kinds: allowed error of a step, part of each value.',
    }),
    absolute_tolerance: Type.Number({
      exclusiveMinimum: 0,
      default: 1e-10,
      description: 'Of adaptive kinds: allowed error of a step, in the SI unit of each value.',
    }),
    locate_events: Type.Boolean({
      default: false,
      description:
        'ode3, rk4 and ode5 end a sub-step at each start and end of a contact; adaptive kinds always do.',
    }),
  },
  { ...strict, default: {} },
);

/** Compiles the fields of the model. */
export function compileIntegration(source: Static<typeof Integration>): IntegrationModel {
  return {
    integrator: source.kind,
    step: source.step_s,
    maximumSubsteps: source.maximum_substeps,
    relativeTolerance: source.relative_tolerance,
    absoluteTolerance: source.absolute_tolerance,
    locateEvents: source.locate_events,
  };
}
