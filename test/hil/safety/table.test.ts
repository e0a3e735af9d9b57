/** The transition table, checked exhaustively: every state with every combination of the conditions in its rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FAULT_CODES,
  FaultCode,
  SAFETY_STATES,
  SafetyState,
  type SafetyStateName,
} from '../../../hil/contract/codes.ts';
import {
  ACTIVE_STATES,
  Condition,
  CONDITIONS,
  type ConditionName,
  holdCauseBits,
  MOTION_STATES,
  nextRow,
  nextState,
  stopCauseBits,
  TRANSITIONS,
} from '../../../hil/safety/transitions.ts';

/** Over all combinations that lead from one state to a target: conditions that always hold, and that ever hold. */
interface Reach {
  readonly always: ReadonlySet<ConditionName>;
  readonly ever: ReadonlySet<ConditionName>;
}

/** Conditions that cannot come in every combination, with the combinations that can; all others are free. */
const GROUPS: readonly (readonly (readonly ConditionName[])[])[] = [
  [[], ['STOP_CATEGORY_0'], ['STOP_CATEGORY_1'], ['STOP_CATEGORY_2']],
  [[], ['OVERRUN_CONSECUTIVE'], ['OVERRUN_BUCKET'], ['OVERRUN_SINGLE']],
  [
    [],
    ['STATE_MISSING'],
    ['STATE_INVALID'],
    ['STATE_MISSING', 'LINK_LOST'],
    ['STATE_INVALID', 'LINK_LOST'],
  ],
  [
    ['LINK_UP', 'LINK_SYNCED'],
    ['LINK_UP', 'LINK_BROKEN'],
    ['LINK_DOWN', 'LINK_BROKEN'],
  ],
  [['ROBOT_NORMAL'], [], ['ROBOT_PROTECTIVE'], ['ROBOT_EMERGENCY']],
  [['FREE'], ['CONTACT']],
  [['NOT_READY'], ['READY']],
];

/**
 * Equivalent causes: within the rows of a state, a run of rows to one next state, each with one
 * condition that no other row of the state uses and no group contains. The next state depends on
 * whether any of them holds, so one represents all. That is exact, and `each loss alone has a row`
 * tests each alone.
 */
function families(state: SafetyStateName): ConditionName[][] {
  const rows = TRANSITIONS.filter((row) => row.from.includes(state));
  const bound = new Set(GROUPS.flat(2));
  const found: ConditionName[][] = [];
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    const joins = before?.to === row.to && before.when.length === 1 && row.when.length === 1;
    if (!joins) found.push([]);
    const [name] = row.when;
    const uses = rows.filter((other) => other.when.includes(name)).length;
    if (row.when.length === 1 && uses === 1 && !bound.has(name)) found.at(-1)!.push(name);
  });
  return found.filter((family) => family.length > 0);
}

/** Every combination of the groups, times a Gray-code walk over the free conditions. */
function walk(state: SafetyStateName): { reach: Map<SafetyStateName, Reach>; count: number } {
  const asked = new Set(TRANSITIONS.filter((r) => r.from.includes(state)).flatMap((r) => r.when));
  const groups = GROUPS.map((group) =>
    group.map((option) => option.filter((name) => asked.has(name))),
  ).filter((group) => group.some((option) => option.length > 0));
  const grouped = new Set(GROUPS.flat(2));
  const members = new Map(families(state).map((family) => [family[0], family]));
  const followers = new Set([...members.values()].flatMap((family) => family.slice(1)));
  const free = [...asked].filter((name) => !grouped.has(name) && !followers.has(name));
  const names = [...free, ...[...asked].filter((name) => grouped.has(name))];
  assert.ok(names.length <= 32, `${state} asks for ${names.length} conditions`);
  const slots = Int32Array.from(free, (name) => Condition[name]);
  const conditions = new Uint8Array(CONDITIONS.length);
  const always = new Int32Array(SAFETY_STATES.length).fill(-1);
  const ever = new Int32Array(SAFETY_STATES.length);
  const seen = new Uint8Array(SAFETY_STATES.length);
  const from = SafetyState[state];
  let count = 0;
  // combinations of causes that a condition stands for where it holds
  const weights = free.map((name) => 2 ** (members.get(name)?.length ?? 1) - 1);
  const leaf = (chosen: number): void => {
    let mask = chosen;
    for (let i = 1; ; i++) {
      const to = nextState(from, conditions);
      seen[to] = 1;
      always[to] &= mask;
      ever[to] |= mask;
      count += weights.reduce((n, weight, bit) => ((mask >> bit) & 1 ? n * weight : n), 1);
      if (i === 2 ** free.length) break;
      const bit = 31 - Math.clz32(i & -i);
      mask ^= 1 << bit;
      conditions[slots[bit]] ^= 1;
    }
    for (const slot of slots) conditions[slot] = 0;
  };
  const branch = (depth: number, chosen: number): void => {
    if (depth === groups.length) {
      leaf(chosen);
      return;
    }
    for (const option of groups[depth]) {
      let mask = chosen;
      for (const name of option) {
        conditions[Condition[name]] = 1;
        mask |= 1 << names.indexOf(name);
      }
      branch(depth + 1, mask);
      for (const name of option) conditions[Condition[name]] = 0;
    }
  };
  branch(0, 0);
  const reach = new Map<SafetyStateName, Reach>();
  SAFETY_STATES.forEach((target, to) => {
    if (seen[to] === 0) return;
    const inAll = names.filter((_, bit) => (always[to] & (1 << bit)) !== 0);
    const inSome = names.filter((_, bit) => (ever[to] & (1 << bit)) !== 0);
    const all = (name: ConditionName): readonly ConditionName[] => members.get(name) ?? [name];
    reach.set(target, {
      always: new Set(inAll.filter((name) => all(name).length === 1)),
      ever: new Set(inSome.flatMap(all)),
    });
  });
  return { reach, count };
}

const walks = new Map(SAFETY_STATES.map((state) => [state, walk(state)]));
const reachOf = (state: SafetyStateName): Map<SafetyStateName, Reach> => walks.get(state)!.reach;

test('the walk is exhaustive: states with set-points see more than a million combinations each', () => {
  for (const state of ACTIVE_STATES) assert.ok(walks.get(state)!.count > 2 ** 20, state);
  assert.ok(walks.get('ARMING')!.count > 2 ** 20);
});

test('ACTIVE is entered only from an aligned ARMING, a completed resume, or the other ACTIVE', () => {
  for (const from of SAFETY_STATES) {
    for (const to of ACTIVE_STATES) {
      const reach = reachOf(from).get(to);
      if (from === 'ARMING') assert.ok(reach?.always.has('ALIGNED'));
      else if (from === 'HOLD') assert.ok(reach?.always.has('RESUME'));
      else if (!ACTIVE_STATES.includes(from)) assert.equal(reach, undefined, `${from} to ${to}`);
    }
  }
});

test('HOLD, the only other door to ACTIVE, is entered only from ACTIVE; ARMING only from MONITOR_READY with ARM', () => {
  for (const from of SAFETY_STATES) {
    const hold = reachOf(from).get('HOLD');
    if (!MOTION_STATES.includes(from)) assert.equal(hold, undefined, from);
    if (from === 'ARMING') assert.equal(hold, undefined);
    const arming = reachOf(from).get('ARMING');
    if (from === 'MONITOR_READY') assert.ok(arming?.always.has('ARM'));
    else if (from !== 'ARMING') assert.equal(arming, undefined, from);
  }
});

const LOSSES: readonly ConditionName[] = [
  'LINK_DOWN',
  'LINK_BROKEN',
  'LINK_LOST',
  'STATE_MISSING',
  'STATE_INVALID',
  'QUALITY_LOW',
  'ROBOT_EMERGENCY',
  'ROBOT_PROTECTIVE',
  'ROBOT_FAULT_STOP',
  'ROBOT_FAULT_HOLD',
  'STOP_CATEGORY_0',
  'STOP_CATEGORY_1',
  'STOP_CATEGORY_2',
  'HOLD_ASKED',
  'SHUTDOWN',
  'INTERNAL_ERROR',
  'MODEL_NOT_FINITE',
  'OVERRUN_CONSECUTIVE',
  'OVERRUN_BUCKET',
  'OVERRUN_SINGLE',
  'INPUT_STALE',
  'DEADMAN_RELEASED',
  'AUTHORITY_CHANGED',
  'FORCE_LIMIT',
  'VELOCITY_LIMIT',
  'WORKSPACE_LIMIT',
  'FOLLOWING_STOP',
  'FOLLOWING_HOLD',
  'ECHO_STOP',
  'ECHO_HOLD',
  'TWIST_MISMATCH',
  'RECORDER_LOST',
  'ENERGY_CREATED',
  'CONTACT_CROSSED',
  'PERMIT_LOST',
  'SETPOINT_LIMITED',
];

test('every loss takes ACTIVE and ARMING out of motion, whatever else is true', () => {
  for (const from of [...ACTIVE_STATES, 'ARMING'] as const) {
    for (const to of [...ACTIVE_STATES, 'ARMING'] as const) {
      const reach = reachOf(from).get(to);
      if (reach === undefined) continue;
      for (const loss of LOSSES) assert.ok(!reach.ever.has(loss), `${from} to ${to} with ${loss}`);
    }
  }
});

test('each loss alone has a row in both ACTIVE states', () => {
  const safe = ['HOLD', 'STOPPING', 'ESTOP', 'OFFLINE', 'CONNECTING'];
  const conditions = new Uint8Array(CONDITIONS.length);
  for (const state of ACTIVE_STATES) {
    for (const loss of LOSSES) {
      conditions.fill(0);
      conditions[Condition[state === 'ACTIVE_FREE' ? 'FREE' : 'CONTACT']] = 1;
      assert.equal(nextState(SafetyState[state], conditions), SafetyState[state]);
      conditions[Condition[loss]] = 1;
      const to = SAFETY_STATES[nextState(SafetyState[state], conditions)];
      assert.ok(safe.includes(to), `${state} with ${loss} goes to ${to}`);
    }
  }
});

test('created energy, a crossed contact and a lost permit hold wherever the arm moves, and are never the reason of more than that', () => {
  const conditions = new Uint8Array(CONDITIONS.length);
  for (const cause of [
    'ENERGY_CREATED',
    'CONTACT_CROSSED',
    'PERMIT_LOST',
    'SETPOINT_LIMITED',
  ] as const) {
    for (const state of [...ACTIVE_STATES, 'ARMING'] as const) {
      conditions.fill(0);
      conditions[Condition[state === 'ACTIVE_FREE' ? 'FREE' : 'CONTACT']] = 1;
      conditions[Condition[cause]] = 1;
      const row = nextRow(SafetyState[state], conditions);
      assert.ok(row >= 0, `${state} with ${cause}`);
      assert.equal(TRANSITIONS[row].to, state === 'ARMING' ? 'MONITOR_WAIT' : 'HOLD');
      assert.equal(TRANSITIONS[row].cause, cause);
      assert.equal(TRANSITIONS[row].latch, false);
    }
    const mark = 1 << FaultCode[cause];
    conditions.fill(0);
    conditions[Condition[cause]] = 1;
    assert.equal(holdCauseBits(conditions), mark);
    assert.equal(stopCauseBits(conditions), 0);
  }
});

test('FAULT leaves only by CLEAR (or to ESTOP), ESTOP only by CLEAR with a normal robot', () => {
  assert.deepEqual([...reachOf('FAULT').keys()].sort(), ['ESTOP', 'FAULT', 'MONITOR_WAIT']);
  assert.ok(reachOf('FAULT').get('MONITOR_WAIT')!.always.has('CLEAR'));
  assert.deepEqual([...reachOf('ESTOP').keys()].sort(), ['ESTOP', 'MONITOR_WAIT']);
  const out = reachOf('ESTOP').get('MONITOR_WAIT')!;
  assert.ok(out.always.has('CLEAR') && out.always.has('ROBOT_NORMAL'));
});

test('STOPPING leads nowhere but to FAULT and ESTOP', () => {
  assert.deepEqual([...reachOf('STOPPING').keys()].sort(), ['ESTOP', 'FAULT', 'STOPPING']);
});

test('every row of the table can fire: no row stands behind one that hides it', () => {
  TRANSITIONS.forEach((row, index) => {
    for (const from of row.from) {
      const before = TRANSITIONS.slice(0, index).filter((r) => r.from.includes(from));
      const hidden = before.find((r) => r.when.every((name) => row.when.includes(name)));
      assert.equal(hidden, undefined, `row ${index} (${from} to ${row.to}) is hidden`);
    }
  });
});

test('every fault has its bit in one 32-bit word', () => {
  const count: number = FAULT_CODES.length;
  assert.ok(count <= 32); // the row has the word without a sign: crossed-contact.test.ts
});
