/**
 * Signed distance of every pair of shapes, proven for random poses by points and slabs that the library has no part in; A12
 * and A14 of the Modia3D sheet; continuity; the gradient.
 *
 * Lengths are below 1 m, where support points round to 2e-16 and a normal from the search alone is good to 1e-13 / (size of
 * the feature); 1e-12 leaves room for thin features.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { Bench, direction, turn } from './bench.ts';
import { TRUTHS, type Truth, type Vector } from './shape-truths.ts';

const TOLERANCE = 1e-12;
/** More support points than this only where many sides are equally deep. */
const HARD = 120;
const NAMES = Object.keys(TRUTHS);

function everyPair(visit: (bench: Bench, name: string) => void): void {
  for (const a of NAMES) {
    for (const b of NAMES) visit(new Bench(TRUTHS[a], TRUTHS[b]), `${a} – ${b}`);
  }
}

const scaled = (n: Vector, k: number): Vector => [k * n[0], k * n[1], k * n[2]];

test('every pair: the answer is confirmed by points of both surfaces and by a slab between them', (t) => {
  const random = new Random(1);
  const counts = { apart: 0, shallow: 0, deep: 0 };
  let hard = 0;
  const support = { apart: 0, deep: 0, most: 0, mostDeep: 0 };
  everyPair((bench, name) => {
    for (let n = 0; n < 60; n++) {
      bench.turn(random);
      const s = bench.at(scaled(direction(random), 0.4 * random.uniform()));
      const { deep, iterations } = bench.query;
      if (deep) {
        counts.deep++;
        support.deep += iterations;
        support.mostDeep = Math.max(support.mostDeep, iterations);
      } else {
        counts[s > 0 ? 'apart' : 'shallow']++;
        support.apart += iterations;
        support.most = Math.max(support.most, iterations);
      }
      const errors = bench.errors();
      // about the axis of a round body all sides are equally deep, and the search may give up between them
      if (iterations > HARD) hard++;
      const deepest = iterations > HARD ? 1e-4 : 1e-11;
      assert.ok(errors.slab < deepest, `${name}, slab: ${errors.slab} at ${s}`);
      assert.ok(errors.points < deepest, `${name}, points: ${errors.points} at ${s}`);
      assert.ok(errors.surface < deepest, `${name}, surface: ${errors.surface} at ${s}`);
    }
  });
  t.diagnostic(
    `${counts.apart} apart, ${counts.shallow} shallow, ${counts.deep} deep; support points: ` +
      `${(support.apart / (counts.apart + counts.shallow)).toFixed(1)} a query (at most ${support.most}), ` +
      `deep ${(support.deep / counts.deep).toFixed(1)} (at most ${support.mostDeep})`,
  );
  assert.ok(counts.apart > 1000 && counts.shallow > 200 && counts.deep > 1000);
  assert.ok(hard < 10, `${hard} queries gave up near an axis`);
  assert.ok(support.most < 64, 'the search never ran into its cap');
});

test('every pair: just outside and inside of touching, cores apart, to rounding', () => {
  const random = new Random(2);
  everyPair((bench, name) => {
    for (let n = 0; n < 20; n++) {
      bench.turn(random);
      const along = direction(random);
      let touch = 0.8;
      for (let k = 0; k < 40; k++) touch -= 0.9 * bench.at(scaled(along, touch));
      const depth = 5e-4 * (random.uniform() - 0.5);
      bench.at(scaled(along, touch + depth));
      if (bench.query.deep) continue;
      const errors = bench.errors();
      for (const [what, error] of Object.entries(errors)) {
        assert.ok(error < TOLERANCE, `${name}, ${what}: ${error}`);
      }
    }
  });
});

test('every pair: no direction separates the shapes more, or is less deep', () => {
  const random = new Random(3);
  let deep = 0;
  everyPair((bench, name) => {
    for (let n = 0; n < 2; n++) {
      bench.turn(random);
      const s = bench.at(scaled(direction(random), 0.15 * random.uniform()));
      if (bench.query.deep) deep++;
      const best = bench.bestSlab(random, 300);
      assert.ok(best <= s + 1e-5, `${name}: ${s}, but a slab of ${best}`);
    }
  });
  assert.ok(deep > 50, `${deep} deep`);
});

test('A14: sphere on box, 1000 random positions in three sizes, sharp and rounded', () => {
  // the rounded box is a smaller box swept by the smoothing sphere: its distance is the closed form below
  const random = new Random(4);
  for (const size of [1e-3, 1, 1e3]) {
    for (const smoothing of [0, 1e-3 * size]) {
      const radius = 0.1 * size;
      const half = [1.0, 0.05, 0.25].map((x) => x * size - smoothing);
      const box = new Bench(
        { ...TRUTHS['sphere'], shape: { kind: 'sphere', radius } },
        {
          ...TRUTHS['box'],
          smoothing,
          shape: { kind: 'box', size: [2 * size, 0.1 * size, 0.5 * size] },
        },
      );
      let inside = 0;
      for (let n = 0; n < 1000; n++) {
        const p = [1.3, 0.2, 0.4].map((x) => 2 * (random.uniform() - 0.5) * x * size);
        const q = p.map((x, k) => Math.abs(x) - half[k]);
        const outside = Math.hypot(...q.map((x) => Math.max(x, 0)));
        const want = outside + Math.min(Math.max(...q), 0) - smoothing - radius;
        if (outside === 0) inside++;
        const got = box.at(p);
        assert.ok(Math.abs(got - want) < 1e-12 * size, `${p.join(', ')}: ${got}, ${want}`);
      }
      assert.ok(inside > 100, `${inside} centres inside the box`);
    }
  }
});

test('closed forms: sphere and capsule, capsule and capsule, ellipsoid over a face', () => {
  const random = new Random(5);
  const ballCapsule = new Bench(TRUTHS['sphere'], TRUTHS['capsule']);
  const capsules = new Bench(TRUTHS['capsule'], TRUTHS['capsule']);
  const face = new Bench(TRUTHS['ellipsoid'], {
    ...TRUTHS['box'],
    smoothing: 1e-3,
    shape: { kind: 'box', size: [4, 4, 1] },
  });
  for (let n = 0; n < 500; n++) {
    for (const bench of [ballCapsule, capsules, face]) bench.turn(random);
    const p = scaled(direction(random), 0.4 * random.uniform());
    const want = TRUTHS['capsule'].outside(intoFrame(ballCapsule.space.rotationB, p)) - 0.1;
    assert.ok(Math.abs(ballCapsule.at(p) - want) < TOLERANCE);
    assert.ok(Math.abs(capsules.at(p) - segments(capsules, p)) < TOLERANCE);
    // the box lies square, the ellipsoid above it: its lowest point decides
    face.space.rotationB.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const height = 0.5 + 0.2 * random.uniform();
    const down = intoFrame(face.space.rotationA, [0, 0, -1]);
    const gap = height - 0.5 - TRUTHS['ellipsoid'].support(down);
    assert.ok(Math.abs(face.at([p[0], p[1], height]) - gap) < TOLERANCE);
    if (!face.query.deep) assert.ok(Math.abs(face.normal()[2] - 1) < TOLERANCE);
  }
});

function intoFrame(r: Float64Array, v: Vector): Vector {
  return [0, 1, 2].map((k) => r[k] * v[0] + r[3 + k] * v[1] + r[6 + k] * v[2]) as unknown as Vector;
}

/** Distance of two segments along z of 0.2 m, less both radii: the least over both parameters, from the four ends and the lines. */
function segments(bench: Bench, p: Vector): number {
  const { rotationA: ra, rotationB: rb } = bench.space;
  const u = [ra[2], ra[5], ra[8]];
  const v = [rb[2], rb[5], rb[8]];
  const inner = (x: readonly number[], y: readonly number[]): number =>
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const clamp = (x: number): number => Math.min(0.1, Math.max(-0.1, x));
  const distance = (s: number, t: number): number =>
    Math.hypot(...[0, 1, 2].map((k) => p[k] + s * u[k] - t * v[k]));
  const [uv, up, vp] = [inner(u, v), inner(u, p), inner(v, p)];
  const s = (uv * vp - up) / (1 - uv * uv);
  const t = (vp - uv * up) / (1 - uv * uv);
  const candidates = [0.1, -0.1].flatMap((end) => [
    distance(end, clamp(vp + end * uv)),
    distance(clamp(end * uv - up), end),
  ]);
  if (Math.abs(s) <= 0.1 && Math.abs(t) <= 0.1) candidates.push(distance(s, t));
  return Math.min(...candidates) - 0.1;
}

test('A12: exchanging the shapes mirrors the answer', () => {
  const random = new Random(6);
  let worst = 0;
  for (const a of NAMES) {
    for (const b of NAMES) {
      const there = new Bench(TRUTHS[a], TRUTHS[b]);
      const back = new Bench(TRUTHS[b], TRUTHS[a]);
      for (let n = 0; n < 30; n++) {
        there.turn(random);
        back.space.rotationA.set(there.space.rotationB);
        back.space.rotationB.set(there.space.rotationA);
        const p = scaled(direction(random), 0.4 * random.uniform());
        const s = there.at(p);
        const difference = Math.abs(s - back.at(scaled(p, -1)));
        if (there.query.iterations > HARD) {
          assert.ok(difference < 1e-5);
          continue;
        }
        const [x, y] = [there.points(), back.points()];
        const m = back.normal();
        worst = Math.max(worst, difference);
        there.normal().forEach((value, k) => {
          worst = Math.max(
            worst,
            Math.abs(value + m[k]),
            Math.abs(x.a[k] - y.b[k]),
            Math.abs(x.b[k] - y.a[k]),
          );
        });
        assert.ok(worst < 1e-10, `${a} – ${b}: ${worst}`);
      }
    }
  }
});

test('the signed distance changes by no more than the motion, through touch and through the overlap of the cores', () => {
  const random = new Random(7);
  let crossed = 0;
  everyPair((bench, name) => {
    for (let n = 0; n < 2; n++) {
      bench.turn(random);
      const from = scaled(direction(random), 0.4);
      const step = 0.4 / 200;
      let before = bench.at(from);
      for (let k = 1; k <= 200; k++) {
        const s = bench.at(scaled(from, 1 - k / 200.5));
        // of two equally deep spots either may be given: 1e-5 of the scale of 0.6 m
        assert.ok(Math.abs(s - before) <= step + 1e-5, `${name}: ${before} to ${s}`);
        if (s < 0 !== before < 0) crossed++;
        before = s;
      }
    }
  });
  assert.ok(crossed > 190, `${crossed} of 200 paths came to a contact`);
  // where the cores meet: a thousand steps of 1e-12 m
  const bench = new Bench(TRUTHS['ellipsoid'], TRUTHS['box']);
  const along: Vector = [0, 0, 1];
  let low = 0;
  let high = 0.4;
  while (high - low > 1e-11) {
    const middle = 0.5 * (low + high);
    bench.at(scaled(along, middle));
    if (bench.query.deep) low = middle;
    else high = middle;
  }
  let before = bench.at(scaled(along, low - 5e-10));
  let deep = 0;
  for (let k = 0; k < 1000; k++) {
    const s = bench.at(scaled(along, low - 5e-10 + k * 1e-12));
    if (bench.query.deep) deep++;
    assert.ok(Math.abs(s - before) < 1e-12 + 1e-14, `${k}: ${s - before}`);
    assert.ok(Math.abs(bench.normal()[2] - 1) < 1e-6);
    before = s;
  }
  assert.ok(deep > 100 && deep < 900, `${deep} of 1000 deep`);
});

test('the gradient by the offset of A is the normal', () => {
  const random = new Random(8);
  const h = 1e-6;
  let compared = 0;
  let kinks = 0;
  everyPair((bench, name) => {
    for (let n = 0; n < 6; n++) {
      bench.turn(random);
      const p = scaled(direction(random), 0.1 + 0.2 * random.uniform());
      bench.at(p);
      const normal = bench.normal();
      for (let k = 0; k < 3; k++) {
        const moved = [...p];
        moved[k] += h;
        const up = bench.at(moved);
        const bend = Math.max(...bench.normal().map((x, m) => Math.abs(x - normal[m])));
        moved[k] -= 2 * h;
        const down = bench.at(moved);
        const bend2 = Math.max(...bench.normal().map((x, m) => Math.abs(x - normal[m])));
        // deep inside, the nearest side changes at a kink, where there is no gradient
        if (bend > 1e-2 || bend2 > 1e-2) {
          kinks++;
          continue;
        }
        compared++;
        // central differences: h² over the square of the radius of curvature, 1e-3 m at least, and rounding 1e-15 / h
        assert.ok(Math.abs((up - down) / (2 * h) - normal[k]) < 2e-6, `${name} ${k}`);
      }
    }
  });
  assert.ok(compared > 1500 && kinks < 0.05 * compared, `${compared} compared, ${kinks} kinks`);
});

test('turning both shapes and moving the world turns the answer', () => {
  const random = new Random(9);
  const rotation = new Float64Array(9);
  everyPair((bench, name) => {
    bench.turn(random);
    const p = scaled(direction(random), 0.15 + 0.2 * random.uniform());
    const s = bench.at(p);
    const n = bench.normal();
    turn(rotation, random);
    const turned = (v: Vector): Vector =>
      [0, 1, 2].map(
        (k) => rotation[3 * k] * v[0] + rotation[3 * k + 1] * v[1] + rotation[3 * k + 2] * v[2],
      ) as unknown as Vector;
    for (const matrix of [bench.space.rotationA, bench.space.rotationB]) {
      const columns = [0, 1, 2].map((k) => turned([matrix[k], matrix[3 + k], matrix[6 + k]]));
      columns.forEach((column, k) => column.forEach((value, row) => (matrix[3 * row + k] = value)));
    }
    const again = bench.at(turned(p));
    assert.ok(Math.abs(again - s) < (bench.query.deep ? 1e-5 : 1e-13), `${name}: ${again - s}`);
    if (bench.query.deep) return;
    // a face seen from 1e-3 m has its normal to 1e-13, a touching edge to 1e-13 / 1e-3
    turned(n).forEach((value, k) => {
      assert.ok(Math.abs(value - bench.normal()[k]) < 1e-9, `${name}: normal`);
    });
  });
});

test('the answer depends on the present poses alone', () => {
  const random = new Random(10);
  const truths: readonly Truth[] = [TRUTHS['ellipsoid'], TRUTHS['cylinder'], TRUTHS['mesh']];
  for (const a of truths) {
    const used = new Bench(a, TRUTHS['box']);
    for (let n = 0; n < 50; n++) {
      used.turn(random);
      const p = scaled(direction(random), 0.3 * random.uniform());
      used.at(p);
      const fresh = new Bench(a, TRUTHS['box']);
      fresh.space.rotationA.set(used.space.rotationA);
      fresh.space.rotationB.set(used.space.rotationB);
      fresh.at(p);
      assert.deepEqual(fresh.query.witness, used.query.witness);
    }
  }
});
