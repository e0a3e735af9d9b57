/** The rows of a run: time, poses, twists, contacts, energies, as one flat list of numbers with named columns. */
import { CONTACT_READOUT, ENERGY_READOUT, type System } from '../../src/system.ts';

const BODY = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw', 'vx', 'vy', 'vz', 'wx', 'wy', 'wz'];

/** Names of the columns of `fillRow`. Bodies and contacts carry their names; units are SI, the frame is the world. */
export function rowColumns(system: System): string[] {
  const { contacts } = system.model;
  return [
    'time',
    ...system.bodyNames.flatMap((name) => BODY.map((part) => `${name}.${part}`)),
    ...contacts.flatMap(({ name }) => CONTACT_READOUT.map((part) => `${name}.${part}`)),
    ...ENERGY_READOUT.map((part) => `energy.${part}`),
    'substeps',
  ];
}

/** Copies the present state into a row. */
export function fillRow(system: System, row: Float64Array): void {
  let at = 0;
  row[at++] = system.time;
  for (let i = 0; i < system.bodyCount; i++, at += BODY.length) system.readBody(i, row, at);
  for (let k = 0; k < system.contactCount; k++, at += CONTACT_READOUT.length) {
    system.readContact(k, row, at);
  }
  system.readEnergy(row, at);
  row[at + ENERGY_READOUT.length] = system.substeps;
}
