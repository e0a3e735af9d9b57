/** Whether a command is accepted: the refusals of the command table (hil/contract/commands.ts), laid out for the tick. */
import {
  type Command,
  COMMAND_LIST,
  COMMAND_RESULTS,
  CommandResult,
  marksOf,
  type Refusal,
  REQUIREMENTS,
} from '../contract/commands.ts';
import { FaultCode, RobotSafety, SafetyState } from '../contract/codes.ts';
import { Phase } from '../contract/phase.ts';
import type { SafetyInputs, SafetyOptions } from '../contract/signals.ts';
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

const { OK, NOT_ALLOWED } = CommandResult;
/** Causes after which pressing the deadman again is enough: the operator's own hand ended the motion. */
export const HAND_CAUSES: number = (1 << FaultCode.DEADMAN_RELEASED) | (1 << FaultCode.INPUT_STALE);

const Needed: NameIndices<typeof REQUIREMENTS> = indicesOf(REQUIREMENTS);

/** Kinds that the machine judges. */
const JUDGED = marksOf(({ refusals }) => refusals !== null);
// The refusals of all commands in typed arrays: those of a kind in their order, from its start to the start of the next.
const kinds: readonly (Command | undefined)[] = Array.from(JUDGED, (_, kind) =>
  COMMAND_LIST.find((command) => command.kind === kind),
);
const starts = new Int32Array(kinds.length + 1);
const list: Refusal[] = [];
kinds.forEach((command, kind) => {
  list.push(...(command?.refusals ?? []));
  starts[kind + 1] = list.length;
});
const answers = Int32Array.from(list, ({ answer }) => COMMAND_RESULTS.indexOf(answer));
/** One bit for each state in which the refusal applies. */
const states = Int32Array.from(list, (refusal) =>
  refusal.states.reduce((bits, name) => bits | (1 << SafetyState[name]), 0),
);
/** Index in REQUIREMENTS, −1 none. */
const unless = Int32Array.from(list, (refusal) =>
  refusal.unless === null ? -1 : Needed[refusal.unless],
);

/**
 * Answer to a request, before it is put into the inputs. Pure.
 * @param kind CommandKind of the request; STOP, HOLD and SHUTDOWN are always obeyed, from any sender
 * @param releasedSeen deadman was seen released with neutral sticks since the last motion
 * @param presentCauses fault bits of the causes to hold or stop that were present in the last tick
 * @returns index in COMMAND_RESULTS
 * @alloc none
 */
export function judgeRequest(
  state: number,
  faultBits: number,
  kind: number,
  inputs: SafetyInputs,
  releasedSeen: boolean,
  presentCauses: number,
  options: SafetyOptions,
): number {
  if (JUDGED[kind] !== 1) return NOT_ALLOWED;
  for (let i = starts[kind]; i < starts[kind + 1]; i++) {
    if (((states[i] >>> state) & 1) === 0) continue;
    const required = unless[i];
    if (required < 0 || !holds(required, faultBits, inputs, releasedSeen, presentCauses, options)) {
      return answers[i];
    }
  }
  return OK;
}

/** Whether a requirement is met. */
function holds(
  required: number,
  faultBits: number,
  inputs: SafetyInputs,
  releasedSeen: boolean,
  presentCauses: number,
  options: SafetyOptions,
): boolean {
  switch (required) {
    case Needed.NO_FAULT:
      return faultBits === 0;
    case Needed.AUTHORITY:
      return inputs.authority !== 0;
    case Needed.DEADMAN:
      return inputs.deadman === 1 && releasedSeen;
    case Needed.NEUTRAL:
      return inputs.sticksNeutral === 1;
    case Needed.PERMIT:
      return inputs.permitNeeded !== 1;
    case Needed.NO_CAUSE:
      return (presentCauses & ~HAND_CAUSES) === 0;
    case Needed.ALIGNED:
      return isAligned(inputs, options);
    case Needed.RESTED:
      return inputs.setpointStopped === 1;
    case Needed.ROBOT:
      return inputs.linkRequired !== 0;
    case Needed.SYNCED:
      return inputs.linkPhase >= Phase.SYNCED;
    case Needed.ROBOT_NORMAL:
      return isRobotNormal(inputs, options);
    default:
      return false;
  }
}

/** Whether the set-point agrees with the measured pose. @alloc none */
export function isAligned(inputs: SafetyInputs, options: SafetyOptions): boolean {
  return (
    inputs.linkRequired === 0 ||
    (inputs.poseError_m <= options.poseTolerance_m &&
      inputs.poseError_rad <= options.poseTolerance_rad)
  );
}

/** Whether the robot reports a normal safety state. @alloc none */
export function isRobotNormal(inputs: SafetyInputs, options: SafetyOptions): boolean {
  if (inputs.linkRequired === 0) return true;
  return (
    inputs.linkPhase >= Phase.SYNCED &&
    inputs.lostInRow < options.missingToHold &&
    inputs.robotSafety === RobotSafety.NORMAL
  );
}
