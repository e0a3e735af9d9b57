/** Every fault code has its page with its number, and docs/safety.md links every page that can stop or hold. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../../config/paths.ts';
import { FAULT_CODES } from '../../../hil/contract/codes.ts';
import { TRANSITIONS } from '../../../hil/safety/transitions.ts';

const docs = join(packageRoot(), 'docs');
const pageOf = (code: string): string => `${code.toLowerCase().replaceAll('_', '-')}.md`;

test('one page a fault code, and no other', () => {
  assert.deepEqual(readdirSync(join(docs, 'faults')).sort(), FAULT_CODES.map(pageOf).sort());
  FAULT_CODES.forEach((code, index) => {
    const text = readFileSync(join(docs, 'faults', pageOf(code)), 'utf8');
    assert.ok(text.startsWith(`# ${code}\n\nFault code ${index}, bit ${index} `), code);
    assert.match(text, /\*\*What it means\.\*\*/);
    assert.match(text, /\*\*What to do\.\*\*/);
  });
});

test('docs/safety.md links the page of every cause that holds, stops or ends in ESTOP', () => {
  const text = readFileSync(join(docs, 'safety.md'), 'utf8');
  const causes = TRANSITIONS.filter((row) => ['HOLD', 'STOPPING', 'ESTOP'].includes(row.to));
  for (const cause of new Set(causes.map((row) => row.cause))) {
    assert.ok(cause !== null && text.includes(`(faults/${pageOf(cause)})`), `${cause}`);
  }
});
