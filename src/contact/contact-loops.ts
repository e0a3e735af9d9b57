/**
 * The phases of a step for all contacts at once, by kernels in WebAssembly (src/kernels). The columns of contacts, laws and bodies lie in
 * one memory; records of addresses tell the kernels where. The arithmetic is that of the reference modules, bit for bit.
 */
import { KernelMemory } from '../math/kernel-memory.ts';
import type { LawLoop } from './component.ts';
import type { ContactBody } from './contact-body.ts';
import type { ContactModel } from './contact-model.ts';

/** What src/kernels/contact-step.ts exports. Doubles pass by address: one that is an argument may be allocated. */
interface Exports {
  measureCells(pairs: number, count: number, active: number, others: number): number;
  settleCells(pairs: number, count: number): number;
  computeCellPhases(pairs: number, count: number, timing: number, sum: number): void;
  writeCellReadouts(pairs: number, count: number): void;
  gather(contacts: number, count: number, places: number, current: number): number;
  writeReadouts(contacts: number, count: number): void;
  areFinite(state: number, count: number): number;
  computePhases(contacts: number, count: number, timing: number): void;
  prepareContacts(contacts: number, count: number, timing: number): void;
  solveImposedContacts(contacts: number, count: number): number;
  solveIsland(solver: number): number;
  accountContacts(contacts: number, count: number, sums: number): void;
  advanceContacts(contacts: number, count: number, timing: number): void;
  storeEnergies(contacts: number, count: number, sums: number): void;
  markPositive(run: number): void;
  sumSamples(run: number): void;
  walkFront(walk: number, from: number): number;
  takeContacts(contacts: number, pairs: number): number;
  sumContacts(sums: number, count: number): void;
}

/** The compiled kernels, for any number of systems. */
export class ContactKernels {
  readonly module: WebAssembly.Module;

  /** @param bytes of the module that `npm run build` makes of src/kernels */
  constructor(bytes: Uint8Array) {
    this.module = new WebAssembly.Module(bytes);
  }

  /** The functions on a memory. */
  on(memory: KernelMemory): Exports {
    const instance = new WebAssembly.Instance(this.module, { env: { memory: memory.memory } });
    // a copy: calls of the functions of an exports object itself are slower
    return { ...(instance.exports as unknown as Exports) };
  }
}

const EMPTY = new Float64Array(0);

/** The loops of one system. */
export class ContactLoops {
  readonly memory: KernelMemory;
  readonly exports: Exports;
  /** Address of the record of each contact. */
  readonly addresses: Int32Array;
  /** Addresses of those that touch, of the last `gather`; and where this list lies. */
  readonly current: Int32Array;
  readonly currentAt: number;
  readonly #addressesAt: number;
  readonly #bodies = new Map<ContactBody, number>();
  readonly #places = new Map<ContactModel, number>();

  constructor(kernels: ContactKernels, memory: KernelMemory, contacts: readonly ContactModel[]) {
    this.memory = memory;
    this.exports = kernels.on(memory);
    this.addresses = memory.integers(contacts.length);
    this.current = memory.integers(contacts.length);
    this.currentAt = addressIn(this.current);
    this.#addressesAt = addressIn(this.addresses);
    for (const [c, contact] of contacts.entries()) {
      this.addresses[c] = this.#recordContact(contact);
      this.#places.set(contact, c);
    }
  }

  /** Finds which contacts touch, for `current`: their places at an address; the number as the kernel gives it. @alloc none */
  gather(placesAt: number): number {
    const count = this.addresses.length;
    return this.exports.gather(this.#addressesAt, count, placesAt, this.currentAt);
  }

  /** A list of addresses of contacts, in the memory. */
  listOf(contacts: readonly ContactModel[]): Int32Array {
    const list = this.memory.integers(contacts.length);
    for (const [n, contact] of contacts.entries()) list[n] = this.addressOf(contact);
    return list;
  }

  addressOf(contact: ContactModel): number {
    return this.addresses[this.#places.get(contact) ?? Number.NaN];
  }

  /** Address of the record of a body. */
  bodyAddress(body: ContactBody): number {
    let address = this.#bodies.get(body);
    if (address === undefined) {
      const { inertia = EMPTY, inverseInertia = EMPTY, masses = EMPTY } = body.loop ?? {};
      address = this.record(
        [body.state, inertia, inverseInertia, masses].map(addressIn).concat(Number(body.yields)),
      );
      this.#bodies.set(body, address);
    }
    return address;
  }

  /** Writes a record; its address. */
  record(fields: readonly number[]): number {
    const record = this.memory.integers(fields.length);
    record.set(fields);
    return record.byteOffset;
  }

  #recordLaw(law: LawLoop): number {
    const { constants, states, rates, internals, work, force, torque, bent } = law;
    const columns = [constants, states, rates, internals, work, force, torque, bent];
    return this.record([
      law.kind,
      ...columns.map((column) => addressIn(column ?? EMPTY)),
      Number(law.mark ?? false),
      law.dwell ?? -1,
    ]);
  }

  #recordContact(contact: ContactModel): number {
    const { normalLaw, friction, rolling } = contact;
    const laws = [normalLaw, friction, rolling].map(({ loop }) => this.#recordLaw(loop!));
    const columns = [
      contact.kinematics,
      contact.normal,
      contact.force,
      contact.torque,
      contact.share,
      contact.flags,
      contact.basis,
      contact.stored,
      contact.mobility,
      contact.turning,
      contact.rocking,
      contact.restStiffness,
      contact.phase,
      contact.spinMobility,
      contact.frictionSlope,
      contact.rollingSlope,
      contact.oldVelocity,
      contact.readout,
    ];
    return this.record([
      this.bodyAddress(contact.i),
      this.bodyAddress(contact.j),
      ...laws,
      ...columns.map(addressIn),
      Number(contact.turns),
      Number(contact.mayRest),
      Number(contact.pooled),
    ]);
  }
}

/** Address of a column in its memory. To be asked for once: `byteOffset` is a call each time. */
export function addressIn(column: Float64Array | Int32Array): number {
  return column.byteOffset;
}
