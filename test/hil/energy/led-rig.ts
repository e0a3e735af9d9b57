/** A flight with position lead over the whole loop on the virtual clock. */
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** Flown upwards for two seconds with position lead, the robot a pure delay. */
export function led(delay_s: number, stick: number, mode: 'virtual' | 'hardware'): VirtualRig {
  const rig = new VirtualRig({
    mode,
    settings: ({ energy, operator }) => {
      energy.position_lead = true;
      operator.coarse_speed_mps = 0.09;
    },
    emulator: { tracking: 'ideal', delay_s },
  });
  rig.activate();
  rig.run(2000, () => rig.input(stick, 1));
  return rig;
}
