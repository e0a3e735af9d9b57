/**
 * The contact model of a recorded run by itself: the measured pose and twist of each tick drive it, and its wrench acts on nothing. Open loop,
 * the kinematic replay of Gonthier 2007, 5.1.4. With the laws of the run the wrench of `virtual` and `hardware` comes back bit for bit,
 * because there the loop puts the payload at the measured motion, too (src/arm/tool-drive.ts). docs/identification.md.
 */
import { contactKernels } from '../../config/contact-kernels.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { isAdaptive } from '../../src/system/integrator-kinds.ts';
import { makeSystem, type System, type ToolPort } from '../../src/system/system.ts';
import { ToolMotion } from '../../src/control/tool-port.ts';
import { LOOP_MODES, type LoopModeName } from '../contract/codes.ts';
import { Column } from '../contract/columns.ts';
import { layoutDifference } from '../contract/state-layout.ts';
import { type LogRecord, RecordKind } from '../memory/records.ts';

/** Kinds of records that a replay of the contact reads. */
export const CONTACT_RECORDS: ReadonlySet<number> = new Set([
  RecordKind.STATE,
  RecordKind.LAYOUT,
  RecordKind.ROW,
  RecordKind.GAP,
]);

/** What was recorded, and the contact that is put in its place. */
export interface ContactReplaySetup {
  /** Model of the run, of which its STATE records are. */
  readonly recorded: SystemModel;
  /** Model whose contacts are computed; that of the run for the same wrench. */
  readonly model: SystemModel;
  readonly mode: LoopModeName;
  /** Period of the loop, s. */
  readonly period_s: number;
}

/** Where numbers of a STATE record go in the state of the system. */
interface Move {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** The first number of a STATE record is that of its layout; the model follows. */
const FIRST = 1;
/** Text of a layout up to the model. */
const HEAD = 'layout 1';
/** Slots that another model takes over by their names: what its contacts keep is its own. */
const PLACES = /^(?:body |tree |clock$|external$)/;
/** Numbers of a measured motion: p(3), q(4), v(3), w(3). */
const MOTION = 13;

/** Replays the contact. Pass the records in order. */
export class ContactReplay {
  readonly system: System;
  /** Its `modelWrench` is the wrench of the newest tick on the payload about the tool point, world frame, N and N m. */
  readonly tool: ToolPort;
  /** Row of the newest tick. */
  row: Float64Array = new Float64Array(0);
  /** Places with missing records, and ticks left out for lack of a STATE. */
  gaps = 0;
  skipped = 0;
  /** Steps that failed: the model is then where it was before. */
  failed = 0;
  readonly #period_s: number;
  readonly #moves: readonly Move[];
  readonly #layout: string;
  readonly #stateLength: number;
  #next: Float64Array | null = null;
  /** Number of the last tick; −1 while the replay waits for a STATE. */
  #last = -1;

  /** @throws BerthError for a mode or a model without a contact at the measured motion */
  constructor({ recorded, model, mode, period_s }: ContactReplaySetup) {
    if (mode === 'simulation') {
      throw new BerthError(
        'BERTH_UNSUPPORTED',
        'FILE: the recording is of mode simulation, where the contact is at the simulated arm; allowed: one of mode virtual or hardware, where it is at the measured motion',
        { field: 'file' },
      );
    }
    checkTool(model);
    this.system = makeSystem(withoutJoints(model), contactKernels());
    this.system.useSchedule = false;
    this.tool = this.system.tool!;
    this.tool.mode = LOOP_MODES.indexOf(mode);
    this.tool.motion = ToolMotion.FOLLOW;
    this.#period_s = period_s;
    const { slices } = makeSystem(recorded);
    const all = kindsOf(recorded) === kindsOf(model);
    this.#moves = this.system.slices.flatMap(({ name, start, length }) => {
      const source = slices.find((slice) => slice.name === name && slice.length === length);
      if (source === undefined || (!all && !PLACES.test(name))) return [];
      return [{ from: FIRST + source.start, to: start, length }];
    });
    const lines = slices.map(({ name, length }) => `model.${name} ${length}`);
    this.#layout = [HEAD, ...lines].join('\n');
    this.#stateLength = FIRST + slices.reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Takes the next record. @returns whether it was the row of a tick in which model time advanced: `row` and `tool.modelWrench` are of that tick
   * @throws BerthError for a state of another layout
   */
  take({ kind, bytes }: LogRecord): boolean {
    if (kind === RecordKind.LAYOUT) this.#checkLayout(bytes);
    else if (kind === RecordKind.STATE) this.#next = doublesOf(bytes);
    else if (kind === RecordKind.GAP) this.#lose();
    else if (kind === RecordKind.ROW) return this.#tick(doublesOf(bytes));
    return false;
  }

  #lose(): void {
    this.gaps++;
    this.#last = -1;
  }

  #tick(row: Float64Array): boolean {
    const number = row[Column.tick];
    if (this.#last >= 0 && number !== this.#last + 1) this.#lose();
    const state = this.#next;
    this.#next = null;
    if (this.#last < 0) {
      if (state === null) {
        this.skipped++;
        return false;
      }
      this.#begin(state);
    }
    this.#last = number;
    this.row = row;
    const { system, tool } = this;
    if (row[Column.sim_time_s] === system.time) return false; // frozen, or an error ended the tick before the model stepped
    for (let i = 0; i < MOTION; i++) tool.measuredMotion[i] = row[Column.measured_p_x_m + i];
    if (system.step(this.#period_s) !== 0) this.failed++;
    return true;
  }

  /** Starts from the state before a tick. */
  #begin(recorded: Float64Array): void {
    if (recorded.length < this.#stateLength) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `The recording's state has ${recorded.length} numbers, its model has ${this.#stateLength} in this build: it was made by another version of Berth`,
      );
    }
    const state = this.system.state.slice();
    for (const { from, to, length } of this.#moves)
      state.set(recorded.subarray(from, from + length), to);
    this.system.restore(state);
  }

  /** Refuses a state whose model has other slots. */
  #checkLayout(bytes: Uint8Array): void {
    const lines = new TextDecoder().decode(bytes).split('\n');
    const model = lines.slice(0, this.#layout.split('\n').length).join('\n');
    const difference = layoutDifference(new TextEncoder().encode(model), this.#layout);
    if (difference === '') return;
    throw new BerthError(
      'BERTH_MISMATCH',
      `The recording's state has another layout: ${difference}; it was made by another version of Berth`,
    );
  }
}

/** Doubles of a payload. */
function doublesOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 3);
}

/** Kinds of all contacts: the same text means that what they keep has the same meaning. */
function kindsOf({ contacts }: SystemModel): string {
  return contacts
    .map(({ name, pair, normalLaw, frictionLaw, rollingLaw }) =>
      [name, pair.kind, normalLaw.kind, frictionLaw.kind, rollingLaw?.kind ?? ''].join(' '),
    )
    .join('\n');
}

/** The arm as one that goes where its tool is measured: its joints have no part in the contact. */
function withoutJoints(model: SystemModel): SystemModel {
  if (model.tool?.robot === undefined) return model;
  const { robot: _, ...tool } = model.tool;
  return { ...model, tool };
}

function checkTool({ tool, contacts, integrator }: SystemModel): void {
  if (tool === null) {
    const text =
      'The scenario has no tool, and so no contact at a measured motion; allowed: one with a tool';
    throw new BerthError('BERTH_UNSUPPORTED', text, { field: 'tool' });
  }
  if (isAdaptive(integrator)) {
    const text = `integration.kind is ${integrator}, which takes steps of its own; allowed: one with the fixed step of the loop`;
    throw new BerthError('BERTH_UNSUPPORTED', text, { field: 'integration.kind' });
  }
  const atArm = contacts.find(({ bodyI, bodyJ }) => bodyI === tool.arm || bodyJ === tool.arm);
  if (atArm === undefined) return;
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    `Contact "${atArm.name}" is of the simulated arm "${tool.arm}", whose motion is not the measured one; allowed: contacts of the payload "${tool.payload}"`,
    { field: `contacts.${atArm.name}` },
  );
}
