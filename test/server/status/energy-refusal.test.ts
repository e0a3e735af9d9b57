/** The reason for a refused compensation reaches the client. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { Column, ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { COMPENSATIONS } from '../../../hil/contract/commands.ts';
import { energyRefusal } from '../../../server/status/energy-refusal.ts';
import { loopEnergyOf } from '../../../server/status/energy-status.ts';

test('each refusal names its field and its reason', () => {
  const { energy } = loadSettings();
  const row = new Float64Array(ROW_WIDTH);
  row[Column.contact_stiffness_N_per_m] = NaN;
  const plain = loopEnergyOf(row);
  assert.match(
    energyRefusal({ compensation: 'damping' }, plain, energy),
    /compensation .*stiffness/,
  );
  assert.match(energyRefusal({ compensation: 'model' }, plain, energy), /at the start/);
  assert.match(
    energyRefusal({ removal: true }, plain, { ...energy, tank_J: 1 }),
    /removal .*tank_J > 0/,
  );
  assert.equal(energyRefusal({ compensation: 'lead' }, plain, energy), '');
  // what is set already counts as well
  row[Column.compensation] = COMPENSATIONS.indexOf('lead');
  assert.match(
    energyRefusal({ removal: true }, loopEnergyOf(row), energy),
    /removal must be false with energy.compensation/,
  );
  row[Column.contact_stiffness_N_per_m] = 1e6;
  assert.equal(energyRefusal({ compensation: 'damping' }, loopEnergyOf(row), energy), '');
});
