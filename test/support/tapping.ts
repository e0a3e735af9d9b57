/**
 * The pilot of the soak test on the virtual clock: the half-sphere taps the force plate every two seconds in `hardware` mode, the robot
 * with the noise of the facility and, if nothing else is said, a pure delay of 1 ms, 0.5 % of the frames lost each way. After a hold or
 * fault the pilot recovers as an operator would. What each contact that is over took, cut off or not, and what the loop won in it is summed.
 */
import { CommandKind, type COMPENSATIONS } from '../../hil/commands.ts';
import type { EmulatorOptions } from '../../hil/emulator/options.ts';
import { EnergySlot } from '../../hil/energy/loop-energy.ts';
import { type Transition, VirtualRig } from './virtual-rig.ts';

const LOSS = 0.005;
const DEFLECTION = 0.5;
const PRESS_TICKS = 750;
const RISE_TICKS = 550;
const INPUT_TICKS = 10;
/**
 * An attempt to recover: the deadman is released, pressed, then comes the command of the state, once more every so often until the attempt is
 * over: whoever waits for MONITOR_READY, which a few lost frames take away for a second, sees it come.
 */
const RECOVERY = { pressed: 500, command: 550, every: 50, again: 2000 } as const;
const REMEDY: Readonly<Record<string, number>> = {
  HOLD: CommandKind.RESUME,
  MONITOR_READY: CommandKind.ARM,
  MONITOR_WAIT: CommandKind.CLEAR,
  FAULT: CommandKind.CLEAR,
};

const STOPPED = ['HOLD', 'STOPPING', 'FAULT', 'ESTOP'];

/** Why a state that stops the arm was entered; null for other states, '' where nothing says why. */
export function stopCause({ from, to, cause }: Transition): string | null {
  if (!STOPPED.includes(to)) return null;
  return cause ?? (from === 'STOPPING' ? 'after the stop' : '');
}

/** See above. */
export class Tapping {
  readonly rig: VirtualRig;
  contacts = 0;
  /** Taken from the arm by contacts that are over, J. */
  in_J = 0;
  /** Won by the loop in those that won any, J. */
  won_J = 0;
  #direction = -1;
  #since = 0;
  #idle = 0;
  #open_J = 0;
  #created_J = 0;
  #ticks = 0;

  constructor(
    compensation: (typeof COMPENSATIONS)[number],
    robot: Partial<EmulatorOptions> = { tracking: 'ideal' },
  ) {
    this.rig = new VirtualRig({
      mode: 'hardware',
      noise: 1,
      emulator: { delay_s: 0.001, ...robot },
      settings: (settings) => (settings.energy.compensation = compensation),
    });
    this.rig.activate();
    for (const end of this.rig.ends) end.faults.loss = LOSS;
  }

  /** Share of the energy that contacts took which the loop created. */
  get share(): number {
    return this.won_J / this.in_J;
  }

  /** One tick of the loop. */
  step(): void {
    const { rig } = this;
    if (rig.state.startsWith('ACTIVE')) this.#tap();
    else this.#recover();
    rig.run(1);
    this.#ticks++;
    const { slots } = rig.tick.energy.energy;
    if (slots[EnergySlot.IN] < this.#open_J) {
      this.contacts++;
      this.in_J += this.#open_J;
      this.won_J += Math.max(0, this.#created_J);
    }
    this.#open_J = slots[EnergySlot.IN];
    this.#created_J = slots[EnergySlot.CREATED];
  }

  /** The loop wakes late by so many periods, in which the robot goes on. */
  stall(periods: number): void {
    const { rig } = this;
    const { period_s } = rig.settings.loop;
    const now_us = rig.clock.now_us();
    for (let i = 1; i <= periods; i++) rig.robot!.step(period_s, now_us + 1e6 * period_s * i);
    rig.clock.lateWakes_us.push(1e6 * period_s * periods);
  }

  #tap(): void {
    this.#idle = 0;
    const there = (this.rig.state === 'ACTIVE_CONTACT') === this.#direction < 0;
    this.#since = there ? this.#since + 1 : 0;
    if (this.#since > (this.#direction < 0 ? PRESS_TICKS : RISE_TICKS)) {
      this.#direction = -this.#direction;
      this.#since = 0;
    }
    if (this.#ticks % INPUT_TICKS === 0) {
      this.rig.inputAxes([0, 0, DEFLECTION * this.#direction, 0, 0, 0], 1);
    }
  }

  #recover(): void {
    // back off first: where it was stopped, the tool may still press
    this.#direction = 1;
    this.#since = 0;
    const at = this.#idle++ % RECOVERY.again;
    if (this.#ticks % INPUT_TICKS === 0) this.rig.input(0, at < RECOVERY.pressed ? 0 : 1);
    const remedy = REMEDY[this.rig.state];
    const asks = at >= RECOVERY.command && (at - RECOVERY.command) % RECOVERY.every === 0;
    if (asks && remedy !== undefined) this.rig.command(remedy);
  }
}
