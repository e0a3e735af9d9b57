/** Columns of the rows of `berth simulate`: name with unit, and what each is. SI, world frame. docs/columns.md is made of them. */
import {
  CONSTRAINT_READOUT,
  CONTACT_READOUT,
  ENERGY_READOUT,
  type System,
  TOUCH_READOUT,
} from '../../src/system/system.ts';

/** One column: its name without the body or contact before it, with the unit as its last word, and a description. */
export interface RunColumn {
  readonly name: string;
  /** Unit in words of the page; `1` for numbers without one. */
  readonly unit: string;
  readonly what: string;
}

type ContactPart = (typeof CONTACT_READOUT)[number];
type ConstraintPart = (typeof CONSTRAINT_READOUT)[number];
type TouchPart = (typeof TOUCH_READOUT)[number];
type EnergyPart = (typeof ENERGY_READOUT)[number];

const column = (name: string, unit: string, what: string): RunColumn => ({ name, unit, what });

/** Columns of `System.readBody`, in its order. */
export const BODY_COLUMNS: readonly RunColumn[] = [
  ...['x', 'y', 'z'].map((a) => column(`p_${a}_m`, 'm', `position of the body, ${a}`)),
  ...['x', 'y', 'z', 'w'].map((a) => column(`q_${a}`, '1', `unit quaternion, body to world, ${a}`)),
  ...['x', 'y', 'z'].map((a) => column(`v_${a}_mps`, 'm/s', `velocity, ${a}`)),
  ...['x', 'y', 'z'].map((a) => column(`w_${a}_radps`, 'rad/s', `angular velocity, ${a}`)),
];

/** Columns of each read-out of a contact. The other body is j, and forces act on body i. */
export const CONTACT_COLUMNS: Readonly<Record<ContactPart, RunColumn>> = {
  active: column('active', '1', '1 while the contact touches, else 0'),
  penetration: column('penetration_m', 'm', 'penetration; of the deepest pair of cells'),
  penetrationRate: column('penetration_rate_mps', 'm/s', 'its rate; positive when approaching'),
  normalForce: column(
    'normal_force_N',
    'N',
    'normal force; amount of the vector sum over all cells',
  ),
  ft_x: column('friction_force_x_N', 'N', 'friction force on body i, x'),
  ft_y: column('friction_force_y_N', 'N', 'friction force on body i, y'),
  ft_z: column('friction_force_z_N', 'N', 'friction force on body i, z'),
  slip_x: column('slip_x_mps', 'm/s', 'tangential velocity of i over j, x'),
  slip_y: column('slip_y_mps', 'm/s', 'tangential velocity of i over j, y'),
  slip_z: column('slip_z_mps', 'm/s', 'tangential velocity of i over j, z'),
  z_x: column('bristle_x_m', 'm', 'deflection of the bristle, x; 0 without one'),
  z_y: column('bristle_y_m', 'm', 'deflection of the bristle, y'),
  z_z: column('bristle_z_m', 'm', 'deflection of the bristle, z'),
  dwell: column('dwell', '1', 'dwell state of the friction law, 0 to 1'),
  stick: column('stick', '1', 'share of sticking: 0 slips, 1 sticks'),
  impactSpeed: column('impact_speed_mps', 'm/s', 'approach speed at the onset of the contact'),
  point_x: column('point_x_m', 'm', 'contact point, x'),
  point_y: column('point_y_m', 'm', 'contact point, y'),
  point_z: column('point_z_m', 'm', 'contact point, z'),
  normal_x: column('normal_x', '1', 'unit normal, from j to i, x'),
  normal_y: column('normal_y', '1', 'unit normal, from j to i, y'),
  normal_z: column('normal_z', '1', 'unit normal, from j to i, z'),
  torque_x: column('moment_x_Nm', 'N m', 'moment on body i about the contact point, x'),
  torque_y: column('moment_y_Nm', 'N m', 'moment on body i about the contact point, y'),
  torque_z: column('moment_z_Nm', 'N m', 'moment on body i about the contact point, z'),
  volume: column('volume_m3', 'm³', 'volume of the overlap; 0 for a point contact'),
  area: column('area_m2', 'm²', 'area of the contact; 0 for a point contact'),
  spinTorque: column('spin_moment_Nm', 'N m', 'moment of the spin friction about the normal'),
  gyration: column('gyration_radius_m', 'm', 'radius of gyration of the overlap about the normal'),
  torsion: column('torsion_rad', 'rad', 'deflection of the spin bristle'),
  pairs: column('pairs', '1', 'pairs of cells that touch; of a point contact 1 while it touches'),
  turning_x: column('relative_w_x_radps', 'rad/s', 'angular velocity of i over j, x'),
  turning_y: column('relative_w_y_radps', 'rad/s', 'angular velocity of i over j, y'),
  turning_z: column('relative_w_z_radps', 'rad/s', 'angular velocity of i over j, z'),
};

/** Columns of each read-out of surfaces of free form, beside those of their contact. */
export const TOUCH_COLUMNS: Readonly<Record<TouchPart, RunColumn>> = {
  places: column('places', '1', 'places that the last search found; 0 while they do not touch'),
  least: column('least_curvature', '1', 'least relative curvature, times 10 mm; 0 on a border'),
  most: column('largest_curvature', '1', 'largest relative curvature, times 10 mm'),
  axisX: column('curvature_axis_x', '1', 'unit axis of the least curvature, x; 0 on a border'),
  axisY: column('curvature_axis_y', '1', 'unit axis of the least curvature, y'),
  axisZ: column('curvature_axis_z', '1', 'unit axis of the least curvature, z'),
  reciprocalCondition: column(
    'reciprocal_condition',
    '1',
    'reciprocal condition of the equations of the place; 0 where they are singular',
  ),
};

/** Columns of each read-out of a constraint: what it does to its first body. */
export const CONSTRAINT_COLUMNS: Readonly<Record<ConstraintPart, RunColumn>> = {
  forceX: column('reaction_force_x_N', 'N', 'force on the first body, x'),
  forceY: column('reaction_force_y_N', 'N', 'force on the first body, y'),
  forceZ: column('reaction_force_z_N', 'N', 'force on the first body, z'),
  momentX: column('reaction_moment_x_Nm', 'N m', 'moment on the first body about its marker, x'),
  momentY: column('reaction_moment_y_Nm', 'N m', 'moment on the first body about its marker, y'),
  momentZ: column('reaction_moment_z_Nm', 'N m', 'moment on the first body about its marker, z'),
  gap: column('drift_m', 'm', 'largest residual of the rows in length'),
  turn: column('drift_rad', 'rad', 'largest residual of the rows in angle'),
  power: column('imposed_power_W', 'W', 'power that an imposed motion feeds in'),
  placeX: column('reaction_point_x_m', 'm', 'marker, or point of contact, of the first body, x'),
  placeY: column('reaction_point_y_m', 'm', 'marker, or point of contact, of the first body, y'),
  placeZ: column('reaction_point_z_m', 'm', 'marker, or point of contact, of the first body, z'),
  rate: column('rate_drift_mps', 'm/s', 'largest residual of the rates of the rows in length'),
  spin: column('rate_drift_radps', 'rad/s', 'largest residual of the rates of the rows in angle'),
  curvature: column(
    'curvature',
    '1',
    'least relative curvature of the two surfaces, times 10 mm; NaN of a lock',
  ),
};

/** Columns of each term of the energy ledger. */
export const ENERGY_COLUMNS: Readonly<Record<EnergyPart, RunColumn>> = {
  kinetic: column('kinetic_J', 'J', 'kinetic energy'),
  potential: column('potential_J', 'J', 'potential energy'),
  elastic: column('elastic_J', 'J', 'energy in contact springs and flexible parts'),
  bristle: column('bristle_J', 'J', 'energy in the bristles of friction'),
  dissipated: column('dissipated_J', 'J', 'taken by contacts and dampers since the start'),
  externalWork: column('external_work_J', 'J', 'work from outside since the start'),
  balance: column('balance_J', 'J', 'gained (above 0) or lost by the integration'),
};

/** First and last column of a row. */
export const TIME_COLUMN: RunColumn = column('time_s', 's', 'model time');
export const SUBSTEPS_COLUMN: RunColumn = column('substeps', '1', 'sub-steps of the last step');

/** Names of the columns of a row: those of a body, a contact, a constraint and the ledger have its name and a dot before them. */
export function runColumnNames(system: System): string[] {
  const { model, bodyNames } = system;
  const named = (owner: string, columns: readonly RunColumn[]): string[] =>
    columns.map(({ name }) => `${owner}.${name}`);
  const contact = CONTACT_READOUT.map((part) => CONTACT_COLUMNS[part]);
  const touch = TOUCH_READOUT.map((part) => TOUCH_COLUMNS[part]);
  const constraint = CONSTRAINT_READOUT.map((part) => CONSTRAINT_COLUMNS[part]);
  const energy = ENERGY_READOUT.map((part) => ENERGY_COLUMNS[part]);
  return [
    TIME_COLUMN.name,
    ...bodyNames.flatMap((body) => named(body, BODY_COLUMNS)),
    ...model.contacts.flatMap(({ name }, k) => [
      ...named(name, contact),
      ...(system.hasSurfaces(k) ? named(name, touch) : []),
    ]),
    ...(model.constraints ?? []).flatMap(({ name }) => named(name, constraint)),
    ...named('energy', energy),
    SUBSTEPS_COLUMN.name,
  ];
}
