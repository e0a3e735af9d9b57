/**
 * Contact permit in the whole loop: its acknowledgement by holder and link, and the state by which
 * a batch of commands is judged.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadSettings } from '../../../config/load-settings.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type { Settings } from '../../../config/settings.ts';
import { Column, type ColumnName } from '../../../hil/contract/columns.ts';
import {
  COMMAND_RESULTS,
  COMPENSATIONS,
  CommandKind,
  PERMIT_STATES,
} from '../../../hil/contract/commands.ts';
import { type RigOptions, VirtualRig } from '../../fixtures/virtual-rig.ts';

/** The half-sphere behind 5 ms, in MONITOR_READY with the permit required and the deadman pressed by session 1. */
function ready(change: (energy: Settings['energy']) => void, options: RigOptions = {}): VirtualRig {
  const rig = new VirtualRig({
    mode: 'hardware',
    ...options,
    settings: ({ energy }) => {
      energy.permit = 'required';
      change(energy);
    },
    emulator: { tracking: 'ideal', delay_s: 5e-3 },
  });
  becomeReady(rig);
  takeHand(rig, 1);
  return rig;
}

function becomeReady(rig: VirtualRig): void {
  assert.ok(rig.runUntil('MONITOR_READY', 6000) >= 0, rig.state);
}

function takeHand(rig: VirtualRig, session: number): void {
  rig.command(CommandKind.AUTHORITY, session);
  rig.input(0, 0);
  rig.run(2);
  rig.input(0, 1);
  rig.run(1);
}

/** Commands of one tick. @returns the answers */
function ask(rig: VirtualRig, ...commands: readonly (readonly [number, ...number[]])[]): string[] {
  rig.answers.length = 0;
  for (const [kind, ...args] of commands) rig.command(kind, ...args);
  rig.input(0, 1);
  rig.run(1);
  return rig.answers.map((answer) => COMMAND_RESULTS[answer] ?? '');
}

const column = (rig: VirtualRig, name: ColumnName): number =>
  rig.tick.record.row[Column[name]] ?? NaN;
const permit = (rig: VirtualRig): string => PERMIT_STATES[column(rig, 'permit_state')] ?? '';
/** No margin is wide enough. */
const never = (energy: Settings['energy']): void => {
  energy.margin_limit = 1e6;
};

test('an acknowledgement goes with the authority of who gave it', () => {
  const rig = ready(never);
  assert.deepEqual(ask(rig, [CommandKind.PERMIT, 1]), ['ok']);
  assert.equal(permit(rig), 'acknowledged');
  takeHand(rig, 2);
  assert.equal(permit(rig), 'needed');
  assert.deepEqual(ask(rig, [CommandKind.ARM]), ['permit_needed']);
  // a pilot that answers by acknowledging is let through
  assert.deepEqual(ask(rig, [CommandKind.PERMIT, 1]), ['ok']);
  assert.deepEqual(ask(rig, [CommandKind.ARM]), ['ok']);
});

test('without a link there is nothing to acknowledge', () => {
  const rig = new VirtualRig({ mode: 'hardware', settings: ({ energy }) => never(energy) });
  rig.command(CommandKind.AUTHORITY, 1);
  assert.deepEqual(ask(rig, [CommandKind.PERMIT, 1]), ['not_ready']);
  becomeReady(rig);
  assert.equal(permit(rig), 'needed');
});

test('the hand of the holder before is not that of the next one, in the same batch either', () => {
  const rig = ready((energy) => (energy.permit = 'advisory'));
  const input = [0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0];
  const batch = [
    [CommandKind.AUTHORITY, 2],
    [CommandKind.INPUT, ...input],
    [CommandKind.ARM],
  ] as const;
  assert.deepEqual(ask(rig, ...batch), ['deadman_not_pressed']);
});

test('an acknowledgement goes with the link', () => {
  const rig = ready(never);
  ask(rig, [CommandKind.PERMIT, 1]);
  rig.robotOn = false;
  rig.run(3000);
  assert.equal(permit(rig), 'none');
  rig.robotOn = true;
  becomeReady(rig);
  takeHand(rig, 1);
  assert.deepEqual(ask(rig, [CommandKind.ARM]), ['permit_needed']);
});

test('commands of one batch: taken and taken back are judged at once', () => {
  const rig = ready(never);
  const { PERMIT, ARM } = CommandKind;
  const answers = ask(rig, [PERMIT, 1], [PERMIT, 0], [ARM], [PERMIT, 1], [ARM]);
  assert.deepEqual(answers, ['ok', 'ok', 'permit_needed', 'ok', 'ok']);
});

test('in hardware a tool without a modelled contact may touch what nobody knows', () => {
  const model = { ...compileScenario(loadScenario('half-sphere-on-plate')), contacts: [] };
  const rig = ready(() => undefined, { model });
  assert.equal(permit(rig), 'needed');
  assert.ok(Number.isNaN(column(rig, 'contact_stiffness_N_per_m')));
  assert.deepEqual(ask(rig, [CommandKind.ARM]), ['permit_needed']);
  assert.deepEqual(ask(rig, [CommandKind.PERMIT, 1], [CommandKind.ARM]), ['ok', 'ok']);
  const simulated = ready(() => undefined, { model, mode: 'virtual' });
  assert.equal(permit(simulated), 'none', 'where the model has the forces there is nothing');
  assert.deepEqual(ask(simulated, [CommandKind.ARM]), ['ok']);
});

test('commands of one batch: ARM is judged by the compensation that was chosen before it', () => {
  const choose = (name: (typeof COMPENSATIONS)[number]): [number, ...number[]] => [
    CommandKind.ENERGY,
    COMPENSATIONS.indexOf(name),
    -1,
    -1,
    -1,
  ];
  const marginWith = (compensation: 'none' | 'damping'): number => {
    const rig = ready((energy) => Object.assign(energy, { compensation, stiffness_N_per_m: 4e5 }));
    return column(rig, 'stability_margin_active');
  };
  const [without, damped] = [marginWith('none'), marginWith('damping')];
  assert.ok(damped > 1.05 * without, `margin ${damped} with damping, ${without} without`);
  const rig = ready((energy) =>
    Object.assign(energy, {
      compensation: 'damping',
      stiffness_N_per_m: 4e5,
      margin_limit: 0.5 * (without + damped),
    }),
  );
  assert.equal(permit(rig), 'valid');
  const arm: [number] = [CommandKind.ARM];
  assert.deepEqual(ask(rig, choose('none'), arm), ['ok', 'permit_needed']);
  assert.deepEqual(ask(rig, choose('damping'), arm), ['ok', 'ok']);
});

test('the permit of the default scenario is decided before its first contact', () => {
  const { scenario, mode, energy } = loadSettings();
  const rig = new VirtualRig({
    mode,
    model: compileScenario(loadScenario(scenario)),
    settings: (settings) => (settings.energy = structuredClone(energy)),
    emulator: { tracking: 'ideal' },
  });
  becomeReady(rig);
  assert.equal(rig.settings.energy.permit, 'required');
  assert.equal(column(rig, 'contact_active'), 0);
  // the end of the box, and its top, 0.56 m with the grapple, by the sine of the 2 degrees of tilt
  const most = 8e6 * (0.3 * 0.4 + 0.56 * 0.3 * Math.sin(Math.PI / 90));
  const stiffness = column(rig, 'contact_stiffness_N_per_m');
  assert.ok(Math.abs(stiffness / most - 1) < 4e-3, `${stiffness} N/m for ${most} N/m`);
  assert.equal(permit(rig), 'valid');
  takeHand(rig, 1);
  assert.deepEqual(ask(rig, [CommandKind.ARM]), ['ok'], 'nothing to acknowledge');
});

test('a default scenario behind too long a delay is refused with known figures', () => {
  const { scenario, mode, energy } = loadSettings();
  const rig = new VirtualRig({
    mode,
    model: compileScenario(loadScenario(scenario)),
    settings: (settings) => (settings.energy = structuredClone(energy)),
    emulator: { tracking: 'ideal', delay_s: 5e-3 },
  });
  becomeReady(rig);
  takeHand(rig, 1);
  assert.equal(permit(rig), 'needed');
  assert.ok(column(rig, 'stability_margin_active') > 0, 'known');
  assert.deepEqual(ask(rig, [CommandKind.ARM]), ['permit_needed']);
});
