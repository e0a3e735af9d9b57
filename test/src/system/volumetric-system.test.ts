/** Volumetric contacts in a system: rest and restitution by closed forms, the pool, replay, degenerate overlaps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BodyModel,
  BerthError,
  CONTACT_READOUT,
  type CellShape,
  makeSystem,
  type System,
  type SystemModel,
} from '../../../src/index.ts';
import { ClipKernel } from '../../../src/overlap/clip.ts';
import { body } from '../../fixtures/models.ts';
import {
  box,
  boxOnTray,
  cell,
  cutBox,
  floor,
  GRAVITY,
  type Point,
  scene,
  STIFFNESS,
  type Turn,
} from '../../fixtures/volumetric-models.ts';

const column = (name: (typeof CONTACT_READOUT)[number]): number => CONTACT_READOUT.indexOf(name);
const readout = (run: System, contact = 0): Float64Array => {
  const out = new Float64Array(CONTACT_READOUT.length);
  run.readContact(contact, out, 0);
  return out;
};
const settle = (run: System, steps: number): void => {
  for (let n = 0; n < steps; n++) assert.equal(run.step(run.model.step), 0, `step ${n}`);
};
const motion = (run: System, index = 0): Float64Array => {
  const out = new Float64Array(13);
  run.readBody(index, out, 0);
  return out;
};

function solid(shape: CellShape, height: number, inertia: number, orientation: Turn): BodyModel {
  return body('solid', 'dynamic', {
    inertia: [inertia, inertia, inertia, 0, 0, 0],
    position: [0, 0, height],
    orientation,
    cells: [cell('whole', shape)],
  });
}

/** Root of an increasing function. */
function root(f: (x: number) => number, low: number, high: number): number {
  for (let n = 0; n < 200; n++) {
    const middle = 0.5 * (low + high);
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

test('rest: the overlap on a plane is m g/k_v, at the depth of the closed forms', () => {
  const volume = GRAVITY / STIFFNESS;
  const lying: Turn = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
  const cases: readonly (readonly [string, CellShape, number, Turn, number])[] = [
    [
      'sphere',
      { kind: 'sphere', radius: 0.1 },
      0.1,
      [0, 0, 0, 1],
      root((h) => (Math.PI * h * h * (0.3 - h)) / 3 - volume, 0, 0.1),
    ],
    ['box', { kind: 'box', size: [0.2, 0.1, 0.1] }, 0.05, [0, 0, 0, 1], volume / 0.02],
    [
      'standing cylinder',
      { kind: 'cylinder', radius: 0.05, length: 0.1 },
      0.05,
      [0, 0, 0, 1],
      volume / (Math.PI * 0.0025),
    ],
    [
      'lying cylinder',
      { kind: 'cylinder', radius: 0.05, length: 0.2 },
      0.05,
      lying,
      root(
        (h) => {
          const angle = Math.acos(1 - h / 0.05);
          return 0.0025 * 0.2 * (angle - Math.sin(angle) * Math.cos(angle)) - volume;
        },
        0,
        0.05,
      ),
    ],
  ];
  for (const [name, shape, height, turn, depth] of cases) {
    // the damped contact settles with d(e)/(e v_small) m g/(k_v A_c), some 10 ms with this v_small
    const normal = { smallVelocity: 0.1 };
    const run = makeSystem(scene(solid(shape, height, 4e-3, turn), floor(), { normal }));
    settle(run, 1500);
    const r = readout(run);
    // what is left of the motion after 1.5 s: below 1e-9 m/s, 1e-12 m
    assert.ok(Math.abs(r[column('penetration')] / depth - 1) < 1e-8, `${name}: ${r[1]}, ${depth}`);
    assert.ok(Math.abs(r[column('volume')] / volume - 1) < 1e-8, `${name}: volume`);
    assert.ok(Math.abs(r[column('normalForce')] / GRAVITY - 1) < 1e-8, `${name}: force`);
  }
});

test('restitution of a ball is e: to 1e-6 with fine steps, within 0.002 at the sub-step rule', () => {
  for (const e of [0.1, 0.5, 0.9]) {
    for (const [integrator, step, allowed] of [
      ['implicit-contact', 1e-5, 1e-6],
      ['symplectic-euler', 1e-5, 1e-6],
      ['rk4', 1e-4, 1e-6],
      ['dormand-prince', 1e-3, 1e-6],
      ['implicit-contact', 1e-3, 2e-3],
    ] as const) {
      const shape: CellShape = { kind: 'sphere', radius: 0.1 };
      const ball = { ...solid(shape, 0.1003, 4e-3, [0, 0, 0, 1]), velocity: [0, 0, -1] as const };
      const options = { integrator, step, gravity: [0, 0, 0], normal: { restitution: e } } as const;
      const run = makeSystem(scene(ball, floor(), options));
      settle(run, Math.round(0.1 / step));
      assert.equal(readout(run)[0], 0, 'it has left');
      const speed = motion(run)[9];
      assert.ok(Math.abs(speed - e) < allowed, `${integrator} ${step} e ${e}: ${speed}`);
    }
  }
});

test('restitution of a flat box, whole and cut: e to 0.002 at the sub-step rule, and it does not turn', () => {
  for (const cuts of [
    [1, 1, 1],
    [2, 2, 1],
  ] as const) {
    const one = box([0.2, 0.2, 0.1], { position: [0, 0, 0.0503], velocity: [0, 0, -1] }, cuts);
    const run = makeSystem(scene(one, floor(), { gravity: [0, 0, 0] }));
    settle(run, 40);
    const v = motion(run);
    assert.ok(Math.abs(v[9] - 0.5) < 2e-3, `${cuts.join()}: ${v[9]}`);
    const turning = Math.abs(v[10]) + Math.abs(v[11]);
    // the pieces are solved one after the other: what eight sweeps leave is 1e-4 of the impact speed at the edge
    assert.ok(turning < (cuts[0] === 1 ? 1e-9 : 2e-3), `${cuts.join()}: it turns with ${turning}`);
  }
});

test('the pool: every pair is released when bodies part, and the resting count returns', () => {
  const run = makeSystem(
    scene(
      box([0.16, 0.16, 0.1], { position: [0, 0, 0.0505] }, [2, 2, 1]),
      body('tray', 'fixed', { cells: cutBox([0.6, 0.6, 0.1], [3, 3, 1], [0, 0, -0.05]) }),
    ),
  );
  settle(run, 1000);
  const resting = readout(run)[column('pairs')];
  const names = run.cellPairs(0).filter((name) => name !== '');
  assert.equal(names.length, resting);
  assert.equal(new Set(names).size, resting, 'no pair twice');
  assert.equal(resting, 4, 'all cells of the box lie on the middle slab');
  const lift = new Float64Array([0.3, 0.2, 30, 0.1, 0.2, 0.1]);
  for (let round = 0; round < 3; round++) {
    run.setExternalWrench(0, lift, 0);
    settle(run, 60);
    run.setExternalWrench(0, new Float64Array(6), 0);
    settle(run, 1);
    assert.equal(readout(run)[column('pairs')], 0, 'in the air');
    assert.ok(run.cellPairs(0).every((name) => name === ''));
    settle(run, 1200);
    assert.equal(readout(run)[0], 1);
    assert.equal(readout(run)[column('pairs')], run.cellPairs(0).filter((n) => n !== '').length);
  }
  assert.equal(run.exhaustedPairs, 0);
});

test('a pool that is too small is reported and not silent', () => {
  const model = scene(box([0.2, 0.2, 0.1], { position: [0, 0, 0.0501] }, [2, 2, 1]), floor(), {
    pair: { maximumPairs: 3 },
  });
  const run = makeSystem(model);
  settle(run, 50);
  assert.equal(run.pairCount(0), 3);
  assert.ok(run.exhaustedPairs > 0);
  assert.equal(readout(run)[column('pairs')], 3);
});

test('a restored run goes on bit by bit with cells in contact', () => {
  for (const integrator of ['implicit-contact', 'symplectic-euler', 'rk4'] as const) {
    const model: SystemModel = {
      ...boxOnTray(),
      integrator,
      step: integrator === 'rk4' ? 1e-4 : 1e-3,
    };
    const one = makeSystem(model);
    settle(one, 60);
    const kept = new Float64Array(one.state.length);
    one.snapshot(kept);
    assert.ok(readout(one)[column('pairs')] > 1, 'several pairs touch');
    const other = makeSystem(model);
    other.restore(kept);
    assert.equal(other.hash(), one.hash());
    settle(one, 150);
    settle(other, 150);
    assert.equal(other.hash(), one.hash(), integrator);
    one.restore(kept);
    settle(one, 150);
    assert.equal(other.hash(), one.hash(), `${integrator}, the same system`);
  }
});

test('the sum of a contact is the sum of its pairs', () => {
  const run = makeSystem(boxOnTray());
  settle(run, 120);
  const all = readout(run);
  const [force, moment] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  const row = new Float64Array(CONTACT_READOUT.length);
  let count = 0;
  let volume = 0;
  for (let p = 0; p < run.pairCount(0); p++) {
    run.readPair(0, p, row, 0);
    if (row[0] === 0) continue;
    count++;
    volume += row[column('volume')];
    const f = [0, 1, 2].map((a) => row[3] * row[19 + a] + row[4 + a]);
    const arm = [0, 1, 2].map((a) => row[16 + a] - all[16 + a]);
    for (let a = 0; a < 3; a++) {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3];
      force[a] += f[a];
      moment[a] += row[22 + a] + arm[b] * f[c] - arm[c] * f[b];
    }
  }
  assert.equal(all[column('pairs')], count);
  assert.ok(count >= 4);
  assert.ok(Math.abs(all[column('volume')] / volume - 1) < 1e-14);
  for (let a = 0; a < 3; a++) {
    const sum = all[3] * all[19 + a] + all[4 + a];
    assert.ok(Math.abs(sum - force[a]) < 1e-12 * all[3], 'force');
    assert.ok(Math.abs(all[22 + a] - moment[a]) < 1e-12 * all[3], 'moment');
  }
});

test('degenerate overlaps give finite forces', () => {
  const size: Point = [0.2, 0.2, 0.2];
  const cube: CellShape = { kind: 'box', size };
  const small: CellShape = { kind: 'box', size: [0.1, 0.1, 0.1] };
  const ball: CellShape = { kind: 'sphere', radius: 0.05 };
  const cases: readonly (readonly [string, CellShape, CellShape, Point])[] = [
    ['identical boxes', cube, cube, [0, 0, 0]],
    ['coincident faces', cube, cube, [0, 0, 0.2]],
    ['coincident side faces, overlapping', cube, cube, [0, 0, 0.19]],
    ['edge on edge', cube, cube, [0.2, 0.2, 0]],
    ['corner on corner', cube, cube, [0.2, 0.2, 0.2]],
    ['one inside the other', small, cube, [0, 0, 0]],
    ['the other way round', cube, small, [0.01, 0, 0]],
    ['ball inside', ball, cube, [0, 0, 0]],
    ['identical balls', ball, ball, [0, 0, 0]],
    ['ball in the plane', ball, { kind: 'half-space' }, [0, 0, 0]],
    ['ball far below the plane', ball, { kind: 'half-space' }, [0, 0, -1]],
  ];
  for (const integrator of ['implicit-contact', 'rk4'] as const) {
    for (const normal of ['principal-axis', 'vector-area', 'inverse-iteration'] as const) {
      for (const [name, i, j, position] of cases) {
        const run = makeSystem(
          scene(
            { ...solid(i, 0, 4e-3, [0, 0, 0, 1]), position, velocity: [0.1, 0.2, -0.3] },
            body('other', 'fixed', { cells: [cell('whole', j)] }),
            { pair: { normal }, integrator, step: 1e-5, normal: { stiffness: 1e5 } },
          ),
        );
        for (let n = 0; n < 5; n++)
          assert.equal(run.step(1e-5), 0, `${name} ${integrator} ${normal}`);
        assert.ok(run.state.every(Number.isFinite), `${name} ${integrator} ${normal}`);
      }
    }
  }
});

test('what a volumetric contact needs is asked for by name', () => {
  const one = box([0.2, 0.2, 0.1]);
  const bare = body('floor', 'fixed');
  const refuses = (model: SystemModel, message: RegExp): void => {
    assert.throws(
      () => makeSystem(model),
      (error) => error instanceof BerthError && message.test(error.message),
    );
  };
  refuses(scene(one, bare), /box-floor[.]bodyJ to be a body with cells.*"floor", which has none/);
  refuses(scene({ ...one, cells: [] }, floor()), /bodyI to be a body with cells/);
  refuses(scene(one, floor(), { pair: { maximumPairs: 0 } }), /maximumPairs/);
  refuses(scene(one, floor(), { pair: { method: 'magic' as never } }), /pair[.]method/);
  const [contact] = scene(one, floor()).contacts;
  const point = {
    kind: 'sphere-plane',
    radius: 0.1,
    center: [0, 0, 0],
    normal: [0, 0, 1],
    offset: 0,
  } as const;
  refuses({ ...scene(one, floor()), contacts: [{ ...contact, pair: point }] }, /needs volume/);
});

test('a prescribed body against a fixed one: one evaluation of the overlap a step', (t) => {
  const compute = t.mock.method(ClipKernel.prototype, 'compute');
  const slab = body('slab', 'fixed', { cells: cutBox([0.6, 0.6, 0.1], [1, 1, 1], [0, 0, -0.05]) });
  const held = {
    ...box([0.2, 0.2, 0.1], { position: [0, 0, 0.049] }),
    motion: 'prescribed' as const,
  };
  const run = makeSystem(scene(held, slab, { pair: { method: 'clipping' } }));
  settle(run, 2);
  const pose = motion(run);
  const steps = 20;
  const before = compute.mock.callCount();
  for (let n = 0; n < steps; n++) {
    pose[0] += 1e-5; // as the measured motion of a robot: set before the step, the same during it
    run.setBodyMotion(0, pose, 0);
    settle(run, 1);
  }
  assert.equal(readout(run)[0], 1);
  assert.equal(compute.mock.callCount() - before, steps);
});
