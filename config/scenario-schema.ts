/**
 * A scenario file (`config/scenarios/*.yaml`): bodies, contacts, springs, tool and command. `kind`
 * distinguishes the members of unions. The name of every number contains its SI unit.
 * docs/configuration.md explains each field.
 */
import { type Static, type TObject, Type } from 'typebox';
import { ArmRobot } from './arm-schema.ts';
import { Cells, MergeCells } from './cell-schema.ts';
import { Chain } from './chain-schema.ts';
import { Constraint } from './constraint.ts';
import { Contact } from './contact.ts';
import { quantity, strict, triple } from './fields.ts';
import { Grapple } from './grapple.ts';
import { Integration } from './integration.ts';
import { Orientation } from './orientation.ts';
import { Tree } from './tree-schema.ts';

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0 } as const;

const Inertia = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('solid-sphere'),
      radius_m: quantity('m', positive),
    },
    { ...strict, description: '2/5 m R² about every axis.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('tensor'),
      moments_kg_m2: triple('kg*m^2', { description: 'Ixx, Iyy, Izz about the centre of mass.' }),
      products_kg_m2: triple('kg*m^2', {
        default: [0, 0, 0],
        description: 'Ixy, Ixz, Iyz (elements of the tensor).',
      }),
    },
    strict,
  ),
  Type.Object(
    { kind: Type.Literal('locked') },
    { ...strict, description: 'The body moves but never turns.' },
  ),
]);

const pose = {
  name: Type.String({ minLength: 1 }),
  position_m: triple('m', {
    default: [0, 0, 0],
    description: 'Centre of mass, world; with a density the origin of the frame of the cells.',
  }),
  orientation: Orientation,
  cells: Cells,
  merge_cells: MergeCells,
} as const;
const twist = {
  velocity_mps: triple('m/s', { default: [0, 0, 0], description: 'At time zero, world.' }),
  angular_velocity_radps: triple('rad/s', { default: [0, 0, 0], description: 'World.' }),
} as const;

const Body = Type.Union([
  Type.Object({ kind: Type.Literal('fixed'), ...pose }, strict),
  Type.Object(
    {
      kind: Type.Literal('dynamic'),
      ...pose,
      ...twist,
      mass_kg: Type.Optional(quantity('kg', positive)),
      inertia: Type.Optional(Inertia),
      density_kg_per_m3: Type.Optional(
        quantity('kg/m^3', {
          ...positive,
          description: 'Mass, centre and inertia from the cells, in place of mass and inertia.',
        }),
      ),
    },
    strict,
  ),
  Type.Object({ kind: Type.Literal('prescribed'), ...pose, ...twist }, strict),
  Type.Object({ kind: Type.Literal('accommodated'), ...pose, ...twist }, strict),
]);

const Spring = Type.Object(
  {
    body: Type.String(),
    anchor_m: triple('m', { default: [0, 0, 0] }),
    stiffness_N_per_m: quantity('N/m', positive),
  },
  strict,
);

const Tool = Type.Object(
  {
    payload: Type.String({
      description: 'Prescribed body that touches; its origin is the tool point.',
    }),
    arm: Type.String({ description: 'Accommodated body that makes the set-point.' }),
    force_gain_N_per_mps: quantity('N/(m/s)', positive),
    moment_gain_Nm_per_radps: quantity('N*m/(rad/s)', positive),
    force_deadband_N: quantity('N', { ...notNegative, default: 0 }),
    moment_deadband_Nm: quantity('N*m', { ...notNegative, default: 0 }),
    lag_s: quantity('s', positive),
    maximum_speed_mps: quantity('m/s', positive),
    maximum_angular_speed_radps: quantity('rad/s', positive),
    robot: Type.Optional(ArmRobot),
  },
  strict,
);

const Insertion = Type.Object(
  {
    seated_position_m: triple('m', {
      default: [0, 0, 0],
      description: 'Origin of the payload at full depth, world.',
    }),
    seated_orientation: Orientation,
    direction: triple('', { description: 'Into the seat, world, any length above zero.' }),
    depth_m: quantity('m', { ...positive, description: 'Way from the mouth to full depth.' }),
  },
  {
    ...strict,
    description: 'Where the payload goes: for the console and the scripted flight.',
  },
);

const Command = Type.Object(
  {
    time_s: quantity('s', notNegative),
    linear_mps: triple('m/s', { default: [0, 0, 0] }),
    angular_radps: triple('rad/s', { default: [0, 0, 0] }),
  },
  { ...strict, description: 'Commanded twist, world, until the next piece.' },
);

/** Schema of a scenario file. */
export const ScenarioSchema = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    title: Type.String({ minLength: 1 }),
    description: Type.String({ default: '' }),
    gravity_mps2: triple('m/s^2', { default: [0, 0, -9.81] }),
    materials_file: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'YAML file of solids and contact pairs beside those of the package, relative to the scenario.',
      }),
    ),
    bodies: Type.Array(Body, { minItems: 1 }),
    chains: Type.Array(Chain, { default: [] }),
    trees: Type.Array(Tree, { default: [] }),
    contacts: Type.Array(Contact, { default: [] }),
    springs: Type.Array(Spring, { default: [] }),
    grapples: Type.Array(Grapple, { default: [] }),
    constraints: Type.Array(Constraint, { default: [] }),
    tool: Type.Optional(Tool),
    insertion: Type.Optional(Insertion),
    command: Type.Array(Command, { default: [] }),
    integration: Integration,
    duration_s: quantity('s', { ...positive, description: 'Run length without --until.' }),
  },
  { ...strict, title: 'Berth scenario' },
) satisfies TObject;

/** A scenario with defaults and SI values. */
export type Scenario = Static<typeof ScenarioSchema>;
/** One body of a scenario. */
export type ScenarioBody = Scenario['bodies'][number];
