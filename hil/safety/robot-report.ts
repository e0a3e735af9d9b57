/**
 * What the robot reports of itself beside its safety: fault bits, what it applies (`ctlMode`), and its own state (`linkState`), as
 * an answer of the safety machine: 0 nothing, 1 hold, 2 stop.
 *
 * Bits count at once. In flight, a robot whose own state is stopping, fault or emergency stop is stopped. One that reports that it
 * applies nothing, or a stop, while the set-point that it echoes commands motion, is held. Each needs REPORTS of its STATE in a
 * row.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import type { StateFrame } from '../protocol/frames.ts';
import { Phase } from '../contract/phase.ts';
import { robotFaultAnswer } from '../contract/robot-faults.ts';
import type { RobotWords } from '../protocol/robot-words.ts';
import { CtlMode, SafetyState } from '../contract/codes.ts';

/** STATE in a row: as many as may be missing. */
const REPORTS = 4;
const { ACTIVE_FREE, ACTIVE_CONTACT, STOPPING } = SafetyState;
/** STATE in a row that report the one or the other. */
const Count = Object.freeze({ NOTHING_APPLIED: 0, NOT_MOVING: 1 });
const { NOTHING_APPLIED, NOT_MOVING } = Count;

/** What it takes from the session of the link. */
export interface ReportingRobot {
  readonly phase: number;
  readonly fresh: boolean;
  readonly words: RobotWords;
  readonly state: Pick<StateFrame, 'ctlMode' | 'linkState'>;
}

/** Response of the safety machine to the robot's own report. Call `judge` once per tick. */
export class RobotReport {
  readonly #counts: Float64Array;

  constructor(arena: StateArena = new StateArena()) {
    this.#counts = arena.table(Count);
  }

  /** @param state of the safety machine @param asked the set-point that the robot echoes commands it to follow @alloc none */
  judge(session: ReportingRobot, state: number, asked: boolean): number {
    const counts = this.#counts;
    if (session.phase !== Phase.SYNCED) {
      counts.fill(0);
      return 0;
    }
    const active = state === ACTIVE_FREE || state === ACTIVE_CONTACT;
    if (!active) counts.fill(0);
    else if (session.fresh) {
      const { ctlMode, linkState } = session.state;
      const idle = asked && (ctlMode === CtlMode.IDLE || ctlMode === CtlMode.STOP);
      counts[NOTHING_APPLIED] = idle ? counts[NOTHING_APPLIED] + 1 : 0;
      counts[NOT_MOVING] = linkState >= STOPPING ? counts[NOT_MOVING] + 1 : 0;
    }
    const bits = robotFaultAnswer(session.words.faultBits);
    if (bits === 2 || counts[NOT_MOVING] >= REPORTS) return 2;
    return bits === 1 || counts[NOTHING_APPLIED] >= REPORTS ? 1 : 0;
  }
}
