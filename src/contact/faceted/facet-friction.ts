/**
 * Friction of the contacts of two bodies of facets, each at its own place with the friction law of the contact. docs/theory/faceted.md.
 *
 * A law without memory serves all of them. One with bristles has a slot for each contact; a slot keeps the key of its contact and its
 * place on body j. At the start of a step slots whose key is there go on. A contact that is new takes the nearest slot that lost
 * its own within the size of the facets, with its bristles; the law turns them into the new tangent plane. What is left begins anew.
 */
import type { FrictionLaw } from '../friction/friction-law.ts';
import { SLOPE } from '../friction/friction-law.ts';
import { BRISTLE, NORMAL_RESULT } from '../normal/normal-law.ts';
import { KINEMATICS, LOAD, MOBILITY, NORMAL, SLIP, SPIN, STEP, VELOCITY } from '../pair.ts';
import type { Places } from './places.ts';

/** Slots of the memory of a slot, in the arena: key of the contact, each + 1, 0 for a free slot; place on body j, m. */
const KEY_I = 0;
const KEY_J = 1;
const PLACE = 2; // 3
export const SLOT_KEYS = 5;

/** No slot. */
const NONE = -1;

/** The friction of all contacts of a pair. */
export class FacetFriction implements FrictionLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  /** Sum of the forces of all contacts. */
  readonly force: Float64Array = new Float64Array(3);
  /** The contact always has a moment: that of its many places. */
  readonly spins: boolean = true;
  readonly torque: Float64Array = new Float64Array(3);
  /** Force of each contact on body i, world, N. */
  readonly forces: Float64Array;
  /** Whether there is none at all. */
  readonly absent: boolean;
  /** Normal force of each contact, N: in. */
  loads: Float64Array;
  /** Slope column of the last `slopeOf`. */
  readonly slope: Float64Array = new Float64Array(SLOPE);
  private readonly pair: Places;
  private readonly laws: readonly FrictionLaw[];
  /** SLOT_KEYS numbers for each law; none for a law without memory. */
  private readonly keys: Float64Array;
  private readonly remembers: boolean;
  /** Slot of each contact, and whether a contact of the present pose has a slot. */
  private readonly slotOf: Int32Array;
  private readonly used: Uint8Array;
  private readonly slotLoads: Float64Array;
  private readonly table: Int32Array;
  private readonly column: Float64Array = new Float64Array(KINEMATICS);
  private readonly mobility: Float64Array = new Float64Array(MOBILITY);
  private readonly flags: Float64Array = new Float64Array(2);
  private readonly stored: Float64Array = new Float64Array(NORMAL_RESULT);

  /**
   * @param absent - the law is that of no friction
   * @param states, rates - of all laws together
   */
  constructor(
    pair: Places,
    laws: readonly FrictionLaw[],
    absent: boolean,
    keys: Float64Array,
    states: Float64Array,
    rates: Float64Array,
  ) {
    const room = pair.depths.length;
    this.pair = pair;
    this.laws = laws;
    this.absent = absent;
    this.keys = keys;
    this.states = states;
    this.rates = rates;
    this.remembers = keys.length > 0;
    this.forces = new Float64Array(3 * room);
    this.loads = new Float64Array(room);
    this.slotOf = new Int32Array(room);
    this.used = new Uint8Array(laws.length);
    this.slotLoads = new Float64Array(laws.length);
    let size = 16;
    while (size < 2 * laws.length) size *= 2;
    this.table = new Int32Array(size);
  }

  begin(): void {
    return;
  }

  /** Every slot is free again. */
  end(): void {
    for (let s = 0; s < this.laws.length; s++) this.laws[s].end();
    this.keys.fill(0);
    this.forces.fill(0);
    this.force.fill(0);
    this.torque.fill(0);
    this.slotLoads.fill(0);
  }

  evaluate(): void {
    return;
  }

  solve(): void {
    return;
  }

  solveSpin(): void {
    return;
  }

  respond(): void {
    return;
  }

  computeSlope(): void {
    return;
  }

  widen(factor: Float64Array): void {
    for (let s = 0; s < this.laws.length; s++) this.laws[s].widen(factor);
  }

  /** Slots for the contacts at the present pose, then what the laws take from the start of the step. */
  prepare(kinematics: Float64Array, timing: Float64Array): void {
    if (this.remembers) this.assign();
    if (!this.remembers) return; // the slip at the start matters where a law is solved by itself only
    for (let c = 0; c < this.pair.count; c++) {
      this.fill(c, kinematics);
      this.laws[this.slotOf[c]].prepare(this.column, timing);
    }
  }

  advance(timing: Float64Array): void {
    if (!this.remembers) return;
    for (let s = 0; s < this.laws.length; s++) if (this.used[s] === 1) this.laws[s].advance(timing);
  }

  /** The energy in all bristles, for the loads of the last evaluation. */
  computeStored(_flags: Float64Array, normal: Float64Array): void {
    normal[BRISTLE] = 0;
    if (!this.remembers) return;
    for (let s = 0; s < this.laws.length; s++) {
      if (this.keys[SLOT_KEYS * s] === 0) continue;
      this.flags[1] = this.slotLoads[s];
      this.laws[s].computeStored(this.flags, this.stored, this.column);
      normal[BRISTLE] += this.stored[BRISTLE];
    }
  }

  read(): void {
    return;
  }

  /** Before an evaluation at a pose that may not be that of `prepare`: slots by key; rates of slots without a contact are 0. @alloc none */
  locate(): void {
    if (!this.remembers) return;
    this.rates.fill(0);
    this.mapKeys();
    this.match();
  }

  /** Force of contact c at the present twist under its load; `explicit` also gives the rates of the states. @alloc none */
  act(c: number, kinematics: Float64Array, explicit: boolean): void {
    const slot = this.remembers ? this.slotOf[c] : 0;
    const { forces } = this;
    if (slot === NONE) {
      for (let a = 0; a < 3; a++) forces[3 * c + a] = 0;
      return;
    }
    const law = this.laws[slot];
    this.fill(c, kinematics);
    this.mobility[LOAD] = this.loads[c];
    if (explicit) law.evaluate(this.column, this.mobility);
    else law.respond(this.column, this.mobility);
    this.slotLoads[slot] = this.loads[c];
    for (let a = 0; a < 3; a++) forces[3 * c + a] = law.force[a];
  }

  /** Slope column of contact c at the twist of the last `act`. @alloc none */
  slopeOf(c: number, kinematics: Float64Array, secant: boolean): void {
    const slot = this.remembers ? this.slotOf[c] : 0;
    if (slot === NONE) {
      this.slope.fill(0);
      return;
    }
    if (!this.remembers)
      this.act(c, kinematics, false); // the one law has seen other contacts since
    else this.fill(c, kinematics);
    this.laws[slot].computeSlope(this.column, this.slope, secant);
  }

  /** Normal and slip of contact c from the twist at the point of the whole contact. */
  private fill(c: number, k: Float64Array): void {
    const { column } = this;
    const { normals, points } = this.pair;
    const o = 3 * c;
    // POINT of the whole is 3 slots behind its NORMAL
    const rx = points[o] - k[NORMAL + 3];
    const ry = points[o + 1] - k[NORMAL + 4];
    const rz = points[o + 2] - k[NORMAL + 5];
    const vx = k[VELOCITY] + k[SPIN + 1] * rz - k[SPIN + 2] * ry;
    const vy = k[VELOCITY + 1] + k[SPIN + 2] * rx - k[SPIN] * rz;
    const vz = k[VELOCITY + 2] + k[SPIN] * ry - k[SPIN + 1] * rx;
    const rate = vx * normals[o] + vy * normals[o + 1] + vz * normals[o + 2];
    column[NORMAL] = normals[o];
    column[NORMAL + 1] = normals[o + 1];
    column[NORMAL + 2] = normals[o + 2];
    column[SLIP] = vx - rate * normals[o];
    column[SLIP + 1] = vy - rate * normals[o + 1];
    column[SLIP + 2] = vz - rate * normals[o + 2];
    this.mobility[STEP] = 0;
  }

  /** Slots for all contacts. */
  private assign(): void {
    const { pair, keys, laws, slotOf, used } = this;
    this.mapKeys();
    this.match();
    for (let c = 0; c < pair.count; c++) if (slotOf[c] === NONE) this.inherit(c);
    for (let s = 0; s < laws.length; s++) {
      if (used[s] === 1 || keys[SLOT_KEYS * s] === 0) continue;
      laws[s].end();
      this.slotLoads[s] = 0;
      for (let a = 0; a < SLOT_KEYS; a++) keys[SLOT_KEYS * s + a] = 0;
    }
    let free = 0;
    for (let c = 0; c < pair.count; c++) {
      if (slotOf[c] === NONE) {
        while (used[free] === 1) free++;
        slotOf[c] = free;
        used[free] = 1;
        laws[free].begin();
      }
      const o = SLOT_KEYS * slotOf[c];
      keys[o + KEY_I] = pair.keysI[c] + 1;
      keys[o + KEY_J] = pair.keysJ[c] + 1;
      for (let a = 0; a < 3; a++) keys[o + PLACE + a] = pair.places[3 * c + a];
    }
  }

  /** Slots of contacts whose key is there; NONE for the others. */
  private match(): void {
    const { pair, keys, table, slotOf, used } = this;
    const mask = table.length - 1;
    used.fill(0);
    for (let c = 0; c < pair.count; c++) {
      const i = pair.keysI[c] + 1;
      const j = pair.keysJ[c] + 1;
      slotOf[c] = NONE;
      for (let at = placeOf(i, j) & mask; table[at] !== 0; at = (at + 1) & mask) {
        const s = table[at] - 1;
        if (keys[SLOT_KEYS * s + KEY_I] !== i || keys[SLOT_KEYS * s + KEY_J] !== j) continue;
        slotOf[c] = s;
        used[s] = 1;
        break;
      }
    }
  }

  private mapKeys(): void {
    const { keys, laws, table } = this;
    const mask = table.length - 1;
    table.fill(0);
    for (let s = 0; s < laws.length; s++) {
      const i = keys[SLOT_KEYS * s + KEY_I];
      if (i === 0) continue;
      let at = placeOf(i, keys[SLOT_KEYS * s + KEY_J]) & mask;
      while (table[at] !== 0) at = (at + 1) & mask;
      table[at] = s + 1;
    }
  }

  /** The nearest slot without a contact within the size of the facets goes to contact c. */
  private inherit(c: number): void {
    const { pair, keys, laws, used } = this;
    const { places } = pair;
    let least = pair.sizes[c] * pair.sizes[c];
    for (let s = 0; s < laws.length; s++) {
      if (used[s] === 1 || keys[SLOT_KEYS * s] === 0) continue;
      let square = 0;
      for (let a = 0; a < 3; a++) {
        const beside = keys[SLOT_KEYS * s + PLACE + a] - places[3 * c + a];
        square += beside * beside;
      }
      if (!(square < least)) continue;
      least = square;
      this.slotOf[c] = s;
    }
    if (this.slotOf[c] !== NONE) used[this.slotOf[c]] = 1;
  }
}

/** Hash of a key. */
function placeOf(i: number, j: number): number {
  return (Math.imul(i, 0x9e3779b1) ^ Math.imul(j, 0x85ebca6b)) >>> 7;
}
