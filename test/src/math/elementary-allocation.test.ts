/** Elementary functions hand their numbers over without a box on the heap, whatever their caller is like. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

const ONE =
  'acos acosh asin atan cbrt cos cosh exp expm1 log log1p log2 sin sinh sinOfBoth tanh'.split(' ');
const TWO = ['atan2', 'pow'];
const CALLS = 200_000;

const call = (name: string): string => `m.${name}(${TWO.includes(name) ? 'x, y' : 'x'})`;
/** A loop over one function, and one over all of them, which has no room for what they do; but the hyperbolic ones, which no tick computes. */
const many = [...ONE, ...TWO].filter((name) => !name.endsWith('h'));
const loops = [...ONE, ...TWO, 'all'].map((name) => {
  const sum = name === 'all' ? many.map(call).join(' + ') : call(name);
  return `${name}: (n, xs) => {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const x = xs[i & 255];
    const y = m.second[i & 255];
    sum += ${sum};
  }
  return sum;
}`;
});

for (const numbers of ['usual', 'wide'] as const) {
  test(`a call with ${numbers} arguments grows the heap by 0 bytes`, () => {
    const grown = measureHeap<Record<string, number>>(
      'elementary-models',
      `
const m = models;
const loops = { ${loops.join(',\n')} };
const grown = {};
for (const [name, loop] of Object.entries(loops)) {
  const run = (rounds) => { for (let k = 0; k < rounds; k += 1000) loop(1000, m.${numbers}); };
  grown[name] = settled(run, { rounds: ${CALLS}, windows: 30, least: 1 });
}
console.log(JSON.stringify(grown));
`,
    );
    assert.equal(Object.keys(grown).length, ONE.length + TWO.length + 1);
    for (const [name, bytes] of Object.entries(grown)) {
      // the result of a loop; one boxed double in eight calls would be 2 B
      assert.ok(bytes < 1, `${name}: ${bytes} bytes a call`);
    }
  });
}
