/**
 * What the main thread may tell the loop: fixed-size records of doubles in a single-producer single-consumer ring, taken all
 * of one batch at once at the top of a tick.
 *
 * Record: [kind, requestId, receiveTime_us (loop clock), argument 0 … 16].
 */

export const COMMAND_WIDTH = 20;
export const COMMAND_ARGUMENT = 3;

/** Kinds of command. Arguments in order. */
export const CommandKind = Object.freeze({
  /**
   * axes[6] −1..1, deadman 0/1, gear 0 vernier 1 coarse, frame 0 base 1 tool 2 camera, sequence, send age s (client clock, 0
   * unknown), orientation of the camera in the base frame (x, y, z, w; frame camera only).
   */
  INPUT: 1,
  /** holder session number, 0 nobody. */
  AUTHORITY: 2,
  /** — */
  ARM: 3,
  HOLD: 4,
  /** resume from HOLD (deadman edge still required). */
  RESUME: 5,
  /** stop category 0, 1 or 2. */
  STOP: 6,
  /** clear latched faults. */
  CLEAR: 7,
  /** stop the loop worker after a category-1 stop has been sent. */
  SHUTDOWN: 8,
  /** fault injection (only when allowed): kind index (hil/contract/injections.ts), amount; kind −1 ends all. */
  INJECT: 9,
  /**
   * Force and moment accommodation: axes that accommodate (bit i of 0 … 5: force x, y, z, moment x, y, z of the base frame),
   * force and moment that the tool is to exert on its surroundings [6] (N, N m; on accommodating axes), dead-band of force N and
   * of moment N m, gain of force N s/m and of moment N m s/rad. NaN keeps what is set. Ramped (src/control/fma.ts).
   */
  FMA: 10,
  /** ask the robot to tare its force sensor; not while the arm may move. */
  TARE: 11,
  /** contact permit: 1 acknowledges the prediction as it is now, 0 takes that back. */
  PERMIT: 12,
  /** compensation (index in COMPENSATIONS), guard, removal, position lead (0/1 each); NaN keeps what is set. Not while the arm may move. */
  ENERGY: 13,
  /**
   * what the hand controllers do: index in HAND_MODES; with `joint` the joint (place among those of the arm) and the axis that turns it
   * (0 … 5). Not while the arm may move.
   */
  HAND_MODE: 14,
});

/** Answers travel in the event ring with the request's id; 0 is accepted, otherwise the reason. */
export const COMMAND_RESULTS = [
  'ok',
  'not_ready',
  'no_authority',
  'deadman_not_pressed',
  'not_neutral',
  'pose_mismatch',
  'fault_latched',
  'robot_not_normal',
  'wrong_state',
  'not_allowed',
  // the prediction of the loop exceeds its limits and nobody has acknowledged it
  'permit_needed',
  // this compensation does not go with what else is set
  'not_combinable',
  // the mode of the hand controllers: the arm is flown; still comes to rest; touches; no joint of that number is driven
  'flown',
  'moving',
  'in_contact',
  'no_joint',
  // one joint is turned by itself: nothing accommodates
  'single_joint',
  // asked so long ago that it was answered `timeout`
  'too_late',
] as const;

/** What the hand controllers do to the arm, by index: twist of the tool, way of the tool from the clutch point, rate of one joint. */
export const HAND_MODES = ['rate', 'position', 'joint'] as const;
/** Full stick in position mode is the way of full rate in this time, s. */
export const RANGE_s = 5;

/** Compensations of the delay of the force, by index. */
export const COMPENSATIONS = ['none', 'model', 'lead', 'damping'] as const;
/** Contact permit, by index: no contact is predicted, within the limits, acknowledged, needs to be acknowledged. */
export const PERMIT_STATES = ['none', 'valid', 'acknowledged', 'needed'] as const;

export { INJECTIONS } from './injections.ts';
