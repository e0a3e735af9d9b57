/**
 * The contacts as a model declares them: a point contact is one contact model, a volumetric one a pool of them. Read-outs speak of
 * declared contacts; steps work on the flat list of models.
 *
 * The row of a volumetric contact sums up its pairs. Force and moment are those of all pairs together, about the centre of load
 * (the mean of their points, weighted by normal force). `normalForce` is the length of the sum of the normal forces and `normal`
 * its direction, so that normalForce × normal + ft is the force. Penetration, rate, slip, bristle, dwell, stick, impact speed,
 * gyration and torsion are those of the deepest pair; volume, area, spin moment and number of pairs are sums.
 */
import type { Arena, ArenaPlan, Slice } from '../math/arena.ts';
import { partModels, type SystemModel } from '../model/model.ts';
import { CellContact } from './cellular/cell-contact.ts';
import type { CellPlacements } from './cellular/cell-placements.ts';
import {
  type CellContactSlices,
  isVolumetric,
  makeCellContact,
  planPoolMemory,
  planPoolStates,
  poolSize,
} from './cellular/make-cell-contact.ts';
import { ASSIGNED, SLOT_MEMORY } from './cellular/volumetric-pair.ts';
import type { ContactBody } from './contact-body.ts';
import { addressIn, type ContactLoops } from './contact-loops.ts';
import type { ContactModel } from './contact-model.ts';
import {
  COMMON_READOUT,
  CONTACT_READOUT,
  ContactReadout,
  PIECE_READOUT,
} from './contact-readout.ts';
import { ElasticContact } from './elastic/elastic-contact.ts';
import { isElastic } from './elastic/elastic-spec.ts';
import { readFaces } from './elastic/face-readout.ts';
import { makeElasticContact } from './elastic/make-elastic.ts';
import { POINT_READOUT } from './elastic/point-readout.ts';
import { FreeformPair } from './freeform/freeform-pair.ts';
import { makeMovingPair } from './crossing/make-moving-pair.ts';
import type { MovingPair } from './crossing/moving-pair.ts';
import { FacetedContact, PlacesContact } from './faceted/faceted-contact.ts';
import { GAP } from './pair.ts';
import {
  type ContactSlices,
  makeContact,
  planContactMemory,
  planContactStates,
} from './make-contact.ts';
import { ContactValidity } from './validity.ts';
import { TOUCH_READOUT } from '../shapes/surfaces/touch-readout.ts';

/** All contacts of a system. */
export class DeclaredContacts {
  /** Every contact model in the order of declaration, pools included. */
  models: readonly ContactModel[] = [];
  /** The same, for each declared contact its own. */
  byDeclaration: readonly (readonly ContactModel[])[] = [];
  /** Those of point contacts. */
  points: readonly ContactModel[] = [];
  /** Those of many places among them. */
  spread: readonly PlacesContact[] = [];
  /** Those of elastic faces among them. */
  elastic: readonly ElasticContact[] = [];
  /** A point of them that is read. */
  private readonly facePoint: Float64Array = new Float64Array(POINT_READOUT.length);
  /** The pairs of free form. */
  freeform: readonly FreeformPair[] = [];
  /** The volumetric contacts. */
  groups: readonly CellContact[] = [];
  /** Contacts that are seen only: they are in none of the lists above. */
  private observed: readonly (ContactModel | CellContact)[] = [];
  private readonly model: SystemModel;
  private loops: ContactLoops | null = null;
  /** List of the point contacts, for the kernels. */
  private pointsAt = 0;
  /** Where the length of a step stands, for them. */
  private stepLengthAt = 0;
  /** Of each declared contact: its model, or its pool. */
  private entries: readonly (ContactModel | CellContact)[] = [];
  private states: readonly (readonly (readonly Slice[])[])[] = [];
  private slices: readonly (ContactSlices | CellContactSlices)[] = [];
  private validities: readonly ContactValidity[] = [];
  private readonly own: Float64Array = new Float64Array(1);
  /** [sum of the normal forces (3), load, load × point (3), greatest depth] */
  private readonly sums: Float64Array = new Float64Array(8);

  constructor(model: SystemModel) {
    this.model = model;
  }

  /** Reserves the states of the laws, in the integrated part of the arena. */
  planStates(plan: ArenaPlan): void {
    const cells = new Map(
      partModels(this.model).map((part) => [part.name, part.cells?.length ?? 0]),
    );
    this.states = this.model.contacts.map((spec) => {
      if (!isVolumetric(spec)) return [planContactStates(plan, spec)];
      const size = poolSize(spec, cells.get(spec.bodyI) ?? 0, cells.get(spec.bodyJ) ?? 0);
      return planPoolStates(plan, spec, size);
    });
  }

  /** Contact models that there will be, once their states are planned. */
  get modelCount(): number {
    return this.states.reduce((count, of) => count + of.length, 0);
  }

  /** Reserves what contacts keep beside their states. */
  planMemory(plan: ArenaPlan): void {
    this.slices = this.model.contacts.map((spec, k) =>
      isVolumetric(spec)
        ? planPoolMemory(plan, spec, this.states[k])
        : planContactMemory(plan, spec, this.states[k][0]),
    );
  }

  /** Builds the contacts on their slices; `placements` belong to the parts. */
  make(
    parts: readonly ContactBody[],
    placements: readonly CellPlacements[],
    indexOf: (name: string) => number,
    arena: Arena,
    ratesOf: (slice: Slice) => Float64Array,
  ): void {
    this.entries = this.model.contacts.map((spec, k) => {
      const a = indexOf(spec.bodyI);
      const b = indexOf(spec.bodyJ);
      const slices = this.slices[k];
      if (isVolumetric(spec)) {
        return makeCellContact(
          spec,
          parts[a],
          parts[b],
          placements[a],
          placements[b],
          arena,
          slices as CellContactSlices,
          ratesOf,
        );
      }
      const own = slices as ContactSlices;
      const { step } = this.model;
      return isElastic(spec)
        ? makeElasticContact(spec, parts[a], parts[b], arena, own, ratesOf, step)
        : makeContact(spec, parts[a], parts[b], arena, own, ratesOf);
    });
    this.observed = this.entries.filter((_, k) => this.isObserved(k));
    const acting = this.entries.filter((_, k) => !this.isObserved(k));
    this.groups = acting.filter((entry) => entry instanceof CellContact);
    this.points = acting.flatMap((entry) => (entry instanceof CellContact ? [] : [entry]));
    this.spread = this.points.filter((contact) => contact instanceof PlacesContact);
    this.elastic = this.points.filter((contact) => contact instanceof ElasticContact);
    this.freeform = this.points.flatMap(({ pair }) => (pair instanceof FreeformPair ? [pair] : []));
    this.byDeclaration = this.entries.map((entry) =>
      entry instanceof CellContact ? entry.slots.map(({ model }) => model) : [entry],
    );
    this.models = this.byDeclaration.filter((_, k) => !this.isObserved(k)).flat();
    this.validities = this.entries.map((entry, k) => this.makeValidity(entry, k));
  }

  private makeValidity(entry: ContactModel | CellContact, k: number): ContactValidity {
    const spec = this.model.contacts[k];
    const slices = this.slices[k];
    if (!(entry instanceof CellContact))
      return new ContactValidity(spec, [], [entry], [(slices as ContactSlices).readout.start], []);
    const { slots, memory } = slices as CellContactSlices;
    const cells = [...entry.table.i.cells, ...entry.table.j.cells];
    return new ContactValidity(
      spec,
      cells.map(({ shape }) => shape),
      this.byDeclaration[k],
      slots.map(({ readout }) => readout.start),
      slots.map((_, s) => memory.start + SLOT_MEMORY * s + ASSIGNED),
    );
  }

  /**
   * Least distance of two bodies of facets that make contact, m, and that distance over their standoff, as measured last: two numbers from `at`
   * on, NaN without such a contact. @alloc none
   */
  readLeastDistance(out: Float64Array, at: number): void {
    const { spread } = this;
    out[at] = Number.NaN;
    out[at + 1] = Number.NaN;
    for (let k = 0; k < spread.length; k++) {
      const contact = spread[k];
      if (!(contact instanceof FacetedContact)) continue;
      const standoff = contact.standoff[0];
      const { readout, kinematics } = contact;
      const touches = readout[ContactReadout.active] !== 0;
      const gap = touches ? -readout[ContactReadout.penetration] : kinematics[GAP];
      const distance = standoff + gap;
      if (out[at] <= distance) continue;
      out[at] = distance;
      out[at + 1] = distance / standoff;
    }
  }

  /**
   * Of contacts of free form: the least curvature of those that touch, 1/m, no more than out[at]; adds Newton steps since they were made, and
   * places that their last searches found. @alloc none
   */
  addFreeform(out: Float64Array, at: number): void {
    const { points, own } = this;
    for (let k = 0; k < points.length; k++) {
      const { pair, readout } = points[k];
      if (!(pair instanceof FreeformPair)) continue;
      out[at + 1] += pair.solver.work[0];
      out[at + 2] += pair.search.counts[1];
      if (readout[ContactReadout.active] === 0) continue;
      pair.writeLeastCurvature(own, 0);
      if (!(out[at] <= own[0]) && own[0] === own[0]) out[at] = own[0];
    }
  }

  /** Places of free form that were followed to the present poses without a search. @alloc none */
  get followedPlaces(): number {
    const { freeform } = this;
    let sum = 0;
    for (let k = 0; k < freeform.length; k++) if (freeform[k].isFollowed) sum++;
    return sum;
  }

  /** Whether the contact declared at k is one of free form. */
  isFreeform(k: number): boolean {
    const entry = this.entries[k];
    return !(entry instanceof CellContact) && entry.pair instanceof FreeformPair;
  }

  /** Columns of TOUCH_READOUT of the contact declared at k, as measured last; 0 while it does not touch, and for one of another kind. @alloc none */
  readTouch(k: number, out: Float64Array, at: number): void {
    const entry = this.entries[k];
    for (let c = 0; c < TOUCH_READOUT.length; c++) out[at + c] = 0;
    if (entry instanceof CellContact || entry.readout[ContactReadout.active] === 0) return;
    const { pair } = entry;
    if (pair instanceof FreeformPair) pair.writeTouch(out, at);
  }

  /** Pairs of facets within the standoff of all contacts, as measured last. @alloc none */
  get nearPairs(): number {
    const { spread } = this;
    let sum = 0;
    for (let k = 0; k < spread.length; k++) {
      const contact = spread[k];
      if (contact instanceof FacetedContact) sum += contact.query.count;
    }
    return sum;
  }

  /** Bits of VALIDITY_FLAGS of contact k; 0 for one that is only seen. @param before the state before the last step @alloc none */
  validityOf(k: number, state: Float64Array, before: Float64Array): number {
    return this.isObserved(k) ? 0 : this.validities[k].bits(state, before);
  }

  /** Whether the contact declared at k is seen only. */
  isObserved(k: number): boolean {
    return this.model.contacts[k].normalLaw.kind === 'observer';
  }

  /** What is seen only: onset, loss and read-out at the present poses. @alloc none */
  observe(): void {
    const { observed } = this;
    for (let k = 0; k < observed.length; k++) {
      const entry = observed[k];
      if (entry instanceof CellContact) entry.update(false);
      else {
        entry.measure();
        entry.detect();
      }
      entry.writeReadout();
    }
  }

  /** Drops what contacts of cells keep of the poses, and forces of what does not touch, because the state was replaced. @alloc none */
  invalidate(): void {
    const { groups, observed, points } = this;
    for (let k = 0; k < points.length; k++) if (!points[k].active) points[k].forget();
    for (let g = 0; g < groups.length; g++) groups[g].invalidate();
    for (let k = 0; k < observed.length; k++) {
      const entry = observed[k];
      if (entry instanceof CellContact) entry.invalidate();
    }
  }

  /** Takes over the loops of the system, before the first step. */
  follow(loops: ContactLoops, stepLength: Float64Array): void {
    this.loops = loops;
    this.stepLengthAt = addressIn(stepLength);
    this.pointsAt = addressIn(loops.listOf(this.points));
    for (const group of this.groups) group.follow(loops);
  }

  /** The bodies of contact k on their way. It allocates. */
  makeMovingPair(k: number): MovingPair {
    return makeMovingPair(this.model.contacts[k], this.entries[k]);
  }

  /** Measures the point contacts, and finds the sub-steps that each needs in a step of stepLength[0]. @alloc none */
  computePointPhases(stepLength: Float64Array): void {
    const { points, loops } = this;
    for (let k = 0; k < points.length; k++) points[k].measure();
    if (loops === null) for (let k = 0; k < points.length; k++) points[k].computePhase(stepLength);
    else if (points.length > 0) {
      loops.exports.computePhases(this.pointsAt, points.length, this.stepLengthAt);
    }
  }

  /** Results of the last evaluation into the read-outs of all contacts. @alloc none */
  writeReadouts(): void {
    const { points, groups, loops } = this;
    if (loops === null) for (let k = 0; k < points.length; k++) points[k].writeReadout();
    else if (points.length > 0) {
      loops.exports.writeReadouts(this.pointsAt, points.length);
    }
    for (let g = 0; g < groups.length; g++) groups[g].writeReadout();
  }

  /** Measures what touches at the present poses. @alloc none */
  measureActive(): void {
    const { points, groups } = this;
    for (let k = 0; k < points.length; k++) if (points[k].active) points[k].measure();
    for (let g = 0; g < groups.length; g++) groups[g].measureActive();
  }

  /** The volumetric contact declared at k, or null. */
  groupOf(k: number): CellContact | null {
    const entry = this.entries[k];
    return entry instanceof CellContact ? entry : null;
  }

  /** Cell of i and cell of j of the pair that slot `slot` of contact k has, as `cell/cell`; empty for a free slot. */
  pairName(k: number, slot: number): string {
    const group = this.groupOf(k);
    if (group === null) return '';
    const pair = group.slots[slot].pair.memory[ASSIGNED] - 1;
    if (pair < 0) return '';
    const { i, j } = group.table;
    const count = j.cells.length;
    return `${i.cells[Math.floor(pair / count)].name}/${j.cells[pair % count].name}`;
  }

  /** Columns of CONTACT_READOUT of contact k. @alloc none */
  read(k: number, out: Float64Array, at: number): void {
    const entry = this.entries[k];
    if (entry instanceof CellContact) {
      this.sum(entry, out, at);
      readTurning(entry, out, at);
      return;
    }
    const r = entry.readout;
    for (let a = 0; a < COMMON_READOUT; a++) out[at + a] = r[a];
    for (let a = COMMON_READOUT; a < CONTACT_READOUT.length; a++) out[at + a] = 0;
    out[at + ContactReadout.pairs] = entry.pairCount;
    readTurning(entry, out, at);
  }

  /** Columns of CONTACT_READOUT of one slot of a volumetric contact. @alloc none */
  readPair(k: number, slot: number, out: Float64Array, at: number): void {
    const entry = this.entries[k];
    if (!(entry instanceof CellContact)) return;
    const r = entry.slots[slot].model.readout;
    for (let a = 0; a < PIECE_READOUT; a++) out[at + a] = r[a];
    out[at + ContactReadout.pairs] = r[ContactReadout.active];
    readTurning(entry, out, at);
  }

  /** Points of the elastic face of contact k; 0 where there is none. */
  pointCountOf(k: number): number {
    const entry = this.entries[k];
    return entry instanceof ElasticContact ? entry.patch.constants.count : 0;
  }

  /** Columns of POINT_READOUT of a point of the elastic face of contact k. @alloc none */
  readPoint(k: number, p: number, out: Float64Array, at: number): void {
    const entry = this.entries[k];
    if (entry instanceof ElasticContact) entry.readPoint(p, out, at);
  }

  /** Columns of FACE_READOUT of all elastic faces together. @alloc none */
  readFaces(out: Float64Array, at: number): void {
    readFaces(this.elastic, this.facePoint, out, at);
  }

  private sum(group: CellContact, out: Float64Array, at: number): void {
    const { slots } = group;
    const t = this.sums;
    for (let a = 0; a < CONTACT_READOUT.length; a++) out[at + a] = 0;
    for (let a = 0; a < t.length; a++) t[a] = 0;
    let deepest = -1;
    let count = 0;
    for (let s = 0; s < slots.length; s++) {
      const r = slots[s].model.readout;
      if (r[ContactReadout.active] === 0) continue;
      count++;
      if (
        deepest < 0 ||
        r[ContactReadout.penetration] > slots[deepest].model.readout[ContactReadout.penetration]
      )
        deepest = s;
      const f = r[ContactReadout.normalForce];
      t[3] += f;
      for (let a = 0; a < 3; a++) {
        t[a] += f * r[ContactReadout.normal_x + a];
        t[4 + a] += f * r[ContactReadout.point_x + a];
        out[at + ContactReadout.ft_x + a] += r[ContactReadout.ft_x + a];
      }
      for (let a = 0; a < 3; a++)
        out[at + ContactReadout.volume + a] += r[ContactReadout.volume + a];
    }
    if (deepest < 0) return;
    const d = slots[deepest].model.readout;
    const force = Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (let a = 0; a < 3; a++) {
      out[at + a] = d[a];
      out[at + ContactReadout.normal_x + a] =
        force > 0 ? t[a] / force : d[ContactReadout.normal_x + a];
      out[at + ContactReadout.point_x + a] =
        t[3] > 0 ? t[4 + a] / t[3] : d[ContactReadout.point_x + a];
    }
    out[at + ContactReadout.normalForce] = force;
    for (let a = ContactReadout.slip_x; a < ContactReadout.point_x; a++) out[at + a] = d[a];
    for (let a = ContactReadout.gyration; a < ContactReadout.pairs; a++) out[at + a] = d[a];
    out[at + ContactReadout.pairs] = count;
    for (let s = 0; s < slots.length; s++) addMoment(slots[s].model.readout, out, at);
  }
}

/** Relative angular velocity of i over j as the bodies turn now: it follows from their states and is kept nowhere else. @alloc none */
function readTurning({ i, j }: ContactModel | CellContact, out: Float64Array, at: number): void {
  for (let a = 0; a < 3; a++)
    out[at + ContactReadout.turning_x + a] = i.state[10 + a] - j.state[10 + a];
}

/** Adds the moment of one pair about the centre of load. */
function addMoment(r: Float64Array, out: Float64Array, at: number): void {
  if (r[ContactReadout.active] === 0) return;
  const x = r[ContactReadout.point_x] - out[at + ContactReadout.point_x];
  const y = r[ContactReadout.point_y] - out[at + ContactReadout.point_y];
  const z = r[ContactReadout.point_z] - out[at + ContactReadout.point_z];
  const fx = r[ContactReadout.normalForce] * r[ContactReadout.normal_x] + r[ContactReadout.ft_x];
  const fy = r[ContactReadout.normalForce] * r[ContactReadout.normal_y] + r[ContactReadout.ft_y];
  const fz = r[ContactReadout.normalForce] * r[ContactReadout.normal_z] + r[ContactReadout.ft_z];
  out[at + ContactReadout.torque_x] += r[ContactReadout.torque_x] + y * fz - z * fy;
  out[at + ContactReadout.torque_y] += r[ContactReadout.torque_y] + z * fx - x * fz;
  out[at + ContactReadout.torque_z] += r[ContactReadout.torque_z] + x * fy - y * fx;
}
