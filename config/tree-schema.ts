/** Trees of a scenario file: robots whose joints have no motors. docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import { quantity, strict, triple } from './fields.ts';
import { Orientation } from './orientation.ts';

const Start = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Of a revolute or prismatic joint.' }),
    angle_rad: Type.Optional(quantity('rad')),
    rate_radps: Type.Optional(quantity('rad/s')),
    position_m: Type.Optional(quantity('m')),
    rate_mps: Type.Optional(quantity('m/s')),
  },
  { ...strict, description: 'Of a joint at time zero, in place of what the robot has.' },
);

/** One tree of a scenario. */
export const Tree = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    robot: Type.String({
      minLength: 1,
      description: 'Robot of config/robots, or the path of a robot or URDF file.',
    }),
    position_m: triple('m', { default: [0, 0, 0], description: 'Origin of the base, world.' }),
    orientation: Orientation,
    joints: Type.Array(Start, { default: [] }),
  },
  {
    ...strict,
    description:
      'A robot whose joints turn freely but for their springs: contacts and springs use the names of its links like those of bodies.',
  },
);

/** One tree with defaults and SI values. */
export type ScenarioTree = Static<typeof Tree>;
