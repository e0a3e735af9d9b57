/**
 * The free mass flown by the whole service: loop, socket and emulated robot in their processes, the pilot in this one. Contacts in
 * which the machine stalled or a frame came late by itself are left out of the figures, and counted.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { Column, ROW_WIDTH } from '../../hil/contract/columns.ts';
import { CommandKind } from '../../hil/contract/commands.ts';
import { END_INJECTIONS, InjectionKind } from '../../hil/contract/injections.ts';
import { TelemetryRing } from '../../hil/memory/ring.ts';
import {
  type Contact,
  ContactReader,
  Pilot,
  contactForce,
  freeMassScenario,
  isFlying,
} from '../fixtures/free-mass.ts';
import { Hand } from '../fixtures/hand.ts';
import type { RestitutionRow } from '../fixtures/restitution-table.ts';
import { type Rig, startRig } from '../fixtures/rig.ts';

/** Periods from a set-point to the use of the force at it, over a socket and with a robot that adds nothing. */
export const TURNAROUND = 1;
/**
 * Largest difference of the delay of a contact from the requested one, periods. Poses show it
 * exactly, up to rounding.
 */
const DELAY_TOLERANCE = 0.02;
/** Beyond the delay: what is looked back for poses. */
const ROOM_S = 0.01;
const POLL_MS = 4;

/** What is flown. */
export interface LiveFlight {
  readonly row: RestitutionRow;
  /** Stiffness of the service's model over that of the wall. */
  readonly modelled: number;
  readonly energy: Partial<Settings['energy']>;
  /** Unreported part of the age of the force, periods. */
  readonly untold: number;
  /** Share of frames lost each way. */
  readonly loss: number;
  /** Standard deviation of the force, N. */
  readonly noise_N: number;
  /** Contacts wanted, and how long they may take. */
  readonly contacts: number;
  readonly timeout_s: number;
}

/** What came of it. */
export interface LiveResult {
  readonly clean: readonly Contact[];
  /** Contacts left out, by reason. */
  readonly excluded: ReadonlyMap<string, number>;
  readonly slipped: number;
  /** Times that the arm was taken anew. */
  readonly armed: number;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Neither limit nor permit stops what is to be measured. */
function adjust(settings: Settings, flight: LiveFlight): void {
  Object.assign(settings.energy, {
    guard: false,
    permit: 'advisory',
    hold_ratio: 1e9,
    hold_floor_J: 1e9,
    hold_J: 1e9,
    contact_force_N: contactForce(flight.noise_N),
    ...flight.energy,
  });
  // the pilot is a process among others: its own pauses are not what is measured
  settings.operator.input_timeout_s = 2;
  settings.allow_fault_injection = true;
}

/** Fly until enough clean contacts are there, or time is over. */
export async function flyLive(flight: LiveFlight): Promise<LiveResult> {
  const { row, modelled, untold } = flight;
  const folder = mkdtempSync(join(tmpdir(), 'berth-restitution-'));
  const write = (name: string, stiffness: number): string => {
    const file = join(folder, name);
    const scenario = freeMassScenario({ ...row, stiffness_N_per_m: stiffness });
    writeFileSync(file, JSON.stringify(scenario)); // JSON is YAML
    return file;
  };
  const wall = write('wall.yaml', row.stiffness_N_per_m);
  const model = write('model.yaml', row.stiffness_N_per_m * modelled);
  let rig: Rig | null = null;
  try {
    const period_ms = 1;
    const delay_ms = 1000 * row.delay_s - (TURNAROUND + untold) * period_ms;
    const robot = ['--tracking', 'ideal', '--delay', String(delay_ms), '--scenario', wall];
    robot.push('--noise', '0');
    robot.push('--force-delay', String(untold * period_ms), '--force-age', '0');
    const change = (settings: Settings): void => adjust(settings, flight);
    rig = await startRig('hardware', 'ws', () => undefined, model, change, robot);
    return await collect(rig, flight);
  } finally {
    await rig?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function inject(rig: Rig, flight: LiveFlight, begin: boolean): void {
  const { runtime } = rig;
  if (!begin) runtime.post(CommandKind.INJECT, END_INJECTIONS, 0);
  else {
    runtime.post(CommandKind.INJECT, InjectionKind.link_drop_ratio, flight.loss);
    runtime.post(CommandKind.INJECT, InjectionKind.force_noise_N, flight.noise_N);
  }
}

async function collect(rig: Rig, flight: LiveFlight): Promise<LiveResult> {
  const { row, contacts: wanted } = flight;
  const period_s = rig.settings.loop.period_s;
  const exact = flight.loss === 0;
  const ring = new TelemetryRing(rig.runtime.shared.telemetry, ROW_WIDTH);
  const values = new Float64Array(ROW_WIDTH);
  const hand = new Hand(rig.runtime);
  const pilot = new Pilot(row);
  const reader = new ContactReader({
    period_s,
    lossy: flight.loss > 0,
    delayMost_s: row.delay_s + ROOM_S,
    contact_N: contactForce(flight.noise_N),
  });
  const clean: Contact[] = [];
  const excluded = new Map<string, number>();
  let slipped = 0;
  let flew = false;
  let next = ring.written;
  const end = performance.now() + 1000 * flight.timeout_s;
  // poses lag by the unreported age of the force
  const expected_s = row.delay_s - flight.untold * period_s;
  while (clean.length < wanted && performance.now() < end) {
    await wait(POLL_MS);
    let force = NaN;
    for (; next !== ring.written; next = (next + 1) >>> 0) {
      if (!ring.read(next, values)) continue;
      slipped += values[Column.slipped];
      const asked = pilot.next(values);
      if (!Number.isNaN(asked)) force = asked;
      const contact = reader.feed(values);
      if (contact === null) continue;
      const off = Math.abs(contact.delay_s - expected_s) / period_s;
      const delayed = exact && !(off < DELAY_TOLERANCE) ? 'other delay' : '';
      const reason = contact.disturbed === '' ? delayed : contact.disturbed;
      if (reason === '') clean.push(contact);
      else excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
    }
    if (!Number.isNaN(force)) {
      const keep = NaN;
      rig.runtime.post(CommandKind.FMA, keep, 0, 0, force, 0, 0, 0, keep, keep, keep, keep);
    }
    const flies = isFlying(values);
    // no link is good enough to arm with so many frames lost: they are lost in flight
    if (flies !== flew) inject(rig, flight, flies);
    flew = flies;
    hand.hold(values[Column.safety_state], flies);
  }
  return { clean, excluded, slipped, armed: hand.armed };
}
