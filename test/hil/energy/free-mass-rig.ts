/** The free mass on the virtual clock: real tick, real protocol, emulated robot as a pure delay. */
import {
  type Contact,
  ContactReader,
  Pilot,
  contactForce,
  freeMassScenario,
} from '../../fixtures/free-mass.ts';
import type { RestitutionRow } from '../../fixtures/restitution-table.ts';
import { compileScenario } from '../../../config/compile.ts';
import type { Settings } from '../../../config/settings.ts';
import { ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import type { EmulatorOptions } from '../../../hil/emulator/options.ts';
import { INJECTIONS, type InjectionName } from '../../../hil/contract/injections.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** What is different from an exact loop without remedy. */
export interface FlightOptions {
  readonly contacts?: number;
  readonly settings?: (settings: Settings) => void;
  readonly emulator?: Partial<EmulatorOptions>;
  /** Stiffness of the loop's model over that of the wall. */
  readonly modelled?: number;
  /** Faults by name with their amounts, from the first moment of flight. */
  readonly inject?: Partial<Record<InjectionName, number>>;
}

/** Neither remedy nor limit: what the delay does is what is seen. */
function bare(settings: Settings): void {
  settings.energy.guard = false;
  settings.energy.permit = 'advisory';
  settings.energy.hold_ratio = 1e6;
  settings.energy.hold_J = 1e6;
  settings.following.echo_s = 0.12; // a row of the table has 108 ms of delay, and the defaults hold a loop so late
}

const NO_MOVE = NaN;

/** Fly `contacts` contacts of a row. */
export function fly(
  row: RestitutionRow,
  options: FlightOptions = {},
): { rig: VirtualRig; contacts: Contact[] } {
  const { contacts: wanted = 1, emulator = {}, modelled = 1, inject = {} } = options;
  const stiffness_N_per_m = row.stiffness_N_per_m * modelled;
  const wall = compileScenario(freeMassScenario(row));
  const rig = new VirtualRig({
    mode: 'hardware',
    model: compileScenario(freeMassScenario({ ...row, stiffness_N_per_m })),
    settings: (settings) => {
      bare(settings);
      settings.energy.contact_force_N = contactForce(inject.force_noise_N ?? 0);
      options.settings?.(settings);
    },
    emulator: {
      tracking: 'ideal',
      delay_s: row.delay_s,
      wall: { model: wall, payload: wall.tool?.payload ?? '' },
      ...emulator,
    },
  });
  rig.activate();
  for (const [name, amount] of Object.entries(inject)) {
    rig.command(CommandKind.INJECT, INJECTIONS.indexOf(name as InjectionName), amount);
  }
  const pilot = new Pilot(row);
  const reader = new ContactReader({
    period_s: rig.settings.loop.period_s,
    lossy: inject.link_drop_ratio !== undefined,
    delayMost_s: row.delay_s + 0.01,
    contact_N: contactForce(inject.force_noise_N ?? 0),
  });
  const values = new Float64Array(ROW_WIDTH);
  const contacts: Contact[] = [];
  for (let tick = 0; tick < 6000 * (wanted + 1) && contacts.length < wanted; tick++) {
    rig.input(0, 1);
    rig.run(1);
    values.set(rig.tick.record.row);
    const force = pilot.next(values);
    if (!Number.isNaN(force)) {
      const keep = NO_MOVE;
      rig.command(CommandKind.FMA, keep, 0, 0, force, 0, 0, 0, keep, keep, keep, keep);
    }
    const contact = reader.feed(values);
    if (contact !== null) contacts.push(contact);
  }
  if (contacts.length < wanted) {
    throw new Error(
      `${contacts.length} of ${wanted} contacts: ${rig.state} ${JSON.stringify(rig.transitions.slice(-3))}`,
    );
  }
  return { rig, contacts };
}
