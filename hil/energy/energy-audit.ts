/**
 * Energy audit of the two ports of the loop, per contact (`hil-anchors 3`, remedy b; docs/theory/loop-energy.md, Energy audit).
 * The robot's frame holds wrench and pose of one instant, so the work on the hardware is known without a model of the contact:
 *
 *   E_hw  += −½ (W_n + W_{n−1}) · Δx_r      what the hardware got; Δx_r displacement and rotation vector between two frames
 *   E_sim += −h W_felt · V_middle           what the simulated arm gave
 *   created = E_hw − E_sim                  what the loop itself put in
 *   brought = max over time of −E_hw        what something that moves the hardware put in, at least
 *
 * W acts on the tool. Frames that did not come add nothing: Δx_r then spans the gap, and a force that the arm went on feeling
 * meanwhile is booked as what it did.
 */
import { multiplyQuaternion } from '../../src/math/quaternion.ts';
import { StateArena } from '../../src/math/state-arena.ts';
import {
  CONTACT_FREE_MEMORY,
  CONTACT_FREE_TICKS,
  type PortSample,
  SWING_s,
} from './port-sample.ts';
import { dot6, forceOf } from './sextuple.ts';
import { atan2 } from '../../src/math/elementary/inverse-circular.ts';

/** Slots of `EnergyAudit.slots`. Of the present contact, or the last one. */
export const AuditSlot = Object.freeze({
  /** Taken from the simulated arm, and given back to it, J. */
  IN: 0,
  OUT: 1,
  CREATED: 2,
  /** Largest force, N. */
  PEAK: 3,
  /** E_hw and E_sim, J. */
  HARDWARE: 4,
  SIMULATED: 5,
  /** Taken away by the removal, J. */
  REMOVED: 6,
  /** 1 while a contact lasts, the contact-free ticks after it included. */
  OPEN: 7,
  FREE_TICKS: 8,
  /** Of the last finished contact: speed after / speed before along its impulse; NaN below 1 mm/s, or before the first. */
  RESTITUTION_SIM: 9,
  RESTITUTION_HW: 10,
  /** Since the start: finished contacts; created energy, J; and created energy that stayed, which never falls: see `count`. */
  CONTACTS: 11,
  CREATED_TOTAL: 12,
  CREATED_GROWN: 13,
  /** Of `CREATED` of the present contact: what has been counted as staying. */
  CREATED_COUNTED: 14,
  /** E_hw and E_sim of this tick. */
  HARDWARE_STEP: 15,
  SIMULATED_STEP: 16,
  /** E_hw and E_sim of the last ticks without contact, fading: the beginning of a contact that is not noticed yet. */
  HARDWARE_BEFORE: 17,
  SIMULATED_BEFORE: 18,
  /** Least `CREATED` of the present window of a contact, and the ticks of that window. */
  FLOOR: 19,
  FLOOR_TICKS: 20,
});
const {
  IN,
  OUT,
  CREATED,
  PEAK,
  HARDWARE,
  SIMULATED,
  REMOVED,
  OPEN,
  FREE_TICKS,
  RESTITUTION_SIM,
  RESTITUTION_HW,
  CONTACTS,
  CREATED_TOTAL,
  CREATED_GROWN,
  CREATED_COUNTED,
  HARDWARE_STEP,
  SIMULATED_STEP,
  HARDWARE_BEFORE,
  SIMULATED_BEFORE,
  FLOOR,
  FLOOR_TICKS,
} = AuditSlot;
/** Slower approaches have no usable restitution, m/s. */
const SLOWEST_mps = 1e-3;
// Rows of `#twists`: at the start of the contact and at its end, of both sides; impulses of both sides.
const SIM_IN = 0;
const SIM_OUT = 6;
const HW_IN = 12;
const HW_OUT = 18;
const SIM_IMPULSE = 24;
const HW_IMPULSE = 30;
const TWISTS = 36;

/** Energy audit of the two ports of the loop. */
export class EnergyAudit {
  readonly slots: Float64Array;
  /** [the most that the hardware gave beyond what it got in the present contact, J: something that moves it has put in as much] */
  readonly brought: Float64Array;
  private readonly period_s: number;
  private readonly twists: Float64Array;
  /** Pose, twist and wrench of the frame before. */
  private readonly lastMotion: Float64Array;
  private readonly lastWrench: Float64Array;
  /** [a frame has come, a force was sensed in it] */
  private readonly seen: Float64Array;
  private readonly turn = new Float64Array(4);
  private readonly inverse = new Float64Array(4);
  private readonly way = new Float64Array(6);
  private readonly products = new Float64Array(2);

  /** @param driven whether `brought` is asked for: it is part of the state then, and states of what is not driven stay as they were */
  constructor(period_s: number, arena: StateArena = new StateArena(), driven = false) {
    this.slots = arena.table(AuditSlot);
    this.twists = arena.add('twists', TWISTS);
    this.lastMotion = arena.add('lastMotion', 13);
    this.lastWrench = arena.add('lastWrench', 6);
    this.seen = arena.add('seen', 2);
    this.brought = driven ? arena.add('brought', 1) : new Float64Array(1);
    this.period_s = period_s;
    this.slots[RESTITUTION_SIM] = NaN;
    this.slots[RESTITUTION_HW] = NaN;
  }

  /** Books one tick. @alloc none */
  observe(sample: PortSample): void {
    const s = this.slots;
    if (sample.touching === 1) {
      if (s[OPEN] === 0) this.open(sample);
      s[FREE_TICKS] = 0;
      this.remember(sample);
    }
    s[HARDWARE_STEP] = 0;
    if (sample.fresh === 1) this.hardware(sample);
    dot6(this.products, 0, sample.armWrench, sample.middle);
    s[SIMULATED_STEP] = sample.sensed === 1 ? -this.period_s * this.products[0] : 0;
    if (s[OPEN] === 0) {
      s[HARDWARE_BEFORE] = CONTACT_FREE_MEMORY * (s[HARDWARE_BEFORE] + s[HARDWARE_STEP]);
      s[SIMULATED_BEFORE] = CONTACT_FREE_MEMORY * (s[SIMULATED_BEFORE] + s[SIMULATED_STEP]);
      return;
    }
    this.add(HARDWARE_STEP, SIMULATED_STEP);
    this.watch();
    if (sample.touching === 0 && ++s[FREE_TICKS] >= CONTACT_FREE_TICKS) this.finish();
  }

  /**
   * The robot was moved by others, or time stood still: the next frame begins anew. A contact that lasts is cut off, not finished: the
   * two ends still hold different parts of what is stored, and there was no rebound to judge. @alloc none
   */
  interrupt(): void {
    if (this.slots[OPEN] === 1) this.count(FLOOR);
    this.slots[OPEN] = 0;
    this.seen[0] = 0;
    this.seen[1] = 0;
    this.slots[HARDWARE_BEFORE] = 0;
    this.slots[SIMULATED_BEFORE] = 0;
  }

  /**
   * into[0] := `brought`, or what it will be when the hardware is where the arm is, if the wrench stays as it is until then; 0 without a
   * contact. `place` is the pose of the arm. @alloc none
   */
  expectBrought(sample: PortSample, place: Float64Array, into: Float64Array): void {
    const s = this.slots;
    into[0] = 0;
    if (s[OPEN] === 0) return;
    this.displacement(sample.measured, place);
    dot6(this.products, 0, sample.port, this.way);
    const coming = this.products[0] - s[HARDWARE];
    into[0] = coming > this.brought[0] ? coming : this.brought[0];
  }

  /** The present contact is stopped for what it created: that counts, whatever becomes of it. @alloc none */
  condemn(): void {
    this.count(CREATED);
  }

  private finish(): void {
    const s = this.slots;
    s[OPEN] = 0;
    s[HARDWARE_BEFORE] = 0;
    s[SIMULATED_BEFORE] = 0;
    s[CONTACTS]++;
    this.count(CREATED);
    s[RESTITUTION_SIM] = this.restitution(SIM_IMPULSE, SIM_IN, SIM_OUT);
    s[RESTITUTION_HW] = this.restitution(HW_IMPULSE, HW_IN, HW_OUT);
  }

  private open(sample: PortSample): void {
    const s = this.slots;
    s[IN] = 0;
    s[OUT] = 0;
    s[CREATED] = 0;
    s[CREATED_COUNTED] = 0;
    s[FLOOR] = 0;
    s[FLOOR_TICKS] = 0;
    s[PEAK] = 0;
    s[HARDWARE] = 0;
    s[SIMULATED] = 0;
    s[REMOVED] = 0;
    this.brought[0] = 0;
    s[OPEN] = 1;
    this.add(HARDWARE_BEFORE, SIMULATED_BEFORE);
    const approach = this.seen[0] === 1 ? this.lastMotion : sample.measured;
    for (let a = 0; a < 6; a++) {
      this.twists[SIM_IN + a] = sample.before[a];
      this.twists[HW_IN + a] = approach[7 + a];
      this.twists[SIM_IMPULSE + a] = 0;
      this.twists[HW_IMPULSE + a] = 0;
    }
  }

  private remember(sample: PortSample): void {
    const s = this.slots;
    const t = this.twists;
    forceOf(this.products, 0, sample.port);
    const force = this.products[0];
    if (force > s[PEAK]) s[PEAK] = force;
    for (let a = 0; a < 6; a++) {
      t[SIM_OUT + a] = sample.after[a];
      t[SIM_IMPULSE + a] += sample.armWrench[a];
      t[HW_OUT + a] = sample.measured[7 + a];
      t[HW_IMPULSE + a] += sample.port[a];
    }
  }

  /** Takes in the energies that stand in two slots. */
  private add(ofHardware: number, ofSimulated: number): void {
    const s = this.slots;
    const hardware = s[ofHardware];
    const simulated = s[ofSimulated];
    s[HARDWARE] += hardware;
    s[SIMULATED] += simulated;
    if (-s[HARDWARE] > this.brought[0]) this.brought[0] = -s[HARDWARE];
    if (simulated > 0) s[IN] += simulated;
    else s[OUT] -= simulated;
    const step = hardware - simulated;
    s[CREATED] += step;
    s[CREATED_TOTAL] += step;
  }

  /**
   * What compression stores, the two ends hold at different times: `CREATED` of a contact without any gain rises by ½ m v² w T and falls
   * again. So a contact that lasts counts by the least of each window, and at its end by what is left.
   */
  private watch(): void {
    const s = this.slots;
    if (s[CREATED] < s[FLOOR]) s[FLOOR] = s[CREATED];
    if (++s[FLOOR_TICKS] * this.period_s < SWING_s) return;
    this.count(FLOOR);
    s[FLOOR] = s[CREATED];
    s[FLOOR_TICKS] = 0;
  }

  private count(at: number): void {
    const s = this.slots;
    const more = s[at] - s[CREATED_COUNTED];
    if (!(more > 0)) return;
    s[CREATED_GROWN] += more;
    s[CREATED_COUNTED] += more;
  }

  /** Work on the hardware between the frame before and this one, when there is a force in one of them. */
  private hardware(sample: PortSample): void {
    const { lastMotion, lastWrench, seen, way } = this;
    if (seen[0] === 1 && (sample.sensed === 1 || seen[1] === 1)) {
      this.displacement(lastMotion, sample.measured);
      const { products } = this;
      dot6(products, 0, sample.port, way);
      dot6(products, 1, lastWrench, way);
      this.slots[HARDWARE_STEP] = -0.5 * (products[0] + products[1]);
    }
    for (let i = 0; i < 13; i++) lastMotion[i] = sample.measured[i];
    for (let a = 0; a < 6; a++) lastWrench[a] = sample.port[a];
    seen[0] = 1;
    seen[1] = sample.sensed;
  }

  /** `way`: displacement of the tool point and rotation vector between two poses. */
  private displacement(from: Float64Array, to: Float64Array): void {
    const { turn, inverse, way } = this;
    for (let i = 0; i < 3; i++) {
      way[i] = to[i] - from[i];
      inverse[i] = -from[3 + i];
    }
    inverse[3] = from[6];
    multiplyQuaternion(turn, 0, to, 3, inverse, 0);
    const sine = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    const sign = turn[3] < 0 ? -1 : 1;
    // below 1e-7 the angle is twice its sine to the last bit
    const k = sine > 1e-7 ? (2 * atan2(sine, sign * turn[3])) / sine : 2;
    for (let i = 0; i < 3; i++) way[3 + i] = sign * k * turn[i];
  }

  private restitution(impulse: number, before: number, after: number): number {
    const t = this.twists;
    let approach = 0;
    let rebound = 0;
    let size2 = 0;
    for (let a = 0; a < 6; a++) {
      approach -= t[impulse + a] * t[before + a];
      rebound += t[impulse + a] * t[after + a];
      if (a < 3) size2 += t[impulse + a] * t[impulse + a];
    }
    if (!(approach > SLOWEST_mps * Math.sqrt(size2)) || size2 === 0) return NaN;
    return rebound > 0 ? rebound / approach : 0;
  }
}
