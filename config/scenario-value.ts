/** Scenarios that a program makes, in place of a file: the same checks, defaults and units as for YAML. */
import { stringify } from 'yaml';
import { expect, plain, text } from '../src/base/parameter-checks.ts';
import type { SystemModel } from '../src/model/model.ts';
import { compileScenario } from './compile.ts';
import { checkedScenario, type Scenario } from './scenario.ts';
import { YamlSource } from './yaml-source.ts';

/** Text that is made of a value: complaints name the field alone, without line and column. */
class ValueSource extends YamlSource {
  override where(): string {
    return this.file;
  }
}

/**
 * Fills the defaults of a scenario and checks it, physics included. Numbers may be texts with a unit, as in a file.
 * @param value - plain data, as a YAML file would hold it
 * @param folder - relative paths of cells and robots start here; the working folder when left out
 * @throws BerthError that names the field, the value and what is allowed
 */
export function readScenario(value: unknown, folder = '.'): Scenario {
  plain('scenario', value as object);
  text('folder', folder);
  return checkedScenario(new ValueSource('scenario', yamlOf(value)), folder).scenario;
}

/**
 * The model of a scenario, which is read by `readScenario` first: it may come from a file or from a program.
 * @throws BerthError that names the field, the value and what is allowed
 */
export function compileValue(scenario: unknown, folder = '.'): SystemModel {
  return compileScenario(readScenario(scenario, folder));
}

/** @throws BerthError for what is no plain data: a value that holds itself, a symbol, a bigint beyond numbers */
function yamlOf(value: unknown): string {
  try {
    return stringify(value, { aliasDuplicateObjects: false });
  } catch {
    expect(
      'scenario',
      value,
      false,
      'to be plain data (objects, lists, numbers, texts, true, false)',
    );
    return '';
  }
}
