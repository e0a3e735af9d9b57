/** Comments lead to what they name, and no name needs decoding. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSources } from './rooms.ts';
import { obscureNames, personalComments, vagueComments } from './words.ts';

const sources = readSources();
const file = (text: string, path = 'src/arm/new.ts'): Map<string, string> =>
  new Map([[path, text]]);

test('no comment points to elsewhere without an address', () => {
  assert.deepEqual(vagueComments(sources), []);
});

test('no comment makes a person of code', () => {
  assert.deepEqual(personalComments(sources), []);
  const whoever = '/** Set by whoever moves the arm. */';
  assert.deepEqual(personalComments(file(whoever)), ['src/arm/new.ts:1 whoever']);
  for (const [room, words, found] of [
    ['hil/loop', 'The loop hears the robot.', 'hears'],
    ['server/cli', 'Someone looks at\n * the page.', 'Someone'],
    ['src/contact', 'The law looks\n * at the depth.', 'looks at'],
  ]) {
    const comment = file(`/**\n * ${words}\n */`, `${room}/new.ts`);
    assert.deepEqual(personalComments(comment), [`${room}/new.ts:1 ${found}`]);
  }
  assert.deepEqual(personalComments(file("const text = 'nobody is at the sticks';")), []);
});

test('no identifier needs decoding', () => {
  assert.deepEqual(obscureNames(sources), []);
});

test('a vague pointer that is planted is found, in each kind of comment', () => {
  const above = ['See', 'above'].join(' ');
  assert.deepEqual(vagueComments(file(`/** ${above}. */\nclass A {}\n`)), [
    `src/arm/new.ts:1 ${above}`,
  ]);
  const sheet = ['the', 'sheet'].join(' ');
  assert.deepEqual(vagueComments(file(`const a = 1; // by ${sheet}, 4.6\n`)), [
    `src/arm/new.ts:1 ${sheet}`,
  ]);
  assert.deepEqual(vagueComments(file(`/**\n * W1 of ${['the', 'sheet'].join('\n * ')}.\n */\n`)), [
    `src/arm/new.ts:1 ${sheet}`,
  ]);
  const design = ['DESIGN', '§2'].join(' ');
  assert.equal(vagueComments(file(`/** Modes, ${design}. */\n`)).length, 1);
  assert.equal(
    vagueComments(file(`/** Buckets of the ${['HIL', 'facts'].join(' ')}. */\n`)).length,
    1,
  );
  assert.deepEqual(vagueComments(file('/** W1 of the Modia3D sheet. */\n')), []);
  assert.deepEqual(vagueComments(file("const message = 'was above its limit';\n")), []);
});

test('an old name that is planted is found, private or not, and words in text are left alone', () => {
  const text = 'class A {\n  #felt = 0;\n  strike(): void {}\n}\nconst told = 1;\n';
  assert.deepEqual(obscureNames(file(text)), [
    'src/arm/new.ts:2 felt',
    'src/arm/new.ts:3 strike',
    'src/arm/new.ts:5 told',
  ]);
  assert.deepEqual(obscureNames(file('const lost = 1;\n', 'hil/new.ts')), []);
  assert.deepEqual(obscureNames(file("const a = 'the work is told by it';\n")), []);
});
