/**
 * The battery box flown into its work-site over the whole loop on the virtual clock: emulated robot with its noise, safety machine,
 * accommodation, volumetric contact, and the script that `berth fly` flies. docs/theory/battery-box.md. Flights over a late link,
 * and those that are cut off and taken up again: insertion.long.test.ts.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { CONTACT_READOUT } from '../../../src/system/system.ts';
import { viewOf } from '../../fixtures/insertion-view.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import {
  INPUT_TICKS,
  insertion,
  isOver,
  LOOK_TICKS,
  makeScript,
  model,
  MOST_TICKS,
  tool,
} from './insertion-rig.ts';

const column = (name: (typeof CONTACT_READOUT)[number]): number => CONTACT_READOUT.indexOf(name);
const ACTIVE = column('active');
const NORMAL_FORCE = column('normalForce');
const FRICTION = column('ft_x');
const SLIP = column('slip_x');
const PENETRATION = column('penetration');
const NORMAL = column('normal_x');
const PAIRS = column('pairs');
const DEGREE = Math.PI / 180;
/** The push at 2 mm/s at rest. */
const PLATEAU_N = tool.force_gain_Ns_per_m * 0.002 + tool.force_deadband_N;

const length = (v: ArrayLike<number>, at: number): number =>
  Math.hypot(v[at], v[at + 1], v[at + 2]);

/** What one phase was like. */
interface PhaseRecord {
  depth: number[];
  tilt: number[];
  push: number[];
  pairs: number[];
  /** Largest of every tick. */
  force: number;
  moment: number;
  penetration: number;
}

describe('insertion on the virtual clock', () => {
  const rig = new VirtualRig({ model, noise: 1 });
  const { system } = rig;
  const port = system.tool!;
  const script = makeScript(rig, 2);
  const record = new Map<string, PhaseRecord>();
  const words: string[] = [];
  /** Friction over normal force of every pair that slides at more than 1 mm/s. */
  const sliding: number[] = [];
  let mostFriction = 0;
  let lostForce = 0;
  let seatedPairs: string[] = [];
  const pair = new Float64Array(CONTACT_READOUT.length);
  const whole = new Float64Array(CONTACT_READOUT.length);

  /** Counts every active sub-model; their forces sum to the wrench of the accommodation. */
  function account(): void {
    system.readContact(0, whole, 0);
    const sum = new Float64Array(3);
    let active = 0;
    for (let slot = 0; slot < system.pairCount(0); slot++) {
      system.readPair(0, slot, pair, 0);
      if (pair[ACTIVE] === 0) continue;
      active++;
      const normal = pair[NORMAL_FORCE];
      for (let a = 0; a < 3; a++) sum[a] += normal * pair[NORMAL + a] + pair[FRICTION + a];
      if (normal < 1) continue;
      const ratio = length(pair, FRICTION) / normal;
      mostFriction = Math.max(mostFriction, ratio);
      if (length(pair, SLIP) > 1e-3) sliding.push(ratio);
    }
    assert.equal(active, whole[PAIRS]);
    for (let a = 0; a < 3; a++) {
      lostForce = Math.max(lostForce, Math.abs(sum[a] - port.modelWrench[a]));
    }
  }

  function look(): void {
    const view = viewOf(rig);
    const phase = script.step;
    const of = record.get(phase) ?? {
      depth: [],
      tilt: [],
      push: [],
      pairs: [],
      force: 0,
      moment: 0,
      penetration: 0,
    };
    record.set(phase, of);
    of.depth.push(script.depth_m(view));
    of.tilt.push(script.tilt_rad(view));
    of.push.push(-view.force_N[0]);
    of.pairs.push(view.pairs);
    script.read(view);
    words.push(...script.words.splice(0));
    if (phase === 'seated') seatedPairs = system.cellPairs(0).filter((name) => name !== '');
  }

  before(() => {
    rig.activate();
    for (let i = 0; i < MOST_TICKS && !isOver(script); i++) {
      if (i % LOOK_TICKS === 0) {
        account();
        look();
      }
      if (i % INPUT_TICKS === 0) rig.inputAxes(script.axes, 1);
      rig.run(1);
      assert.match(rig.state, /^ACTIVE/, `${rig.state} after ${words.at(-1)}`);
      const of = record.get(script.step);
      if (of === undefined) continue;
      system.readContact(0, whole, 0);
      of.force = Math.max(of.force, length(port.modelWrench, 0));
      of.moment = Math.max(of.moment, length(port.modelWrench, 3));
      of.penetration = Math.max(of.penetration, whole[PENETRATION]);
    }
  });

  const phase = (name: string): PhaseRecord => {
    const of = record.get(name);
    assert.ok(of !== undefined, `${name} was never flown: ${words.join('; ')}`);
    return of;
  };

  test('goes through every phase and out again', () => {
    assert.ok(script.ended, words.join('; '));
    const ends = words.map((line) => [line.split(' at ')[0], line.split('; ')[1] ?? 'the end']);
    assert.deepEqual(ends, [
      ['aim', 'approach'],
      ['contact in the lead-in', 'lead-in'],
      ['guided', 'push-turned'],
      ['jammed', 'ease'],
      ['eased', 'straighten'],
      ['straight', 'seat'],
      ['seat', 'press'],
      ['seated', 'seated'],
      ['retreating', 'retreat'],
      ['out', 'the end'],
    ]);
  });

  test('touches the lead-in where its lowest corner meets it, and is aligned by it', () => {
    const free = phase('approach');
    const guided = phase('lead-in');
    assert.deepEqual(
      free.pairs.map((count) => count > 0),
      free.pairs.map((_, i) => i === free.pairs.length - 1),
    );
    const [depth, tilt] = [free.depth.at(-1)!, free.tilt.at(-1)!];
    // lowest corner of the box, turned 2 degrees about y and then about its own x, in its own frame, m
    const [s, c] = [Math.sin(2 * DEGREE), Math.cos(2 * DEGREE)];
    const down = 0.15 * s + 0.2 * c;
    const corner = { x: 0.25 * c - down * s, z: -0.25 * s - down * c };
    const outside = 0.005 - corner.z - 0.205;
    const meets = 0.11 - outside / Math.tan(20 * DEGREE);
    const expected = 0.2 + meets - corner.x;
    // one look is 1 mm of way
    assert.ok(depth >= expected && depth < expected + 0.0011, `${depth}`);
    assert.ok(Math.abs(tilt - 2.83 * DEGREE) < 0.01 * DEGREE);
    assert.ok(guided.tilt.at(-1)! < 1.2 * DEGREE, `${guided.tilt.at(-1)! / DEGREE} degrees`);
  });

  test('friction is that of the law: at most stiction, Coulomb while it slides', () => {
    // bristles may overshoot by their damping, sigma_1 times the slip: 3 s/m at up to 20 mm/s
    assert.ok(mostFriction < 0.3 + 3 * 0.02, `${mostFriction}`);
    const median = sliding.sort((a, b) => a - b)[Math.floor(sliding.length / 2)];
    assert.ok(sliding.length > 100);
    assert.ok(median > 0.25 - 0.01 && median < 0.3, `${median}`);
  });

  test('pushed and turned it jams: the push reaches its plateau, the depth stands', () => {
    const { depth, push } = phase('push-turned');
    const moved = depth.at(-1)! - depth.at(-10)!;
    assert.ok(moved < 0.2e-3, `${moved} m in 0.9 s, commanded are 1.8 mm`);
    // dead-band plus gain times speed along the way, and what the turn adds
    assert.ok(push.at(-1)! > 0.8 * PLATEAU_N, `${push.at(-1)} N`);
    assert.ok(depth.at(-1)! < insertion.depth_m - 0.05);
  });

  test('seated: full depth, plateau, no tilt, every pair of module and floor', () => {
    const { depth, tilt, push, pairs } = phase('seated');
    const mean = (values: number[]): number =>
      values.reduce((sum, x) => sum + x, 0) / values.length;
    // plateau / (k_v A) = 30 N / (8e6 N/m3 x 0.12 m2) = 31 um below the floor, encoder noise 2 um
    const sunk = PLATEAU_N / (8e6 * 0.12);
    assert.ok(Math.abs(mean(depth) - insertion.depth_m - sunk) < 5e-6, `${mean(depth)}`);
    // noise of 2 um on 9.6e5 N/m is 2 N a look, 20 looks; the loop filters nothing of it
    assert.ok(Math.abs(mean(push) - PLATEAU_N) < 2, `${mean(push)} N`);
    assert.ok(mean(tilt) < 0.05 * DEGREE, `${mean(tilt) / DEGREE} degrees`);
    assert.ok(Math.min(...pairs) >= 12);
    const cut: Record<string, string[]> = { 1: ['a'], 2: ['a', 'b'], 3: ['b'] };
    const sides: Record<string, string> = { ay: 'left', by: 'right', az: 'lower', bz: 'upper' };
    const expected = [1, 2, 3].flatMap((y) =>
      [1, 2, 3].flatMap((z) =>
        cut[y].flatMap((a) =>
          cut[z].map((b) => `module-${y}${z}/floor-${sides[`${b}z`]}-${sides[`${a}y`]}`),
        ),
      ),
    );
    const onFloor = seatedPairs.filter((name) => name.includes('floor'));
    assert.deepEqual([...onFloor].sort(), expected.sort());
  });

  test('forces, moments and penetration stay inside their limits; no pair is lost or left', () => {
    const { force_N, moment_Nm } = rig.settings.limits;
    for (const [name, of] of record) {
      assert.ok(of.force < force_N / 2, `${name}: ${of.force} N`);
      assert.ok(of.moment < moment_Nm / 2, `${name}: ${of.moment} N m`);
      assert.ok(of.penetration < 8e-3, `${name}: ${of.penetration} m`);
    }
    // sums of at most 28 forces of up to 200 N
    assert.ok(lostForce < 1e-9, `${lostForce} N`);
    assert.equal(system.exhaustedPairs, 0);
    system.readContact(0, whole, 0);
    assert.equal(whole[PAIRS], 0);
    assert.deepEqual(
      system.cellPairs(0).filter((name) => name !== ''),
      [],
    );
  });
});
