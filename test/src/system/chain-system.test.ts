/** Chains inside a system: period, energy, orders, steps with contact, read-outs, refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BerthError, makeSystem } from '../../../src/index.ts';
import type { IntegratorKind, System, SystemModel } from '../../../src/index.ts';
import { type Chain, type ChainLink, chainAsTree } from '../../fixtures/chain-as-tree.ts';
import { chain, rod, tree } from '../../fixtures/chains.ts';
import { body, contact, INCLINE_BRISTLE, system } from '../../fixtures/models.ts';

const G = 9.81;

function pendulum(
  integrator: IntegratorKind,
  links: readonly ChainLink[],
  parts: Partial<SystemModel> = {},
): System {
  return makeSystem(system({ integrator, gravity: [0, 0, -G], trees: [tree(links)], ...parts }));
}

function balance(run: System): number {
  const out = new Float64Array(7);
  run.readEnergy(out, 0);
  return out[6];
}

/** Complete elliptic integral K(k) by the arithmetic–geometric mean. */
function ellipticK(k: number): number {
  let a = 1;
  let b = Math.sqrt(1 - k * k);
  for (let n = 0; n < 30; n++) [a, b] = [0.5 * (a + b), Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

test('a rod swings with the period of the elliptic integral, 4 K(sin(θ/2)) sqrt(2 l/(3 g))', () => {
  for (const [angle, integrator, h, tolerance] of [
    [2.5, 'rk4', 1e-3, 1e-9], // h⁴ times the swing rate⁵: 1e-12 × 1e3
    [1, 'implicit-contact', 1e-3, 2e-5], // midpoint rule: h² times the swing rate² / 24, 6e-7 of 1.8 s, and half of it in the rate
  ] as const) {
    const length = 0.8;
    const run = pendulum(integrator, [rod('rod', length, 3, angle, 0)]);
    const period = 4 * ellipticK(Math.sin(angle / 2)) * Math.sqrt((2 * length) / (3 * G));
    const out = new Float64Array(13);
    let before = 0;
    let turned = NaN;
    // the rate crosses zero from below after a full period
    for (let n = 0; n < 2 * (period / h) && Number.isNaN(turned); n++) {
      run.step(h);
      run.readBody(0, out, 0);
      const rate = -out[11];
      if (before > 0 && rate <= 0) turned = run.time - (h * rate) / (rate - before);
      before = rate;
    }
    // the rate is linear in the step to 1e-7 of it
    assert.ok(
      Math.abs(turned - period) < tolerance,
      `${integrator}: ${turned}, expected ${period}`,
    );
  }
});

test('a free double pendulum keeps its energy: order 4 for rk4, order 2 in flight for the discrete step', () => {
  const links = [rod('upper', 0.5, 5, 0.8, -2), rod('lower', 0.25, 2, 0.5, 3, -0.25)];
  const reference = new Float64Array(13);
  const exact = pendulum('rk4', links);
  for (let n = 0; n < 40000; n++) exact.step(2.5e-5);
  exact.readBody(1, reference, 0);
  const errorOf = (integrator: IntegratorKind, h: number): number => {
    const run = pendulum(integrator, links);
    for (let n = 0; n < Math.round(1 / h); n++) run.step(h);
    const x = new Float64Array(13);
    run.readBody(1, x, 0);
    return Math.sqrt((x[0] - reference[0]) ** 2 + (x[2] - reference[2]) ** 2);
  };
  // the next term of the error shifts the observed order by a few tenths
  for (const [integrator, h, order] of [
    ['rk4', 8e-3, 4],
    ['implicit-contact', 2e-3, 2],
    ['symplectic-euler', 2e-3, 2],
  ] as const) {
    const seen = Math.log2(errorOf(integrator, h) / errorOf(integrator, h / 2));
    assert.ok(Math.abs(seen - order) < 0.4, `${integrator}: order ${seen}`);
  }
  const run = pendulum('rk4', links);
  for (let n = 0; n < 2000; n++) run.step(1e-3);
  assert.ok(Math.abs(balance(run)) < 1e-9, `balance ${balance(run)} J of 17 J`);
});

test('external wrenches and springs on a link enter the ledger', () => {
  const run = pendulum(
    'rk4',
    [rod('upper', 0.5, 5, 0.8, -2), rod('lower', 0.25, 2, 0.5, 3, -0.25)],
    {
      springs: [{ body: 'lower', anchor: [0.3, 0, -0.4], stiffness: 80 }],
    },
  );
  run.setExternalWrench(run.bodyIndex('lower'), Float64Array.of(3, 1, -2, 0.3, 0.4, -0.2), 0);
  for (let n = 0; n < 1000; n++) run.step(1e-3);
  const out = new Float64Array(7);
  run.readEnergy(out, 0);
  assert.ok(Math.abs(out[5]) > 0.1, 'the wrench did work');
  assert.ok(Math.abs(out[6]) < 1e-9, `balance ${out[6]} J`);
});

/** A pendulum that falls on a floor with friction. */
function falling(integrator: IntegratorKind, parts: Partial<SystemModel> = {}): SystemModel {
  return system({
    integrator,
    gravity: [0, 0, -G],
    bodies: [body('floor', 'fixed', { position: [0, 0, -0.61] })],
    trees: [tree([rod('upper', 0.5, 5, 0.7, -2), rod('lower', 0.25, 2, 0.1, 2, -0.25)])],
    contacts: [
      contact('lower', 'floor', {
        pair: {
          kind: 'sphere-plane',
          radius: 0.01,
          center: [0, 0, -0.125],
          normal: [0, 0, 1],
          offset: -0.01,
        },
        frictionLaw: INCLINE_BRISTLE,
      }),
    ],
    ...parts,
  });
}

test('an impact with friction: implicit and explicit steps approach Runge–Kutta; momentum never comes from nowhere', () => {
  const rates = (integrator: IntegratorKind, h: number): number[] => {
    const run = makeSystem(falling(integrator));
    const x = new Float64Array(26);
    const c = new Float64Array(40);
    let touched = false;
    for (let n = 0; n < 0.4 / h; n++) {
      run.step(h);
      run.readContact(0, c, 0);
      if (touched && c[0] === 0) break;
      touched ||= c[0] !== 0;
    }
    assert.ok(touched);
    run.readBody(1, x, 0);
    run.readBody(2, x, 13);
    return [x[11], x[24]];
  };
  const want = rates('rk4', 1e-5);
  for (const [integrator, h, tolerance] of [
    ['implicit-contact', 1e-3, 0.1], // rates of 5 rad/s; the contact of 8 ms is of first order: about h over its length
    ['implicit-contact', 1e-4, 0.01],
    ['symplectic-euler', 1e-5, 0.01],
  ] as const) {
    rates(integrator, h).forEach((got, i) => {
      assert.ok(
        Math.abs(got - want[i]) < tolerance,
        `${integrator} ${h}: ${got}, expected ${want[i]}`,
      );
    });
  }
});

test('a chain at rest on the floor stays there at 1 ms, with rates of zero', () => {
  const run = makeSystem(falling('implicit-contact'));
  for (let n = 0; n < 12000; n++) run.step(1e-3);
  const x = new Float64Array(13);
  const before = new Float64Array(13);
  run.readBody(2, before, 0);
  for (let n = 0; n < 1000; n++) run.step(1e-3);
  run.readBody(2, x, 0);
  // bristles creep while they turn static: far below 1e-6 m/s after seconds of rest
  for (let a = 0; a < 3; a++) {
    assert.ok(Math.abs(x[7 + a]) < 1e-6 && Math.abs(x[a] - before[a]) < 1e-6, `axis ${a}`);
  }
});

test('two links of one chain that touch each other: the pair keeps angular momentum about the joint and loses energy', () => {
  // without gravity the only outside forces act at the base joint, on the axis: L about it is kept
  const links = [rod('upper', 0.5, 5, 0, 0), rod('lower', 0.5, 2, 2, 6, -0.25)];
  const model = (integrator: IntegratorKind): SystemModel =>
    system({
      integrator,
      trees: [tree(links)],
      contacts: [
        contact('lower', 'upper', {
          // the tip of the lower rod against the side of the upper one, which faces +x
          pair: {
            kind: 'sphere-plane',
            radius: 0.02,
            center: [0, 0, -0.25],
            normal: [1, 0, 0],
            offset: 0.05,
          },
          frictionLaw: INCLINE_BRISTLE,
        }),
      ],
    });
  const momentum = (run: System): number => {
    const x = new Float64Array(13);
    return links.reduce((sum, link, i) => {
      run.readBody(i, x, 0);
      return sum + link.mass * (x[2] * x[7] - x[0] * x[9]) + link.inertia[1] * x[11];
    }, 0);
  };
  for (const [integrator, h, tolerance] of [
    ['implicit-contact', 1e-4, 1e-3], // poses change after the impulses: first order in the step, h times the rate of 6 rad/s
    ['rk4', 2e-5, 1e-8],
  ] as const) {
    const run = makeSystem(model(integrator));
    const c = new Float64Array(40);
    const before = momentum(run);
    let touched = false;
    for (let n = 0; n < 0.4 / h; n++) {
      run.step(h);
      run.readContact(0, c, 0);
      touched ||= c[0] !== 0;
    }
    const energy = new Float64Array(7);
    run.readEnergy(energy, 0);
    assert.ok(touched && c[0] === 0, 'the impact is over');
    assert.ok(energy[4] > 0.05 * (energy[0] + energy[4]), 'energy was dissipated');
    assert.ok(
      Math.abs(momentum(run) - before) < tolerance * Math.abs(before),
      `${integrator}: ${momentum(run) - before} of ${before}`,
    );
  }
});

test('snapshot, restore and names work for links; a run repeats to the bit', () => {
  const run = makeSystem(falling('implicit-contact'));
  assert.deepEqual(run.bodyNames, ['floor', 'upper', 'lower']);
  assert.equal(run.bodyCount, 3);
  for (let n = 0; n < 100; n++) run.step(1e-3);
  const kept = run.state.slice();
  for (let n = 0; n < 300; n++) run.step(1e-3);
  const hash = run.hash();
  run.restore(kept);
  for (let n = 0; n < 300; n++) run.step(1e-3);
  assert.equal(run.hash(), hash);
  assert.throws(() => {
    run.setBodyMotion(1, new Float64Array(13), 0);
  }, /"upper" cannot be set/);
});

test('a state that is not finite stops the step and is taken back', () => {
  const run = makeSystem(falling('implicit-contact'));
  run.setExternalWrench(1, Float64Array.of(NaN, 0, 0, 0, 0, 0), 0);
  const before = new Float64Array(13);
  run.readBody(2, before, 0);
  assert.equal(run.step(1e-3), 1);
  const after = new Float64Array(13);
  run.readBody(2, after, 0);
  assert.deepEqual(after, before);
});

test('a chain that cannot be is refused with the field and the reason', () => {
  const good = rod('rod', 1, 1, 0, 0);
  const refused = (model: Chain, pattern: RegExp): void => {
    assert.throws(
      () => makeSystem(system({ trees: [chainAsTree(model)] })),
      (error: unknown) => error instanceof BerthError && pattern.test(error.message),
      String(pattern),
    );
  };
  const withJoint = (joint: ChainLink['joint']): Chain => chain([{ ...good, joint }]);
  refused(chain([]), /tree chain\.links to be at least one, got 0/);
  refused(chain([{ ...good, mass: -1 }]), /link rod\.mass >= 0, got -1/);
  refused(chain([{ ...good, mass: 0, inertia: [0, 0, 0, 0, 0, 0] }]), /regular mass matrix/);
  refused(chain([{ ...good, inertia: [1, 1, 3, 0, 0, 0] }]), /triangle inequality/);
  refused(chain([{ ...good, inertia: [1, -1, 1, 0, 0, 0] }]), /no negative moment/);
  refused(
    withJoint({ kind: 'revolute', axis: [0, 2, 0], angle: 0, rate: 0 }),
    /joint\.axis to have length 1/,
  );
  refused(
    withJoint({ kind: 'revolute', axis: [0, 1, 0], angle: NaN, rate: 0 }),
    /joint\.position to be finite, got NaN/,
  );
  refused(
    withJoint({
      kind: 'universal',
      axes: [
        [0, 1, 0],
        [0, 1, 0],
      ],
      angles: [0, 0],
      rates: [0, 0],
    }),
    /regular mass matrix/,
  );
  // a thin rod about its own axis moves no mass
  refused(
    withJoint({ kind: 'revolute', axis: [0, 0, 1], angle: 0, rate: 0 }),
    /regular mass matrix/,
  );
  // the same where its turned inertia leaves some 1e-17 of rounding
  for (const axis of [
    [0, 0, 1],
    [0, 1e-7, 1],
  ] as const) {
    const spun = { kind: 'revolute', axis, angle: 0.3, rate: 0 } as const;
    refused(chain([good, { ...good, name: 'tip', joint: spun }]), /regular mass matrix/);
  }
  refused(chain([good, good]), /Two bodies are named "rod"/);
  assert.throws(
    () => makeSystem(system({ trees: [tree([good])], bodies: [body('rod', 'fixed')] })),
    /Two bodies are named "rod"/,
  );
  assert.throws(
    () => makeSystem(system({ trees: [tree([good]), tree([{ ...good, name: 'b' }])] })),
    /Two trees are named/,
  );
});
