/**
 * The whole loop with an operator that presses and draws back: half-sphere on the plate, hardware mode, noise of the force plate and the
 * encoders (1 N, 2 µm).
 */
import assert from 'node:assert/strict';
import { EnergySlot } from '../../../hil/energy/loop-energy.ts';
import type { Settings } from '../../../config/settings.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** Press at 2 mm/s, draw back at 1 mm/s: axes of the hand controller after its dead-band. */
const PRESS = -0.145;
const BACK = 0.0975;

interface Plateau {
  readonly mean_N: number;
  readonly deviation_N: number;
  readonly removed_J: number;
  readonly taken_J: number;
  readonly activeTicks: number;
  readonly height_m: number;
}

export function press(delay_s: number, energy: Partial<Settings['energy']>): Plateau {
  const rig = new VirtualRig({
    mode: 'hardware',
    noise: 1,
    emulator: { tracking: 'ideal', delay_s },
    settings: (settings) => {
      const wide = { permit: 'advisory', hold_ratio: 1e6, hold_J: 1e6 } as const;
      Object.assign(settings.energy, wide, energy);
    },
  });
  rig.activate();
  let sum = 0;
  let squares = 0;
  let taken = 0;
  const { slots } = rig.tick.energy.energy;
  rig.run(6000, (tick) => {
    rig.input(tick < 4000 ? PRESS : BACK, 1);
    if (slots[EnergySlot.OPEN] === 1) taken = slots[EnergySlot.IN];
    if (tick < 2500 || tick >= 4000) return;
    const force = rig.tick.measuredWrench[2];
    sum += force;
    squares += force * force;
  });
  assert.match(rig.state, /^ACTIVE/, 'still flying');
  const mean = sum / 1500;
  return {
    mean_N: mean,
    deviation_N: Math.sqrt(squares / 1500 - mean * mean),
    removed_J: slots[EnergySlot.PASSIVITY_REMOVED],
    taken_J: taken,
    activeTicks: slots[EnergySlot.PASSIVITY_ACTIVE_TICKS],
    height_m: rig.tick.setpoint[2],
  };
}
