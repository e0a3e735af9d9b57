/** Chains of a scenario file: links joined in a row to a fixed base. docs/configuration.md explains each field. */
import { type Static, Type } from 'typebox';
import { Cells, MergeCells } from './cell-schema.ts';
import { quantity, strict, triple } from './fields.ts';
import { Orientation } from './orientation.ts';

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0, default: 0 } as const;
const start = { default: 0, description: 'At time zero.' } as const;
const stiffness = {
  ...notNegative,
  description: 'Of a spring that pulls to the rest position.',
} as const;
const damping = { ...notNegative, description: 'Of a damper beside the spring.' } as const;
const rest = { default: 0, description: 'Where the spring has no effort.' } as const;
const axis = { description: 'In the frame of the link, normalised on load.' } as const;

/** Inertia of a link about its centre of mass, from its mass. */
export const LinkInertia = Type.Union([
  Type.Object(
    { kind: Type.Literal('solid-sphere'), radius_m: quantity('m', positive) },
    { ...strict, description: '2/5 m R² about every axis.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('slender-rod'),
      length_m: quantity('m', positive),
      axis: triple('', { default: [0, 0, 1], description: 'Along the rod, frame of the link.' }),
    },
    { ...strict, description: 'm l²/12 across the rod, 0 about it.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('solid-cylinder'),
      radius_m: quantity('m', positive),
      length_m: quantity('m', positive),
      axis: triple('', { default: [0, 0, 1], description: 'Of the cylinder, frame of the link.' }),
    },
    { ...strict, description: 'm R²/2 about the axis, m (3 R² + l²)/12 across it.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('solid-box'),
      size_m: triple('m', { description: 'Edge lengths along the axes of the link.' }),
    },
    { ...strict, description: 'm (b² + c²)/12 about each axis.' },
  ),
  Type.Object({ kind: Type.Literal('point') }, { ...strict, description: '0: a point mass.' }),
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
]);

const Joint = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('revolute'),
      axis: triple('', axis),
      angle_rad: quantity('rad', start),
      rate_radps: quantity('rad/s', start),
      stiffness_Nm_per_rad: quantity('N*m/rad', stiffness),
      damping_Nm_s_per_rad: quantity('N*m*s/rad', damping),
      rest_rad: quantity('rad', rest),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('prismatic'),
      axis: triple('', axis),
      position_m: quantity('m', { default: 0, description: 'Along the axis, at time zero.' }),
      rate_mps: quantity('m/s', start),
      stiffness_N_per_m: quantity('N/m', stiffness),
      damping_N_s_per_m: quantity('N*s/m', damping),
      rest_m: quantity('m', rest),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('universal'),
      axis_1: triple('', {
        description: 'Carried by the parent; frame of the link at angles zero.',
      }),
      axis_2: triple('', { description: 'Carried by the link, not parallel to the first.' }),
      angle_1_rad: quantity('rad', start),
      angle_2_rad: quantity('rad', start),
      rate_1_radps: quantity('rad/s', start),
      rate_2_radps: quantity('rad/s', start),
      stiffness_1_Nm_per_rad: quantity('N*m/rad', stiffness),
      stiffness_2_Nm_per_rad: quantity('N*m/rad', stiffness),
      damping_1_Nm_s_per_rad: quantity('N*m*s/rad', damping),
      damping_2_Nm_s_per_rad: quantity('N*m*s/rad', damping),
      rest_1_rad: quantity('rad', rest),
      rest_2_rad: quantity('rad', rest),
    },
    strict,
  ),
]);

const Link = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Contacts and springs use it like a body.' }),
    mass_kg: quantity('kg', positive),
    inertia: LinkInertia,
    joint: Joint,
    joint_in_parent_m: triple('m', {
      default: [0, 0, 0],
      description: 'The joint in the frame of the parent link; of the base for the first link.',
    }),
    joint_in_link_m: triple('m', {
      default: [0, 0, 0],
      description: 'The joint in the frame of this link, whose origin is its centre of mass.',
    }),
    orientation: Orientation,
    cells: Cells,
    merge_cells: MergeCells,
  },
  strict,
);

/** One chain of a scenario. */
export const Chain = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    position_m: triple('m', { default: [0, 0, 0], description: 'Origin of the base, world.' }),
    orientation: Orientation,
    links: Type.Array(Link, { minItems: 1, description: 'From the base outwards.' }),
  },
  strict,
);

/** One chain with defaults and SI values. */
export type ScenarioChain = Static<typeof Chain>;
