/** What the loop and the tables of a run read of a contact: one column a quantity, SI, world. */
import { indicesOf, type NameIndices } from '../base/name-indices.ts';

/** Columns of a contact's read-out. */
export const CONTACT_READOUT = [
  'active',
  'penetration',
  'penetrationRate',
  'normalForce',
  'ft_x',
  'ft_y',
  'ft_z',
  'slip_x',
  'slip_y',
  'slip_z',
  'z_x',
  'z_y',
  'z_z',
  'dwell',
  'stick',
  'impactSpeed',
  'point_x',
  'point_y',
  'point_z',
  'normal_x',
  'normal_y',
  'normal_z',
  'torque_x',
  'torque_y',
  'torque_z',
  'volume',
  'area',
  'spinTorque',
  'gyration',
  'torsion',
  'pairs',
  'turning_x',
  'turning_y',
  'turning_z',
] as const;
/** Index of each of them. */
export const ContactReadout: NameIndices<typeof CONTACT_READOUT> = indicesOf(CONTACT_READOUT);

/** Columns that every contact has; the others are those of volumetric contacts and 0 elsewhere. */
export const COMMON_READOUT: number = ContactReadout.volume;
/** Columns of one sub-model of a volumetric contact: those that it keeps itself. The number of pairs and the turning follow from others. */
export const PIECE_READOUT: number = ContactReadout.pairs;
