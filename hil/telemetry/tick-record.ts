/** End of a tick: one telemetry row, counters and events, all of one instant, in shared memory. */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import { type Accommodation, FmaSlot } from '../../src/control/fma.ts';
import type { HandController } from '../../src/control/hand-controller.ts';
import { CONTACT_READOUT, type System } from '../../src/system/system.ts';
import { ROW_WIDTH, columnIndex } from '../contract/columns.ts';
import { EventKind } from '../contract/events.ts';
import { LOOP_STAGES } from '../contract/counters.ts';
import { LoopSlot, type LoopCounters } from '../memory/loop-counters.ts';
import type { LoopEvents } from './loop-events.ts';
import type { RecordingTap } from './tap.ts';
import { TelemetryRing } from '../memory/ring.ts';
import { SAFETY_STATES } from '../contract/codes.ts';
import type { SafetyMachine, SafetyOutputs } from '../safety/machine.ts';
import type { TickTiming } from '../contract/timing.ts';

/** Column numbers, looked up once. */
export const Column = Object.freeze({
  TICK: columnIndex('tick'),
  MODE: columnIndex('mode'),
  LATENESS: columnIndex('lateness_s'),
  STAGES: columnIndex('stage_rx_s'),
  MARGIN: columnIndex('margin_s'),
  LINK_UP: columnIndex('link_up'),
  INPUT_AGE: columnIndex('input_age_s'),
  COMMAND: columnIndex('command_v_x_mps'),
  SETPOINT: columnIndex('setpoint_p_x_m'),
  SETPOINT_WRENCH: columnIndex('setpoint_force_x_N'),
  MEASURED: columnIndex('measured_p_x_m'),
  MEASURED_WRENCH: columnIndex('measured_force_x_N'),
  MODEL_WRENCH: columnIndex('model_force_x_N'),
  CONTACT: columnIndex('contact_active'),
  ENERGY: columnIndex('energy_kinetic_J'),
  FMA: columnIndex('fma_axes'),
  HAND_MODE: columnIndex('hand_mode'),
});

/** Columns of the first active contact and of the counts of contacts. */
const CONTACT_COLUMNS = 9;
const STAGES = LOOP_STAGES.length;
const READOUT = CONTACT_READOUT.length;
const PAIRS = CONTACT_READOUT.indexOf('pairs');
const LATENESS_WINDOW = 5; // s: two of them make the maximum of the last 10 s

/** Energy ledger into a row: bristle and elastic energy are shown as one. `e` holds ENERGY_READOUT. @alloc none */
export function energyColumns(system: System, e: Float64Array, row: Float64Array): void {
  system.readEnergy(e, 0);
  row[Column.ENERGY] = e[0];
  row[Column.ENERGY + 1] = e[1];
  row[Column.ENERGY + 2] = e[2] + e[3];
  row[Column.ENERGY + 3] = e[4];
  row[Column.ENERGY + 4] = e[5];
  row[Column.ENERGY + 5] = e[6];
}

/** Who moves the arm, and how, as a row tells it. */
export interface OperatorState {
  readonly hand: HandController;
  /** Index in HAND_MODES; joint and axis of single-joint mode, −1 in the others. */
  readonly mode: { readonly mode: number; readonly joint: number; readonly axis: number };
  /** Session number of the holder of authority, 0 nobody. */
  readonly authority: number;
  /** Inputs of this tick that were refused. */
  readonly refused: number;
}

const FIELDS = { active: 0 } as const;

/** Row, counters and contact bookkeeping of a loop. */
export class TickRecord {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  readonly row: Float64Array = new Float64Array(ROW_WIDTH);
  readonly counters: LoopCounters;
  /** Contacts active after the newest step. */
  declare active: number;
  readonly #events: LoopEvents;
  readonly #timing: TickTiming;
  readonly #ring: TelemetryRing;
  readonly #contact = new Float64Array(READOUT);
  readonly #energy = new Float64Array(8);
  /** Per contact: active, peak force, approach speed. */
  readonly #wasActive: Uint8Array;
  readonly #peak: Float64Array;
  readonly #tap: RecordingTap | null;
  /** Lateness: window maximum, maximum of the window before, end of window. */
  readonly latest: Float64Array = new Float64Array(3);

  constructor(
    telemetry: SharedArrayBuffer,
    counters: LoopCounters,
    events: LoopEvents,
    timing: TickTiming,
    system: System,
    tap: RecordingTap | null,
    arena: StateArena = new StateArena(),
  ) {
    this.#tap = tap;
    this.counters = counters;
    this.#events = events;
    this.#timing = timing;
    this.#ring = new TelemetryRing(telemetry, ROW_WIDTH);
    this.#wasActive = new Uint8Array(system.contactCount);
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    // the columns of a contact stay in the row while the model is frozen
    arena.adopt('columns', this.row.subarray(Column.CONTACT, Column.CONTACT + CONTACT_COLUMNS));
    arena.adopt('wasActive', this.#wasActive);
    this.#peak = arena.add('peak_N', system.contactCount);
  }

  /** Contacts of the newest step: into the row, with events and peak forces. @alloc none */
  contacts(system: System): void {
    const row = this.row;
    const c = this.#contact;
    const at = Column.CONTACT;
    const slots = this.counters.slots;
    for (let i = 0; i < CONTACT_COLUMNS; i++) row[at + i] = 0;
    this.active = 0;
    for (let k = 0; k < this.#wasActive.length; k++) {
      system.readContact(k, c, 0);
      if (c[0] !== 0) {
        if (this.active === 0) {
          row[at + 2] = c[1];
          row[at + 3] = c[2];
          row[at + 4] = c[3];
          row[at + 5] = Math.sqrt(c[4] * c[4] + c[5] * c[5] + c[6] * c[6]);
          row[at + 6] = c[14];
          row[at + 7] = c[13];
        }
        this.active++;
        row[at + 8] += c[PAIRS] > 0 ? c[PAIRS] : 1;
        if (c[3] > this.#peak[k]) this.#peak[k] = c[3];
        if (this.#wasActive[k] === 0) {
          this.#wasActive[k] = 1;
          slots[LoopSlot.CONTACTS]++;
          this.#events.detail[0] = c[15];
          this.#events.write(EventKind.CONTACT, k, 1);
        }
      } else if (this.#wasActive[k] === 1) {
        this.#wasActive[k] = 0;
        this.counters.value[0] = this.#peak[k];
        this.counters.observeForce(LoopSlot.CONTACT_PEAK);
        this.#events.detail[0] = this.#peak[k];
        this.#peak[k] = 0;
        this.#events.write(EventKind.CONTACT, k, 0);
      }
    }
    row[at] = this.active > 0 ? 1 : 0;
    row[at + 1] = this.active;
    slots[LoopSlot.CONTACT_ACTIVE] = this.active;
    slots[LoopSlot.CONTACT_PAIRS] = row[at + 8];
    slots[LoopSlot.PENETRATION] = row[at + 2];
    slots[LoopSlot.SUBSTEPS] = system.substeps;
  }

  /** Energy ledger into the row. @alloc none */
  energy(system: System): void {
    const row = this.row;
    energyColumns(system, this.#energy, row);
    const slots = this.counters.slots;
    for (let i = 0; i < 6; i++) slots[LoopSlot.ENERGY + i] = row[Column.ENERGY + i];
  }

  /** Who moves the arm, and how, into row and counters. @alloc none */
  operator(state: OperatorState, command: Float64Array): void {
    const row = this.row;
    const slots = this.counters.slots;
    const { hand, mode } = state;
    const at = Column.INPUT_AGE;
    row[at] = hand.age_s;
    row[at + 1] = hand.deadman;
    row[at + 2] = state.authority;
    for (let a = 0; a < 6; a++) row[Column.COMMAND + a] = command[a];
    row[Column.HAND_MODE] = mode.mode;
    row[Column.HAND_MODE + 1] = mode.joint;
    row[Column.HAND_MODE + 2] = mode.axis;
    slots[LoopSlot.INPUT_AGE] = hand.age_s;
    slots[LoopSlot.INPUTS_REFUSED] += state.refused;
  }

  /** Mode of the loop and what the safety machine says. @alloc none */
  safety(mode: number, machine: SafetyMachine, outputs: SafetyOutputs): void {
    const row = this.row;
    const at = Column.MODE;
    row[at] = mode;
    row[at + 1] = machine.state;
    row[at + 2] = machine.faultBits;
    row[at + 3] = machine.holdBits;
    row[at + 4] = outputs.ctlMode;
    row[at + 5] = outputs.freezeModel;
    const { slots } = this.counters;
    for (let i = 0; i < SAFETY_STATES.length; i++) {
      slots[LoopSlot.SAFETY_STATE + i] = i === machine.state ? 1 : 0;
    }
  }

  /** Pose and twist that were sent and measured: p(3), q(4), v(3), w(3). @alloc none */
  motion(setpoint: Float64Array, measured: Float64Array): void {
    const row = this.row;
    for (let i = 0; i < 13; i++) row[Column.SETPOINT + i] = setpoint[i];
    for (let i = 0; i < 13; i++) row[Column.MEASURED + i] = measured[i];
  }

  /** Forces and moments that were sent, measured and computed. @alloc none */
  wrenches(sent: Float64Array, measured: Float64Array, model: Float64Array): void {
    const row = this.row;
    for (let i = 0; i < 6; i++) {
      row[Column.SETPOINT_WRENCH + i] = sent[i];
      row[Column.MEASURED_WRENCH + i] = measured[i];
      row[Column.MODEL_WRENCH + i] = model[i];
    }
  }

  /** Accommodation into the row: what is set, and the set-point that is in force. @alloc none */
  accommodation(fma: Accommodation): void {
    const row = this.row;
    const { target, present } = fma;
    const at = Column.FMA;
    let bits = 0;
    for (let a = 0; a < 6; a++) {
      if (target[FmaSlot.AXES + a] === 1) bits |= 1 << a;
      row[at + 1 + a] = present[FmaSlot.AXES + a] * present[FmaSlot.SET_POINT + a];
    }
    row[at] = bits;
    for (let i = 0; i < 4; i++) row[at + 7 + i] = target[FmaSlot.DEADBAND + i];
  }

  /** Timing of the tick into counters. `stages` are durations in LOOP_STAGES order, s. @alloc none */
  timing(stages: Float64Array, now_us: Float64Array): void {
    const timing = this.#timing;
    const counters = this.counters;
    const slots = counters.slots;
    const row = this.row;
    slots[LoopSlot.TICKS]++;
    slots[LoopSlot.SLIPPED] += timing.slipped;
    const lateness = timing.rawLateness_us * 1e-6;
    counters.value[0] = lateness;
    counters.observeLatency(LoopSlot.LATENESS);
    this.#trackLateness();
    if (timing.cause >= 0) {
      slots[LoopSlot.OVERRUNS + timing.cause]++;
      this.#events.detail[0] = lateness;
      this.#events.write(EventKind.OVERRUN, timing.slipped, timing.cause);
    }
    for (let i = 0; i < STAGES; i++) {
      counters.value[0] = stages[i];
      counters.observeStage(i);
      row[Column.STAGES + i] = stages[i];
    }
    const margin = timing.margin_us * 1e-6;
    slots[LoopSlot.MARGIN] = margin;
    row[Column.LATENESS] = timing.lateness_us * 1e-6;
    row[Column.MARGIN] = margin;
    row[Column.MARGIN + 1] = timing.slipped;
    row[Column.MARGIN + 2] = timing.cause;
    row[Column.TICK] = timing.executed;
    row[Column.TICK + 1] = timing.period;
    row[Column.TICK + 2] = (now_us[0] - timing.origin_us) * 1e-6;
    slots[LoopSlot.EVENTS_DROPPED] = this.#events.dropped;
  }

  #trackLateness(): void {
    const l = this.latest;
    const lateness = this.#timing.rawLateness_us * 1e-6;
    const time = (this.#timing.wake_us - this.#timing.origin_us) * 1e-6;
    if (time >= l[2]) {
      l[1] = l[0];
      l[0] = 0;
      l[2] = time + LATENESS_WINDOW;
    }
    if (lateness > l[0]) l[0] = lateness;
    this.counters.slots[LoopSlot.LATENESS_MAX] = l[0] > l[1] ? l[0] : l[1];
  }

  /** Publish the row. */
  push(): void {
    this.#ring.push(this.row);
    if (this.#tap !== null) this.#tap.row(this.row);
  }
}

defineFields(TickRecord, FIELDS);
