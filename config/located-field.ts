/** Errors whose field is named as in the file: with line and column. */
import { isMap, isScalar, isSeq } from 'yaml';
import type { BerthError } from '../src/base/errors.ts';
import { ConfigError, type YamlSource } from './yaml-source.ts';

/** Adds to an error the position of its field, where the file has it. */
export function locatedField(source: YamlSource, error: BerthError): ConfigError {
  const path: (string | number)[] = [];
  for (const step of (error.field ?? '').match(/[A-Za-z_]\w*|\d+/g) ?? []) {
    const node = source.nodeAt(path);
    if (isSeq(node)) path.push(Number(step));
    else if (isMap(node) && node.items.some(({ key }) => isScalar(key) && key.value === step)) {
      path.push(step);
    } else break;
  }
  const { code, message } = error;
  const where = source.where(source.nodeAt(path));
  return new ConfigError([{ code, where, path: error.field ?? '', message }]);
}
