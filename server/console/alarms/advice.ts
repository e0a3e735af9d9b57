/** Advice about each alarm in a sentence or two. docs/faults has the full text. */
import type { AlarmCode } from '../../contract/fault-words.ts';

const REPRESS = 'centre the sticks, RESUME, and press the deadman again.';
const REARM = 'CLEAR, then ARM.';
const OVERRUNS =
  'Look at the causes under Timing and run berth doctor: a long step means that the scenario is too heavy for the period, a late wake that the machine is busy.';

const ADVICE: Readonly<Record<AlarmCode, string>> = {
  STATE_MISSING: `Look at the link, its cable and the load of the robot end; then ${REPRESS}`,
  LINK_LOST: `Check that the robot end runs and reaches the address under Link. ${REARM} Nothing moves on reconnection.`,
  STATE_INVALID: `None of those values was used. Repair the robot end’s sensor or program; then ${REPRESS}`,
  QUALITY_LOW: `Look at the success ratio under Link and at the lateness under Timing. When it is fair again: ${REPRESS}`,
  OVERRUN_CONSECUTIVE: `${OVERRUNS} Then RESUME and press the deadman again.`,
  OVERRUN_BUCKET: `${OVERRUNS} Then RESUME and press the deadman again.`,
  OVERRUN_SINGLE: `The periods in it were dropped, not caught up; on a virtual machine the host took the processor away. To go on, ${REPRESS}`,
  INPUT_STALE:
    'Check the hand controller, that this page is in front, and the network; then centre the sticks, let go of the deadman and press it again.',
  DEADMAN_RELEASED: 'Centre the sticks and press the deadman again.',
  AUTHORITY_CHANGED: `The new holder goes on: ${REPRESS}`,
  OPERATOR_STOP: `Find out why before going on. After a hold: RESUME and press the deadman; after a stop: ${REARM}`,
  OPERATOR_HOLD: 'RESUME and press the deadman again.',
  ROBOT_PROTECTIVE_STOP: `Read the cause at the robot controller and reset it there. ${REARM}`,
  ROBOT_EMERGENCY_STOP: `Deal with the emergency and release the stop at the robot. When it reports normal: ${REARM}`,
  FORCE_LIMIT: `Look for an impact, a jam, or a sensor without tare; free a jammed tool by the robot’s own means. ${REARM}`,
  VELOCITY_LIMIT: `Look for overshoot of the robot, or motion that nobody commanded. ${REARM}`,
  WORKSPACE_LIMIT: `Move the tool back by the robot’s own means: the loop does not become ready while it is outside. ${REARM}`,
  HOLD_TIMEOUT: `Compare the acceleration limit with the speed: the set-point must come to rest within 0.1 s. ${REARM}`,
  MODEL_NOT_FINITE: `Run the scenario with berth simulate and check stiffness, mass and step. ${REARM}`,
  INTERNAL_ERROR: `The log holds the error: report it. ${REARM} Restart the service if it comes again.`,
  POSE_MISMATCH:
    'Check that the robot holds still and that its frames and tool point are those of the scenario; then ARM again.',
  SHUTDOWN: 'Nothing, when the end was asked for. Start the service again to go on.',
  RECORDER_LOST: `Check the disk and the recording under its settings: this service may not move without one. ${REARM}`,
  ENERGY_CREATED: `Compare delay, margin and restitution on the energy page; switch the passivity guard on, or a compensation, or approach more slowly. ${REARM}`,
  PERMIT_LOST:
    'Look at the energy page: the delay has grown or the contact is stiffer. Acknowledge the permit, or choose a compensation; then resume.',
  ROBOT_NOT_ARMED:
    'Read at the robot controller why it does not arm: a stop or a fault that is not reset, a tare or a motion that still runs. Then ARM again.',
  FOLLOWING_ERROR: `Look at what keeps the robot from following: a limit of its own, a jam, a brake, frames that differ. After a hold, RESUME works once it has caught up, else CLEAR, then ARM; after a stop: ${REARM}`,
  ECHO_LOST: `Set-points do not reach the robot’s controller, or it does not apply them: look at the link from here to there and at the controller. After a hold, ${REPRESS} After a stop: ${REARM}`,
  TWIST_MISMATCH: `Poses and twist of the robot disagree: check the frame, the unit and the filter of the twist that its controller tells. Then ${REPRESS}`,
  SETPOINT_LIMITED: `Look at what pushes the arm: a force, a wall of the workspace, or limits lower than the scenario flies at. Then ${REPRESS}`,
  CONTACT_CROSSED: `Draw the tool back to the side it came from: the model pushes the wrong way now. Look at the log for the contact, at the measured poses for a jump, and move more slowly. ${REPRESS}`,
  ROBOT_FAULT: `The robot’s faults stand under Link: remove the cause at its controller, for CLEAR is passed on to it. After a hold, ${REPRESS} After a stop: ${REARM}`,
  LINK_DOWN: 'Start the robot end; the address to connect to stands under Link.',
  LOOP_ENDED: 'Load a scenario to start the loop again; the log holds the error.',
  RECORDER_FAILED:
    'Check the space and the rights of the recording folder; then start a recording again.',
  OVERRUN_BURST: OVERRUNS,
  ROBOT_CLOCK_STEPPED:
    'Look at what sets the time of the robot controller: it should run freely, or be slewed, while it is connected.',
};

/** Advice about an alarm; '' for a code without advice. */
export function advice(code: string): string {
  return (ADVICE as Readonly<Record<string, string | undefined>>)[code] ?? '';
}
