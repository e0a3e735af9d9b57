/** End of a tick: one telemetry row, counters and events, all of one instant, in shared memory. */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import { type Accommodation, FmaSlot } from '../../src/control/fma.ts';
import type { HandController } from '../../src/control/hand-controller.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  EnergyReadout,
  FACE_READOUT,
  FaceReadout,
  type System,
  TOUCH_READOUT,
  TouchReadout,
} from '../../src/system/system.ts';
import { CURVATURE_LENGTH } from '../../src/shapes/surfaces/surface-curvature.ts';
import { Column, ROW_WIDTH } from '../contract/columns.ts';
import { EventKind } from '../contract/events.ts';
import { touchLevel } from '../contract/touch-levels.ts';
import { LOOP_STAGES } from '../contract/counters.ts';
import { LoopSlot, type LoopCounters } from '../memory/loop-counters.ts';
import type { LoopEvents } from './loop-events.ts';
import type { RecordingTap } from './tap.ts';
import { TelemetryRing } from '../memory/ring.ts';
import { SAFETY_STATES } from '../contract/codes.ts';
import type { SafetyMachine, SafetyOutputs } from '../safety/machine.ts';
import type { TickTiming } from '../contract/timing.ts';

/** Columns of the first active contact and of the counts of contacts. */
const CONTACT_COLUMNS = 9;
/** Columns from `contact_validity` on: they stay in the row, too. */
const LAST_COLUMNS = 10;
const STAGES = LOOP_STAGES.length;
const READOUT = CONTACT_READOUT.length;
const LATENESS_WINDOW = 5; // s: two of them make the maximum of the last 10 s

/** Energy ledger into a row: bristle and elastic energy are shown as one. `e` holds ENERGY_READOUT. @alloc none */
export function energyColumns(system: System, e: Float64Array, row: Float64Array): void {
  system.readEnergy(e, 0);
  row[Column.energy_kinetic_J] = e[EnergyReadout.kinetic];
  row[Column.energy_potential_J] = e[EnergyReadout.potential];
  row[Column.energy_elastic_J] = e[EnergyReadout.elastic] + e[EnergyReadout.bristle];
  row[Column.energy_dissipated_J] = e[EnergyReadout.dissipated];
  row[Column.energy_external_J] = e[EnergyReadout.externalWork];
  row[Column.energy_balance_J] = e[EnergyReadout.balance];
}

/** The holder who moves the arm, and how, as columns of a row. */
export interface OperatorState {
  readonly hand: HandController;
  /** Index in HAND_MODES; joint and axis of single-joint mode, −1 in the others. */
  readonly mode: { readonly mode: number; readonly joint: number; readonly axis: number };
  /** Session number of the holder of authority, 0 none. */
  readonly authority: number;
  /** Inputs of this tick that were refused. */
  readonly refused: number;
}

const RESPONSES = ['act', 'observe', 'warn'];

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
  readonly #face = new Float64Array(FACE_READOUT.length);
  /** Per contact: active, peak force, approach speed. */
  readonly #wasActive: Uint8Array;
  /** Per contact: 0 acts, 1 is only observed, 2 with a warning. */
  readonly #observed: Uint8Array;
  readonly #peak: Float64Array;
  /** Per contact: bits of VALIDITY_FLAGS since it began. */
  readonly #validity: Float64Array;
  /** Contacts and constraints of surfaces of free form, and the level of the last touch of each. */
  readonly #surfaces: Int32Array;
  readonly #level: Float64Array;
  readonly #touch = new Float64Array(TOUCH_READOUT.length);
  readonly #tap: RecordingTap | null;
  /** Newton steps for places of surfaces at the end of the tick before. */
  readonly #newton = new Float64Array(1);
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
    this.#observed = Uint8Array.from({ length: system.contactCount }, (_, k) =>
      RESPONSES.indexOf(system.responseOf(k)),
    );
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    // the columns of a contact stay in the row while the model is frozen
    arena.adopt(
      'columns',
      this.row.subarray(Column.contact_active, Column.contact_active + CONTACT_COLUMNS),
    );
    arena.adopt('wasActive', this.#wasActive);
    this.#peak = arena.add('peak_N', system.contactCount);
    this.#validity = arena.add('validity', system.contactCount);
    const at = Column.contact_validity;
    arena.adopt('lastColumns', this.row.subarray(at, at + LAST_COLUMNS));
    system.readLeastDistance(this.row, Column.least_distance_m);
    const places = Array.from(
      { length: system.contactCount + system.constraintCount },
      (_, k) => k,
    );
    this.#surfaces = Int32Array.from(places.filter((k) => system.hasSurfaces(k)));
    const count = this.#surfaces.length;
    // states of models without surfaces stay as they were
    this.#level = count > 0 ? arena.add('touchLevels', count) : new Float64Array(0);
    this.#touches(system);
  }

  /** Contacts of the newest step: into the row, with events and peak forces. @alloc none */
  contacts(system: System): void {
    const row = this.row;
    const c = this.#contact;
    const slots = this.counters.slots;
    for (let i = 0; i < CONTACT_COLUMNS; i++) row[Column.contact_active + i] = 0;
    this.active = 0;
    let validity = 0;
    let present = 0;
    for (let k = 0; k < this.#wasActive.length; k++) {
      system.readContact(k, c, 0);
      if (this.#observed[k] !== 0) this.#see(k, c);
      else if (c[ContactReadout.active] !== 0) {
        if (this.active === 0) {
          row[Column.penetration_m] = c[ContactReadout.penetration];
          row[Column.penetration_rate_mps] = c[ContactReadout.penetrationRate];
          row[Column.normal_force_N] = c[ContactReadout.normalForce];
          const x = c[ContactReadout.ft_x];
          const y = c[ContactReadout.ft_y];
          const z = c[ContactReadout.ft_z];
          row[Column.friction_force_N] = Math.sqrt(x * x + y * y + z * z);
          row[Column.stick] = c[ContactReadout.stick];
          row[Column.dwell] = c[ContactReadout.dwell];
        }
        this.active++;
        const pairs = c[ContactReadout.pairs];
        row[Column.contact_pairs] += pairs > 0 ? pairs : 1;
        const bits = system.validityOf(k);
        present |= bits;
        this.#validity[k] |= bits;
        validity |= this.#validity[k];
        const force = c[ContactReadout.normalForce];
        if (force > this.#peak[k]) this.#peak[k] = force;
        if (this.#wasActive[k] === 0) {
          this.#wasActive[k] = 1;
          slots[LoopSlot.contacts_total]++;
          this.#events.detail[0] = c[ContactReadout.impactSpeed];
          this.#events.write(EventKind.CONTACT, k, 1);
        }
      } else if (this.#wasActive[k] === 1) {
        this.#wasActive[k] = 0;
        this.#validity[k] = 0;
        this.counters.value[0] = this.#peak[k];
        this.counters.observeForce(LoopSlot.contact_peak_force_newtons);
        this.#events.detail[0] = this.#peak[k];
        this.#peak[k] = 0;
        this.#events.write(EventKind.CONTACT, k, 0);
      }
    }
    row[Column.contact_active] = this.active > 0 ? 1 : 0;
    row[Column.contact_count] = this.active;
    row[Column.contact_validity] = validity;
    if (present !== 0) slots[LoopSlot.contact_validity_ticks_total]++;
    slots[LoopSlot.contact_active] = this.active;
    slots[LoopSlot.contact_pairs] = row[Column.contact_pairs];
    slots[LoopSlot.contact_penetration_meters] = row[Column.penetration_m];
    slots[LoopSlot.loop_substeps] = system.substeps;
    this.#faces(system);
    system.readLeastDistance(row, Column.least_distance_m);
    slots[LoopSlot.contact_near_pairs] = system.nearPairs;
    slots[LoopSlot.contact_least_distance_meters] = row[Column.least_distance_m];
    this.#touches(system);
    this.#levels(system);
  }

  /** Residuals of constraints, and places of surfaces that touch. @alloc none */
  #touches(system: System): void {
    const { row } = this;
    const { slots } = this.counters;
    const newton = this.#newton;
    const drift = Column.constraint_drift_m;
    system.readDrift(row, drift);
    for (let c = 0; c < 4; c++) slots[LoopSlot.constraint_drift_meters + c] = row[drift + c];
    // curvature, steps, places
    const touch = Column.touch_curvature;
    system.readTouches(row, touch);
    const total = row[touch + 1];
    row[touch + 1] = total - newton[0];
    newton[0] = total;
    slots[LoopSlot.touch_curvature_ratio] = row[touch];
    slots[LoopSlot.touch_newton_steps_total] += row[touch + 1];
    slots[LoopSlot.touch_places] = row[touch + 2];
    slots[LoopSlot.touch_followed] = system.followedPlaces;
  }

  /** Events where surfaces begin to touch in another way. @alloc none */
  #levels(system: System): void {
    const levels = this.#level;
    const t = this.#touch;
    for (let n = 0; n < levels.length; n++) {
      const k = this.#surfaces[n];
      system.readTouch(k, t, 0);
      // on a border nothing is known of curvatures
      if (t[TouchReadout.axisX] === 0 && t[TouchReadout.axisY] === 0 && t[TouchReadout.axisZ] === 0)
        continue;
      const k2L = CURVATURE_LENGTH * t[TouchReadout.least];
      const level = touchLevel(k2L, levels[n]);
      if (level === levels[n]) continue;
      levels[n] = level;
      this.#events.detail[0] = t[TouchReadout.reciprocalCondition];
      this.#events.write(EventKind.TOUCH_CHANGED, k, k2L);
    }
  }

  /** Elastic faces of the newest step. @alloc none */
  #faces(system: System): void {
    const slots = this.counters.slots;
    const f = this.#face;
    system.readFaces(f, 0);
    slots[LoopSlot.patch_active_points] = f[FaceReadout.points];
    slots[LoopSlot.patch_sliding_points] = f[FaceReadout.sliding];
    slots[LoopSlot.patch_pressure_pascals] = f[FaceReadout.pressure];
    slots[LoopSlot.patch_sweeps] = f[FaceReadout.rounds];
    slots[LoopSlot.patch_unconverged_total] = f[FaceReadout.unsettled];
    slots[LoopSlot.patch_unresolved_total] = f[FaceReadout.unresolved];
  }

  /** An observed contact: one event at its onset, and nothing in the row. @alloc none */
  #see(k: number, c: Float64Array): void {
    const touches = c[ContactReadout.active] !== 0 ? 1 : 0;
    if (touches === 1 && this.#wasActive[k] === 0) {
      this.#events.detail[0] = c[ContactReadout.impactSpeed];
      this.#events.write(EventKind.CONTACT_SEEN, k, this.#observed[k] - 1);
    }
    this.#wasActive[k] = touches;
  }

  /** Energy ledger into the row. @alloc none */
  energy(system: System): void {
    const row = this.row;
    energyColumns(system, this.#energy, row);
    const slots = this.counters.slots;
    for (let i = 0; i < 6; i++)
      slots[LoopSlot.model_energy_joules + i] = row[Column.energy_kinetic_J + i];
  }

  /** The holder who moves the arm, and how, into row and counters. @alloc none */
  operator(state: OperatorState, command: Float64Array): void {
    const row = this.row;
    const slots = this.counters.slots;
    const { hand, mode } = state;
    row[Column.input_age_s] = hand.age_s;
    row[Column.deadman] = hand.deadman;
    row[Column.authority] = state.authority;
    for (let a = 0; a < 6; a++) row[Column.command_v_x_mps + a] = command[a];
    row[Column.hand_mode] = mode.mode;
    row[Column.hand_joint] = mode.joint;
    row[Column.hand_axis] = mode.axis;
    slots[LoopSlot.operator_input_age_seconds] = hand.age_s;
    slots[LoopSlot.operator_inputs_refused_total] += state.refused;
  }

  /** Mode of the loop and outputs of the safety machine. @alloc none */
  safety(mode: number, machine: SafetyMachine, outputs: SafetyOutputs): void {
    const row = this.row;
    row[Column.mode] = mode;
    row[Column.safety_state] = machine.state;
    row[Column.fault_bits] = machine.faultBits >>> 0;
    row[Column.hold_bits] = machine.holdBits >>> 0;
    row[Column.ctl_mode] = outputs.ctlMode;
    row[Column.frozen] = outputs.freezeModel;
    const { slots } = this.counters;
    for (let i = 0; i < SAFETY_STATES.length; i++) {
      slots[LoopSlot.safety_state + i] = i === machine.state ? 1 : 0;
    }
  }

  /** Pose and twist that were sent and measured: p(3), q(4), v(3), w(3). @alloc none */
  motion(setpoint: Float64Array, measured: Float64Array): void {
    const row = this.row;
    for (let i = 0; i < 13; i++) row[Column.setpoint_p_x_m + i] = setpoint[i];
    for (let i = 0; i < 13; i++) row[Column.measured_p_x_m + i] = measured[i];
  }

  /** Forces and moments that were sent, measured and computed. @alloc none */
  wrenches(sent: Float64Array, measured: Float64Array, model: Float64Array): void {
    const row = this.row;
    for (let i = 0; i < 6; i++) {
      row[Column.setpoint_force_x_N + i] = sent[i];
      row[Column.measured_force_x_N + i] = measured[i];
      row[Column.model_force_x_N + i] = model[i];
    }
  }

  /** Accommodation into the row: what is set, and the set-point that is in force. @alloc none */
  accommodation(fma: Accommodation): void {
    const row = this.row;
    const { target, present } = fma;
    let bits = 0;
    for (let a = 0; a < 6; a++) {
      if (target[FmaSlot.AXES + a] === 1) bits |= 1 << a;
      row[Column.fma_force_x_N + a] = present[FmaSlot.AXES + a] * present[FmaSlot.SET_POINT + a];
    }
    row[Column.fma_axes] = bits;
    row[Column.fma_deadband_N] = target[FmaSlot.DEADBAND];
    row[Column.fma_deadband_Nm] = target[FmaSlot.MOMENT_DEADBAND];
    row[Column.fma_gain_Ns_per_m] = target[FmaSlot.GAIN];
    row[Column.fma_gain_Nms_per_rad] = target[FmaSlot.MOMENT_GAIN];
  }

  /** Timing of the tick into counters. `stages` are durations in LOOP_STAGES order, s. @alloc none */
  timing(stages: Float64Array, now_us: Float64Array): void {
    const timing = this.#timing;
    const counters = this.counters;
    const slots = counters.slots;
    const row = this.row;
    slots[LoopSlot.loop_ticks_total]++;
    slots[LoopSlot.loop_slipped_ticks_total] += timing.slipped;
    const lateness = timing.rawLateness_us * 1e-6;
    counters.value[0] = lateness;
    counters.observeLatency(LoopSlot.loop_wake_lateness_seconds);
    this.#trackLateness();
    if (timing.cause >= 0) {
      slots[LoopSlot.loop_overruns_total + timing.cause]++;
      this.#events.detail[0] = lateness;
      this.#events.write(EventKind.OVERRUN, timing.slipped, timing.cause);
    }
    for (let i = 0; i < STAGES; i++) {
      counters.value[0] = stages[i];
      counters.observeStage(i);
      row[Column.stage_rx_s + i] = stages[i];
    }
    const margin = timing.margin_us * 1e-6;
    slots[LoopSlot.loop_frame_margin_seconds] = margin;
    row[Column.lateness_s] = timing.lateness_us * 1e-6;
    row[Column.margin_s] = margin;
    row[Column.slipped] = timing.slipped;
    row[Column.miss_cause] = timing.cause;
    row[Column.tick] = timing.executed;
    row[Column.period] = timing.period;
    row[Column.time_s] = (now_us[0] - timing.origin_us) * 1e-6;
    slots[LoopSlot.events_dropped_total] = this.#events.dropped;
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
    this.counters.slots[LoopSlot.loop_wake_lateness_max_seconds] = l[0] > l[1] ? l[0] : l[1];
  }

  /** Publish the row. */
  push(): void {
    this.#ring.push(this.row);
    if (this.#tap !== null) this.#tap.row(this.row);
  }
}

defineFields(TickRecord, FIELDS);
