/**
 * Model check of the whole machine, timers and memory included: breadth-first over every reachable
 * state, with an alphabet of inputs in which anything may go wrong at any tick. Limits are a few
 * ticks, so that all timers expire. States that the machine cannot distinguish are merged.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CTL_MODES, SAFETY_STATES, SafetyState } from '../../../hil/contract/codes.ts';
import {
  SafetyInputs,
  SafetyMachine,
  type SafetyOptions,
  SafetyOutputs,
} from '../../../hil/safety/machine.ts';
import { faultWord, nominal } from '../../fixtures/safety-harness.ts';

const LIMITS: Partial<SafetyOptions> = {
  missingToHold: 2,
  missingToStop: 3,
  goodTime_s: 2,
  poorTime_s: 2,
  alignedFrames: 2,
  armingTime_s: 3,
  holdTime_s: 2,
  forceTicks: 2,
  stoppingTime_s: 2,
};
/** One past the largest limit: a larger count behaves the same. */
const CAP = 4;

/** Circumstances that alone need not take motion away. */
const HARMLESS: readonly Partial<SafetyInputs>[] = [
  {},
  { contact: 1 },
  { stateFresh: 0, lostInRow: 1 },
  { quality: 0 },
  { quality: 1 },
  { offsetKnown: 0 },
  { authority: 2 },
  { poseError_m: 0.001 },
  { setpointStopped: 0 },
  { robotStandstill: 0, setpointStopped: 0 },
  { robotArmed: 0 },
  { robotArmed: -1 },
  { forceExceeded: 1 },
  { permitNeeded: 1 },
  { robotSettled: 1, poseError_m: 0.001 },
];
/** And those that must. */
const LOSSES: readonly Partial<SafetyInputs>[] = [
  { linkPhase: 0, stateFresh: 0, lostInRow: 9 },
  { linkPhase: 2, stateFresh: 0 },
  { stateFresh: 0, lostInRow: 2 },
  { stateFresh: 0, lostInRow: 2, invalidInRow: 2 },
  { stateFresh: 0, lostInRow: 3 },
  { robotSafety: 1 },
  { robotSafety: 2 },
  { inputAge_s: 1 },
  { authority: 0 },
  { velocityExceeded: 1 },
  { modelNotFinite: 1 },
  { overrunTrip: 4 },
  { energyCreated: 1, contact: 1 },
  { permitLost: 1, permitNeeded: 1 },
  { setpointLimited: 1 },
  { recorderLost: 1 },
  { internalError: 1 },
  { followingError: 1 },
  { followingError: 2, contact: 1 },
  { echoLost: 1 },
  { echoLost: 2 },
  { twistMismatch: 1 },
  { robotFault: 1 },
  { robotFault: 2 },
];
const REQUESTS: Partial<SafetyInputs>[] = [
  {},
  { armRequest: 1 },
  { resumeRequest: 1 },
  { holdRequest: 1 },
  { stopRequest: 0 },
  { stopRequest: 1 },
  { stopRequest: 2 },
  { clearRequest: 1 },
  { shutdownRequest: 1 },
  { armRequest: 1, clearRequest: 1, resumeRequest: 1, stopRequest: 0 },
];

interface Letter {
  readonly inputs: SafetyInputs;
  readonly request: Partial<SafetyInputs>;
  readonly loss: boolean;
  readonly stop: boolean;
  readonly clear: boolean;
}
function putBack(letter: Letter): void {
  const { inputs, request } = letter;
  inputs.armRequest = request.armRequest ?? 0;
  inputs.holdRequest = request.holdRequest ?? 0;
  inputs.resumeRequest = request.resumeRequest ?? 0;
  inputs.stopRequest = request.stopRequest ?? -1;
  inputs.clearRequest = request.clearRequest ?? 0;
  inputs.shutdownRequest = request.shutdownRequest ?? 0;
}
const ALPHABET: Letter[] = [];
for (const circumstance of [...HARMLESS, ...LOSSES]) {
  const lost = LOSSES.includes(circumstance);
  for (const request of REQUESTS) {
    for (const [deadman, sticksNeutral] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]) {
      const inputs = new SafetyInputs();
      nominal(inputs);
      Object.assign(inputs, { elapsed_s: 1, inputAge_s: 0, authority: 1, deadman, sticksNeutral });
      Object.assign(inputs, circumstance, request);
      const stop =
        inputs.stopRequest >= 0 || inputs.holdRequest === 1 || inputs.shutdownRequest === 1;
      const clear = inputs.clearRequest === 1;
      ALPHABET.push({ inputs, request, loss: lost || deadman === 0, stop, clear });
    }
  }
}

interface Node {
  state: number;
  faultBits: number;
  holdBits: number;
  memory: Float64Array;
  /** History kept by the test, not by the machine: ARMING passed since the last rest; the holder, and whether he opened his hand since. */
  armed: boolean;
  released: boolean;
  holder: number;
}

const HAND = faultWord('DEADMAN_RELEASED', 'INPUT_STALE');
const MODEL = faultWord('MODEL_NOT_FINITE', 'INTERNAL_ERROR');
/** One number for everything that the machine distinguishes. */
function keyOf(n: Node): number {
  // The machine evaluates only these properties of the bits: any fault, a model fault, a hold other
  // than the hand's.
  const faults = n.faultBits === 0 ? 0 : (n.faultBits & MODEL) === 0 ? 1 : 2;
  const holds = (n.holdBits & ~HAND) === 0 ? 0 : 1;
  let key = ((n.state * 3 + faults) * 2 + holds) * 4 + (n.armed ? 2 : 0) + (n.released ? 1 : 0);
  key = key * 3 + n.holder;
  for (let i = 0; i < n.memory.length; i++) key = key * (CAP + 1) + Math.min(n.memory[i], CAP);
  return key;
}

const ENERGY = faultWord('ENERGY_CREATED');
const BRAKED = [
  SafetyState.HOLD,
  SafetyState.STOPPING,
  SafetyState.ESTOP,
  SafetyState.OFFLINE,
  SafetyState.CONNECTING,
];
const ACTIVE = [SafetyState.ACTIVE_FREE, SafetyState.ACTIVE_CONTACT];
const ARMED = [SafetyState.ARMING, ...ACTIVE, SafetyState.HOLD];
const MOVING_MODES = [CTL_MODES.indexOf('track'), CTL_MODES.indexOf('contact')];

test('no reachable state breaks a safety property', () => {
  const machine = new SafetyMachine(LIMITS);
  const outputs = new SafetyOutputs();
  // its timers and marks lie between what it shows of itself and the conditions of the last tick
  const whole = new Float64Array(machine.arena.stateLength);
  const placeOf = (name: string): number =>
    machine.arena.slots.find((slot) => slot.name === name)!.start;
  const memory = whole.subarray(placeOf('GOOD_s'), placeOf('conditions'));
  assert.equal(memory.length, 9);
  machine.arena.saveState(whole, 0);
  const [placeOfState, placeOfFaults, placeOfHolds] = ['state', 'faultBits', 'holdBits'].map(
    placeOf,
  );
  const start: Node = {
    state: machine.state,
    faultBits: 0,
    holdBits: 0,
    memory: memory.slice(),
    armed: false,
    released: false,
    holder: 0,
  };
  const seen = new Set([keyOf(start)]);
  const queue: Node[] = [start];
  const next: Node = { ...start, memory };
  const states = new Set<number>();
  const edges = new Set<number>();
  for (const node of queue) {
    states.add(node.state);
    for (const letter of ALPHABET) {
      const inputs = letter.inputs;
      whole[placeOfState] = node.state;
      whole[placeOfFaults] = node.faultBits;
      whole[placeOfHolds] = node.holdBits;
      memory.set(node.memory);
      machine.arena.loadState(whole, 0);
      machine.step(inputs, outputs);
      putBack(letter); // the machine takes requests out
      const from = node.state;
      const to = machine.state;
      edges.add(from * 16 + to);
      const check = (holds: boolean, what: string): void => {
        if (holds) return;
        const path = `${SAFETY_STATES[from]} to ${SAFETY_STATES[to]}`;
        assert.fail(`${what}: ${path} with ${JSON.stringify(letter)}`);
      };

      // Motion output in ACTIVE states only.
      const isActive = ACTIVE.includes(to);
      const moves =
        outputs.commandScale !== 0 ||
        outputs.toolMotion === 1 ||
        MOVING_MODES.includes(outputs.ctlMode);
      check(!moves || isActive, 'motion output');

      // The doors to ACTIVE.
      const { authority, deadman, sticksNeutral, inputAge_s } = letter.inputs;
      const released = node.released && node.holder === authority;
      const opens = authority !== 0 && deadman === 0 && sticksNeutral === 1 && inputAge_s === 0;
      if (isActive) {
        check(node.armed, 'no ARMING before');
        check(!letter.loss && !letter.stop, 'active in spite of a loss');
        check(letter.inputs.authority !== 0 && letter.inputs.deadman === 1, 'active without hand');
        check(machine.faultBits === 0, 'active with a fault');
      }
      // The permit: none needed where an ARMING begins; created energy and a permit that is lost hold.
      if (to === SafetyState.ARMING && from !== to) {
        check(letter.inputs.permitNeeded === 0, 'armed without a permit');
        check(released, 'armed without a new press of the holder');
      }
      if (ACTIVE.includes(from) && letter.inputs.energyCreated === 1) {
        check(BRAKED.includes(to), 'created energy was ignored');
        check((machine.holdBits & ENERGY) !== 0 || to !== SafetyState.HOLD, 'and not named');
      }
      if (ACTIVE.includes(from) && letter.inputs.permitLost === 1) {
        check(BRAKED.includes(to), 'a lost permit was ignored');
      }
      // What runs away, or applies nothing, is stopped where it moves and in a hold; a set-point goes to a robot that settled only.
      const runs =
        letter.inputs.followingError === 2 ||
        letter.inputs.echoLost === 2 ||
        letter.inputs.robotFault === 2;
      if ((ACTIVE.includes(from) || from === SafetyState.HOLD) && runs) {
        check(BRAKED.includes(to) && to !== SafetyState.HOLD, 'a robot that does not follow');
        check(machine.faultBits !== 0, 'and is not latched');
      }
      if (to === SafetyState.HOLD && outputs.toolMotion === 0) {
        check(letter.inputs.robotSettled === 1, 'the set-point follows in a hold');
      }
      if (ACTIVE.includes(from) && letter.inputs.setpointLimited === 1) {
        check(BRAKED.includes(to), 'limits that last were ignored');
      }
      if (from === SafetyState.HOLD && letter.inputs.permitNeeded === 1) {
        check(!isActive, 'resumed without a permit');
      }
      if (isActive && from === SafetyState.ARMING) {
        check(letter.inputs.robotArmed === 1, 'active while the robot does not follow');
      }
      if (isActive && from === SafetyState.HOLD) {
        check(released && sticksNeutral === 1, 'resumed without a new press of the holder');
        check(letter.inputs.poseError_m === 0, 'resumed with a jump');
      }
      if (ACTIVE.includes(from) && (letter.loss || letter.stop)) {
        check(!isActive && to !== SafetyState.ARMING, 'a loss was ignored');
      }

      // The doors out of FAULT and ESTOP.
      if (from === SafetyState.FAULT && to !== from && to !== SafetyState.ESTOP) {
        check(letter.clear, 'FAULT left');
      }
      if (from === SafetyState.ESTOP && to !== from) {
        check(letter.clear && letter.inputs.robotSafety === 0, 'ESTOP left');
        check(letter.inputs.linkPhase === 3, 'ESTOP left without a robot');
      }
      check(letter.clear || node.faultBits === 0 || machine.faultBits !== 0, 'fault forgotten');
      const latched = to === SafetyState.FAULT || to === SafetyState.ESTOP;
      check(!latched || machine.faultBits !== 0, 'no reason given');

      machine.arena.saveState(whole, 0);
      next.state = to;
      next.faultBits = machine.faultBits;
      next.holdBits = to === SafetyState.HOLD ? machine.holdBits : 0;
      next.armed = to === SafetyState.ARMING || (node.armed && ARMED.includes(to));
      const still = to !== SafetyState.ARMING && !isActive;
      next.released = still && (released || opens);
      next.holder = authority;
      const key = keyOf(next);
      if (!seen.has(key)) {
        seen.add(key);
        queue.push({ ...next, memory: memory.map((value) => Math.min(value, CAP)) });
      }
    }
  }
  // The check means something only if everything was reached: all states, and the edges that matter.
  assert.equal(states.size, SAFETY_STATES.length);
  for (const [from, to] of [
    ['ARMING', 'ACTIVE_FREE'],
    ['ARMING', 'ACTIVE_CONTACT'],
    ['HOLD', 'ACTIVE_FREE'],
    ['HOLD', 'STOPPING'],
    ['HOLD', 'MONITOR_WAIT'],
    ['ESTOP', 'MONITOR_WAIT'],
    ['STOPPING', 'FAULT'],
  ] as const) {
    assert.ok(edges.has(SafetyState[from] * 16 + SafetyState[to]), `${from} to ${to}`);
  }
  assert.ok(queue.length > 500, `only ${queue.length} configurations`);
  console.log(`${queue.length} configurations, ${queue.length * ALPHABET.length} steps`);
});
