/** Every column of a recording and of `berth simulate` has its unit, frame and mode, in its name, its page and its schema. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { COLUMN_MODES, COLUMN_TEXTS, ROW_COLUMNS } from '../../hil/contract/columns.ts';
import { rosName, schemaText } from '../../hil/recording/ros-schemas.ts';
import { unitOfName } from '../../server/cli/column-unit.ts';
import {
  BODY_COLUMNS,
  CONSTRAINT_COLUMNS,
  CONTACT_COLUMNS,
  TOUCH_COLUMNS,
  ENERGY_COLUMNS,
  SUBSTEPS_COLUMN,
  TIME_COLUMN,
} from '../../server/cli/run-columns.ts';
import { columnPage } from './column-page.ts';

const unitOf = (name: string): string => unitOfName(name) || '1';
const isComponent = (name: string): boolean => /_[xyzw](?:_(?:N|Nm|m|mps|radps))?$/.test(name);

test('every column of a row has unit, frame, mode and description; the unit is that of its name', () => {
  assert.deepEqual(
    COLUMN_TEXTS.map(({ name }) => name),
    ROW_COLUMNS,
  );
  for (const { name, unit, frame, mode, what } of COLUMN_TEXTS) {
    assert.equal(unit, unitOf(name), name);
    assert.equal(frame, isComponent(name) ? 'base' : '', name);
    assert.ok(Object.hasOwn(COLUMN_MODES, mode), name);
    assert.ok(what.length > 3, name);
  }
});

test('every column of a simulated run has its unit as the last word of its name', () => {
  const all = [
    TIME_COLUMN,
    SUBSTEPS_COLUMN,
    ...BODY_COLUMNS,
    ...Object.values(CONTACT_COLUMNS),
    ...Object.values(TOUCH_COLUMNS),
    ...Object.values(CONSTRAINT_COLUMNS),
    ...Object.values(ENERGY_COLUMNS),
  ];
  for (const { name, unit, what } of all) {
    assert.equal(unit, unitOf(name), name);
    assert.ok(what.length > 3, name);
  }
});

test('forces of the model say that they are not measured', () => {
  for (const name of ['normal_force_N', 'friction_force_N', 'penetration_m', 'model_force_z_N']) {
    const column = COLUMN_TEXTS.find((c) => c.name === name);
    assert.equal(column?.mode, 'model', name);
  }
  assert.match(COLUMN_MODES.model, /hardware: a shadow contact .* not what is measured/);
});

test('the schema of /berth/tick in a file says it for every column', () => {
  const lines = schemaText('berth_msgs/Tick').split('\n');
  for (const { name, unit, frame, mode, what } of COLUMN_TEXTS) {
    const where = frame === '' ? '' : `, frame ${frame}`;
    assert.ok(lines.includes(`float64 ${rosName(name)} # ${unit}${where}; ${mode}: ${what}`), name);
  }
  for (const mode of Object.keys(COLUMN_MODES)) {
    assert.ok(
      lines.some((line) => line.startsWith(`# ${mode}: `)),
      mode,
    );
  }
});

test('docs/columns.md is what the definitions give', () => {
  assert.equal(readFileSync(join(packageRoot(), 'docs', 'columns.md'), 'utf8'), columnPage());
});
