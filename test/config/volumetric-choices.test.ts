/** Choices of volumetric contacts: stiffness by body, size of voxels; what they do, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { makeSystem } from '../../src/index.ts';
import { CONTACT_READOUT, ContactReadout } from '../../src/contact/contact-readout.ts';
import type { ContactModelSpec } from '../../src/model/model.ts';
import { cell, floor, scene } from '../fixtures/volumetric-models.ts';
import { body } from '../fixtures/models.ts';

const contactWith = (...changes: string[]): ContactModelSpec =>
  compileScenario(
    loadScenario(
      'ball-on-table',
      changes.map((one) => `contacts.0.${one}`),
    ),
  ).contacts[0];

const law = (text: string): ContactModelSpec['normalLaw'] =>
  contactWith(`normal_law={kind: volumetric, restitution: 0.5, ${text}}`).normalLaw;

test('two bodies that yield are springs in series', () => {
  const two = law('body_stiffnesses_N_per_m3: [3e7, 6e7]');
  assert.ok(two.kind === 'volumetric' && Math.abs(two.stiffness - 2e7) < 1e-7);
  const one = law('stiffness_N_per_m3: 2e7');
  assert.ok(one.kind === 'volumetric' && one.stiffness === 2e7);
  assert.throws(
    () => law('stiffness_N_per_m3: 2e7, body_stiffnesses_N_per_m3: [3e7, 6e7]'),
    /gives stiffness_N_per_m3 and body_stiffnesses_N_per_m3; allowed: exactly one of/,
  );
  assert.throws(() => law('small_velocity_mps: 0.1'), /gives no stiffness; allowed: exactly one/);
  assert.throws(() => law('body_stiffnesses_N_per_m3: [3e7]'), /a list of 2/);
  assert.throws(() => law('body_stiffnesses_N_per_m3: [3e7, 0]'), /above 0/);
});

/** Volume of a ball of 20 mm that is 2 mm deep in the floor, by voxels. */
function volume(choice: object, stiffness = 1e7): number {
  const ball = body('ball', 'dynamic', {
    position: [3e-4, 2e-4, 0.018],
    cells: [cell('ball', { kind: 'sphere', radius: 0.02 })],
  });
  const pair = { method: 'voxels', ...choice } as const;
  const run = makeSystem(scene(ball, floor(), { pair, normal: { stiffness }, step: 1e-9 }));
  run.step(1e-9);
  const row = new Float64Array(CONTACT_READOUT.length);
  run.readContact(0, row, 0);
  return row[ContactReadout.volume];
}

test('smaller voxels are nearer to the volume; a force of one voxel gives their side', () => {
  const cap = (Math.PI * 0.002 ** 2 * (0.06 - 0.002)) / 3;
  const errors = [4e-3, 1e-3, 5e-4].map((voxelSize) => Math.abs(volume({ voxelSize }) / cap - 1));
  // centres counted in the layers that the surface cuts: at most half a voxel over three samples of 2 mm
  [4e-3, 1e-3, 5e-4].forEach((size, k) => assert.ok(errors[k] < size / 2e-3, `${errors[k]}`));
  assert.ok(errors[2] < 0.07 && errors[2] < errors[0], errors.join());
  // (0.01 N / 1e7 N/m³)^⅓ = 1 mm
  assert.equal(volume({ forceResolution: 0.01 }), volume({ voxelSize: Math.cbrt(0.01 / 1e7) }));
  assert.notEqual(volume({ forceResolution: 0.01 }, 1e5), volume({ forceResolution: 0.01 }, 1e7));
  assert.equal(volume({}), volume({ voxelSize: 1e-3 }));
});

test('the size of voxels is refused where there are none, twice, and without a stiffness', () => {
  const pair = (text: string): unknown => contactWith(`pair={kind: volumetric, ${text}}`);
  pair('method: voxels, voxel_size_m: 0.2 mm');
  pair('method: voxels, force_resolution_N: 8e-5');
  assert.throws(() => pair('voxel_size_m: 0.2 mm'), /method .*voxels.*got "auto"/);
  assert.throws(() => pair('method: rays, force_resolution_N: 1'), /method .*voxels.*got "rays"/);
  assert.throws(
    () => pair('method: voxels, voxel_size_m: 1 mm, force_resolution_N: 1'),
    /voxel_size.* or .*force_resolution.*got both/,
  );
  assert.throws(() => pair('method: voxels, voxel_size_m: 0'), /above 0/);
  assert.throws(
    () =>
      contactWith(
        'pair={kind: volumetric, method: voxels, force_resolution_N: 1}',
        'normal_law={kind: kelvin-voigt, stiffness_N_per_m: 1e6, damping_N_s_per_m: 1}',
        'friction_law={kind: none}',
        'rolling_law={kind: none}',
      ),
    /force_resolution.* beside a normal law of kind "volumetric", got "kelvin-voigt"/,
  );
});
