/**
 * What the elementary functions of src/math/elementary cost beside those of the engine (`npm run bench:elementary`): ns a call, in turns, medians
 * of rounds, and the ratio.
 */
import { ANGLE, cos, sin, sinCos } from '../src/math/elementary/circular.ts';
import { exp, expm1 } from '../src/math/elementary/exponential.ts';
import { acosh, cosh, sinh, tanh } from '../src/math/elementary/hyperbolic.ts';
import { acos, asin, atan, atan2 } from '../src/math/elementary/inverse-circular.ts';
import { log, log1p, log2 } from '../src/math/elementary/logarithm.ts';
import { cbrt, pow } from '../src/math/elementary/power.ts';
import { type Candidate, digits, medianTimes } from './rounds.ts';
import { formatTable } from '../test/fixtures/table.ts';

const ROUNDS = 101;
const COUNT = 1024;
const FIRST = 10_000;

/** Numbers between two others, the same at every run. */
const between = (low: number, high: number): Float64Array =>
  Float64Array.from({ length: COUNT }, (_, i) => low + (high - low) * ((i * 0.618034) % 1));
const ratios = between(0.05, 0.95);
const angles = between(-3, 3).reverse();

type Call = (x: number, y: number) => number;
const sinOfBoth: Call = (x) => {
  ANGLE[0] = x;
  const both = sinCos();
  return both[0] + both[1];
};
const bothOfEngine: Call = (x) => Math.sin(x) + Math.cos(x);

/** Ours, the engine's, first arguments. */
const FUNCTIONS: readonly (readonly [string, Call, Call, Float64Array])[] = [
  ['sin', sin, Math.sin, angles],
  ['cos', cos, Math.cos, angles],
  ['sin and cos', sinOfBoth, bothOfEngine, angles],
  ['asin', asin, Math.asin, ratios],
  ['acos', acos, Math.acos, ratios],
  ['atan', atan, Math.atan, ratios],
  ['atan2', atan2, Math.atan2, ratios],
  ['exp', exp, Math.exp, angles],
  ['expm1', expm1, Math.expm1, angles],
  ['log', log, Math.log, ratios],
  ['log1p', log1p, Math.log1p, ratios],
  ['log2', log2, Math.log2, ratios],
  ['pow', pow, Math.pow, ratios],
  ['cbrt', cbrt, Math.cbrt, ratios],
  ['sinh', sinh, Math.sinh, angles],
  ['cosh', cosh, Math.cosh, angles],
  ['tanh', tanh, Math.tanh, angles],
  ['acosh', acosh, Math.acosh, ratios.map((x) => 1 + x)],
];

type MakeRun = (call: Call, xs: Float64Array, ys: Float64Array) => Candidate['run'];
/** A separate loop for each function, so that the compiler meets one function at each call site. */
const LOOP = `export default (call, xs, ys) => (count) => {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += call(xs[i & ${COUNT - 1}], ys[i & ${COUNT - 1}]);
  return sum;
}`;

async function candidate(name: string, call: Call, xs: Float64Array): Promise<Candidate> {
  const source = `data:text/javascript,${encodeURIComponent(`// ${name}\n${LOOP}`)}`;
  const made = (await import(source)) as { default: MakeRun };
  return { name, first: FIRST, run: made.default(call, xs, angles) };
}

const candidates: Candidate[] = [];
for (const [name, own, engine, xs] of FUNCTIONS) {
  candidates.push(await candidate(name, own, xs));
  candidates.push(await candidate(`Math, ${name}`, engine, xs));
}
const times = medianTimes(candidates, ROUNDS);
const rows = FUNCTIONS.map(([name], i) => {
  const [own, engine] = [times[2 * i], times[2 * i + 1]];
  return [name, digits(own), digits(engine), digits(own / engine)];
});
console.log(formatTable(['function', 'own, ns', 'Math, ns', 'ratio'], rows));
