/** Refuses a contact whose parts are unknown, wrong in a parameter, or do not fit together. */
import type { ContactModelSpec } from '../model/contact-spec.ts';
import { BerthError } from '../base/errors.ts';
import { oneOf, plain, positive } from '../base/parameter-checks.ts';
import type { CellModel } from '../shapes/cell-model.ts';
import { checkPartnerSizes } from '../shapes/check-cell.ts';
import {
  FRICTION_LAWS,
  frictionDefinition,
  missingKinematics,
  NORMAL_LAWS,
  normalDefinition,
  PAIRS,
  pairDefinition,
  ROLLING_LAWS,
  rollingDefinition,
  rollingOf,
} from './registry.ts';

/** Checks pair and laws; `field` names the contact. @throws BerthError */
export function checkContactParts(contact: ContactModelSpec, field: string): void {
  const { pair, normalLaw, frictionLaw, yieldStrength } = contact;
  const rollingLaw = rollingOf(contact.rollingLaw);
  for (const [part, model] of Object.entries({ pair, normalLaw, frictionLaw })) {
    plain(`${field}.${part}`, model);
  }
  if (contact.rollingLaw !== undefined) plain(`${field}.rollingLaw`, contact.rollingLaw);
  oneOf(`${field}.pair`, pair.kind, Object.keys(PAIRS));
  pairDefinition(pair).check(pair, `${field}.pair`);
  oneOf(`${field}.normalLaw`, normalLaw.kind, [...Object.keys(NORMAL_LAWS), 'observer']);
  normalDefinition(normalLaw).check(normalLaw, `${field}.normalLaw`);
  oneOf(`${field}.frictionLaw`, frictionLaw.kind, Object.keys(FRICTION_LAWS));
  frictionDefinition(frictionLaw).check(frictionLaw, `${field}.frictionLaw`);
  oneOf(`${field}.rollingLaw`, rollingLaw.kind, Object.keys(ROLLING_LAWS));
  rollingDefinition(rollingLaw).check(rollingLaw, `${field}.rollingLaw`);
  if (yieldStrength !== undefined) positive(`${field}.yieldStrength`, yieldStrength);
  const definition = pairDefinition(pair);
  const parts = [
    ['normal', normalLaw.kind, normalDefinition(normalLaw)],
    ['friction', frictionLaw.kind, frictionDefinition(frictionLaw)],
    ['rolling', rollingLaw.kind, rollingDefinition(rollingLaw)],
  ] as const;
  for (const [role, kind, law] of parts) {
    const part = `${role}Law`;
    const missing = missingKinematics(definition, law, role);
    if (missing.length === 0) continue;
    throw new BerthError(
      'BERTH_MISMATCH',
      `${field}.${part} "${kind}" needs ${missing.join(' and ')}, which a pair of kind "${pair.kind}" does not supply`,
      { field: `${field}.${part}` },
    );
  }
}

/** A contact of cells needs them on both bodies, of which at least one has an end. @throws BerthError */
export function checkContactCells(
  contact: ContactModelSpec,
  cellsOf: (body: string) => readonly CellModel[],
  field: string,
): void {
  const { pair, bodyI, bodyJ } = contact;
  if (pairDefinition(pair).step !== 'cells') return;
  for (const [end, name] of [
    ['bodyI', bodyI],
    ['bodyJ', bodyJ],
  ] as const) {
    if (cellsOf(name).length > 0) continue;
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${field}.${end} to be a body with cells, as its pair is ${pair.kind}, got "${name}", which has none`,
      { field: `${field}.${end}` },
    );
  }
  checkPartnerSizes(cellsOf(bodyI), cellsOf(bodyJ), [bodyI, bodyJ], field);
}
