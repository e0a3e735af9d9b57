/**
 * Everything that a tick does about the delay of the loop and the energy that it creates (docs/theory/loop-energy.md). It measures
 * the delay, predicts its effect on a contact, judges the permit, compensates, audits and guards. One call at each place of the
 * tick.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import type { Settings } from '../../config/settings.ts';
import { type System, ToolPort } from '../../src/system/system.ts';
import { Column } from '../contract/columns.ts';
import { RestitutionSetting } from '../contract/counters.ts';
import { CommandResult, CompensationIndex, EnergyArgument } from '../contract/commands.ts';
import { type LoopCounters, LoopSlot } from '../memory/loop-counters.ts';
import { Phase } from '../contract/phase.ts';
import type { ServerSession } from '../protocol/server-session.ts';
import { LoopMode } from '../contract/codes.ts';
import type { SafetyInputs } from '../contract/signals.ts';
import { ContactPermit } from './contact-permit.ts';
import { CreatedLimit } from './created-limit.ts';
import { DelayEstimator, DelaySlot } from './delay-estimator.ts';
import { EnergySlot, LoopEnergy } from './loop-energy.ts';
import { MotionHistory } from './motion-history.ts';
import { LoopPrediction, PredictedSlot } from './loop-prediction.ts';

const { OK, NOT_COMBINABLE } = CommandResult;
/** What the counters have so far. */
const Counted = Object.freeze({ CREATED: 0, REMOVED: 1, ACTIVE: 2, CLAMPED: 3, CONTACTS: 4 });

/** Delay and energy stage of a tick. */
export class EnergyStage {
  readonly arena: StateArena;
  readonly permit: ContactPermit;
  readonly delay: DelayEstimator;
  readonly prediction: LoopPrediction;
  readonly energy: LoopEnergy;
  readonly #session: ServerSession | null;
  readonly #system: System;
  readonly #limit: CreatedLimit;
  readonly #measured: Float64Array;
  readonly #measuredForce: boolean;
  /** Whether the operator sets the stiffness of a contact. */
  readonly #stiffnessSet: boolean;
  readonly #motion: MotionHistory;
  readonly #elapsed = new Float64Array(1);
  /** [stiffness of the contact], N/m; NaN unknown. */
  readonly #stiffness: Float64Array;
  /** [lag, step] of the accommodation, s. */
  readonly #timing: Float64Array;
  readonly #counted: Float64Array;

  /** @param session null without a robot: then nothing is delayed */
  constructor(
    system: System,
    session: ServerSession | null,
    mode: number,
    settings: Settings,
    arena: StateArena = new StateArena(),
  ) {
    this.arena = arena;
    this.#stiffness = arena.add('stiffness_N_per_m', 1);
    this.#counted = arena.table(Counted);
    const place = {
      permit: arena.part('permit'),
      delay: arena.part('delay'),
      prediction: arena.part('prediction'),
      energy: arena.part('energy'),
      motion: arena.part('motion'),
      limit: arena.part('limit'),
    };
    const delayed = session !== null && mode !== LoopMode.SIMULATION;
    this.#session = delayed ? session : null;
    this.#system = system;
    const { period_s } = settings.loop;
    this.#timing = Float64Array.of(system.model.tool?.lag ?? 1, period_s);
    const measuredForce = mode === LoopMode.HARDWARE;
    this.#measuredForce = measuredForce;
    this.#stiffnessSet = settings.energy.stiffness_N_per_m > 0;
    this.delay = new DelayEstimator({ period_s, measuredForce }, place.delay);
    const delay = delayed ? this.delay.delay : null;
    this.prediction = new LoopPrediction(system, delay, settings, measuredForce, place.prediction);
    this.prediction.refresh();
    this.#stiffness[0] = this.prediction.values[PredictedSlot.STIFFNESS];
    this.permit = new ContactPermit(settings.energy, place.permit);
    this.#limit = new CreatedLimit(settings.energy, place.limit);
    const tool = system.tool ?? new ToolPort();
    this.#measured = tool.measuredMotion;
    this.#motion = new MotionHistory(place.motion);
    const parts = {
      system,
      tool,
      motion: this.#motion.motion,
      mode,
      settings: settings.energy,
      period_s,
      delay: this.delay.delay,
      inertia: this.prediction.inertia,
      stiffness: this.#stiffness,
    };
    this.energy = new LoopEnergy(parts, place.energy);
  }

  /** After the link was read: delay, and the permit by the newest prediction. @alloc none */
  observe(inputs: SafetyInputs): void {
    const { prediction, permit } = this;
    const session = this.#session;
    if (session !== null) this.delay.observe(session);
    prediction.observe();
    this.#take();
    this.#elapsed[0] = inputs.elapsed_s;
    const expected =
      session !== null && session.phase === Phase.SYNCED && prediction.expectsContact;
    permit.update(expected, this.#elapsed);
    inputs.permitNeeded = permit.needed ? 1 : 0;
    inputs.permitLost = permit.lost;
  }

  /** When SETPOINT has left, which must not wait for it: the next tick is judged by what comes out. @alloc none */
  predict(): void {
    this.prediction.step();
  }

  /** Passes the prediction on to compensation and permit. */
  #take(): void {
    this.#stiffness[0] = this.prediction.values[PredictedSlot.STIFFNESS];
    this.prediction.judge(this.permit.predicted);
  }

  /** Before the model steps; `fresh` 1: a STATE came in this tick. @alloc none */
  beforeStep(fresh: number): void {
    if (this.#system.accommodation === null) return;
    this.prediction.inertia.setArm(this.#system, this.#timing);
    const session = this.#session;
    // the force of the model is of now
    const motion = this.#motion;
    if (session !== null && this.#measuredForce && fresh === 1)
      motion.take(session.state, this.#measured);
    else if (!motion.known) motion.clear(this.#measured);
    if (
      this.energy.setting[EnergyArgument.compensation] === CompensationIndex.DAMPING ||
      this.#stiffnessSet
    )
      this.prediction.sumTouching(this.#stiffness);
    this.energy.beforeStep(fresh);
  }

  /** After a step that did not fail. @alloc none */
  afterStep(inputs: SafetyInputs): void {
    this.energy.afterStep();
    this.#limit.observe(this.energy.slots);
    if (this.#limit.exceeded === 0) return;
    inputs.energyCreated = 1;
    this.energy.audit.condemn();
  }

  /** Puts the lead on the set-point of a new step, before its limits. @alloc none */
  lead(setpoint: Float64Array): void {
    this.energy.leadSetpoint(setpoint);
  }

  /** The simulated pose for the end of this tick, whether the model stepped or stood. @alloc none */
  remember(pose: Float64Array): void {
    this.delay.remember(pose);
  }

  /** Take a new choice of compensation and guard, arguments of CommandKind.ENERGY. @returns index in COMMAND_RESULTS @alloc none */
  change(values: Float64Array, at: number): number {
    if (!this.energy.configure(values, at)) return NOT_COMBINABLE;
    this.prediction.compensation = this.energy.setting[EnergyArgument.compensation];
    this.prediction.guard = this.energy.setting[EnergyArgument.guard] === 1;
    // an ARM or a RESUME of the same batch is judged by it
    this.prediction.refresh();
    this.#take();
    this.permit.judge();
    return OK;
  }

  /** Columns of the row, gauges and counters. @alloc none */
  record(row: Float64Array, counters: LoopCounters): void {
    this.#recordPrediction(row, counters.slots);
    const { slots: s, setting, guardWrench, compensationWrench } = this.energy;
    row[Column.permit_state] = this.permit.state;
    row[Column.compensation] = setting[EnergyArgument.compensation];
    row[Column.energy_options] =
      setting[EnergyArgument.guard] +
      2 * setting[EnergyArgument.removal] +
      4 * setting[EnergyArgument.position_lead];
    row[Column.energy_in_J] = s[EnergySlot.IN];
    row[Column.energy_out_J] = s[EnergySlot.OUT];
    row[Column.energy_created_J] = s[EnergySlot.CREATED];
    row[Column.energy_created_total_J] = s[EnergySlot.CREATED_TOTAL];
    row[Column.restitution_sim] = s[EnergySlot.RESTITUTION_SIM];
    row[Column.restitution_hw] = s[EnergySlot.RESTITUTION_HW];
    row[Column.passivity_J] = s[EnergySlot.PASSIVITY];
    row[Column.passivity_removed_J] = s[EnergySlot.PASSIVITY_REMOVED];
    row[Column.passivity_active] = s[EnergySlot.PASSIVITY_ACTIVE];
    row[Column.tank_J] = s[EnergySlot.TANK];
    for (let a = 0; a < 6; a++) {
      row[Column.guard_force_x_N + a] = guardWrench[a];
      row[Column.compensation_force_x_N + a] = compensationWrench[a];
    }
    this.#count(counters);
  }

  #recordPrediction(row: Float64Array, slots: Float64Array): void {
    const delay = this.delay.delay;
    const values = this.prediction.values;
    row[Column.loop_delay_s] = delay[DelaySlot.TOTAL];
    row[Column.loop_delay_wire_s] = delay[DelaySlot.WIRE];
    row[Column.loop_delay_robot_s] = delay[DelaySlot.ROBOT];
    row[Column.loop_delay_measurement_s] = delay[DelaySlot.MEASUREMENT];
    row[Column.loop_delay_known] = delay[DelaySlot.VALID];
    for (let i = 0; i < 4; i++)
      slots[LoopSlot.loop_delay_seconds + i] = row[Column.loop_delay_s + i];
    row[Column.contact_stiffness_N_per_m] = values[PredictedSlot.STIFFNESS];
    row[Column.effective_mass_kg] = values[PredictedSlot.MASS];
    row[Column.critical_delay_s] = values[PredictedSlot.CRITICAL_DELAY];
    row[Column.stability_margin] = values[PredictedSlot.MARGIN];
    row[Column.predicted_restitution] = values[PredictedSlot.RESTITUTION];
    row[Column.predicted_restitution_active] = values[PredictedSlot.RESTITUTION_ACTIVE];
    row[Column.stiffness_limit_N_per_m] = values[PredictedSlot.STIFFNESS_LIMIT];
    row[Column.stability_margin_active] = values[PredictedSlot.MARGIN_ACTIVE];
    slots[LoopSlot.loop_stability_margin_ratio] = row[Column.stability_margin];
    slots[LoopSlot.loop_predicted_restitution_ratio + RestitutionSetting.NONE] =
      row[Column.predicted_restitution];
    slots[LoopSlot.loop_predicted_restitution_ratio + RestitutionSetting.ACTIVE] =
      row[Column.predicted_restitution_active];
    slots[LoopSlot.loop_stiffness_limit_newtons_per_meter] = row[Column.stiffness_limit_N_per_m];
  }

  /** Counters take what has come since the last tick: they outlive a loop. */
  #count(counters: LoopCounters): void {
    const counted = this.#counted;
    const { slots } = counters;
    const s = this.energy.slots;
    slots[LoopSlot.loop_energy_created_joules_total] +=
      s[EnergySlot.CREATED_GROWN] - counted[Counted.CREATED];
    slots[LoopSlot.passivity_dissipated_joules_total] +=
      s[EnergySlot.PASSIVITY_REMOVED] - counted[Counted.REMOVED];
    slots[LoopSlot.passivity_active_ticks_total] +=
      s[EnergySlot.PASSIVITY_ACTIVE_TICKS] - counted[Counted.ACTIVE];
    slots[LoopSlot.passivity_clamped_ticks_total] +=
      s[EnergySlot.PASSIVITY_CLAMPED_TICKS] - counted[Counted.CLAMPED];
    counted[Counted.CREATED] = s[EnergySlot.CREATED_GROWN];
    counted[Counted.REMOVED] = s[EnergySlot.PASSIVITY_REMOVED];
    counted[Counted.ACTIVE] = s[EnergySlot.PASSIVITY_ACTIVE_TICKS];
    counted[Counted.CLAMPED] = s[EnergySlot.PASSIVITY_CLAMPED_TICKS];
    if (s[EnergySlot.CONTACTS] === counted[Counted.CONTACTS]) return;
    counted[Counted.CONTACTS] = s[EnergySlot.CONTACTS];
    const { value } = counters;
    for (let side = 0; side < 2; side++) {
      value[0] = s[EnergySlot.RESTITUTION_SIM + side];
      if (value[0] >= 0) counters.observeRestitution(side);
    }
    if (!(s[EnergySlot.IN] > 0)) return;
    value[0] = s[EnergySlot.CREATED] > 0 ? s[EnergySlot.CREATED] / s[EnergySlot.IN] : 0;
    counters.observeGain();
  }
}
