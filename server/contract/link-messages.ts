/** The robot link in messages: as a telemetry topic, in the session, and of robots that it refused. */
import { Type } from 'typebox';
import { LINK_QUALITIES, VALUE_QUALITIES } from '../../hil/contract/codes.ts';
import { ROBOT_REJECTS } from '../../hil/contract/counters.ts';
import { REJECT_CODES } from '../../hil/contract/reject-codes.ts';
import { count, number, orNull, text, word } from './message-fields.ts';

/** The link in a row of telemetry. */
export const Link = Type.Object({
  up: Type.Boolean(),
  quality: word(LINK_QUALITIES, 'Quality of the last 100 periods'),
  success_ratio: number('States received in the last 100 periods, 0 to 1.'),
  lost_in_row: count('States missing in a row.'),
  state_age_s: orNull(number('Age of the newest state, s.')),
  state_quality: Type.Enum([...VALUE_QUALITIES]),
  rtt_s: orNull(number('Round trip, s.')),
  clock_offset_s: orNull(number('Robot clock less server clock, s.')),
  loop_delay_ticks: number('Set-point to its effect in the state, periods.'),
  robot_safety: number('STATE.safety of the robot link.'),
  robot_fault: number('STATE.fault of the robot link, one bit a cause.'),
  robot_emulated: Type.Boolean({
    description:
      'The robot is the one that the service started itself: it has proved the key of the run.',
  }),
});

export const Limits = Type.Record(Type.String(), Type.Number(), {
  description:
    'Limits in force by name: those of the settings, or of the robot where it allows less.',
});

/** A robot that did not come into session. */
export const Refusal = {
  reason: word(
    [...new Set([...REJECT_CODES.slice(1), ...ROBOT_REJECTS])],
    'Why (docs/protocol.md, Refusals)',
  ),
  message: text('The same as a sentence; of the port with the HTTP status.'),
  by: word(['server', 'robot'], 'Which end refused'),
  from: text('Address of the robot, or the serial path.'),
  device: text('What it says to be; empty when it said nothing.'),
  firmware: text('Its version.'),
};

/** The link as the session has it. */
export const SessionLink = Type.Object({
  ...Link.properties,
  robot: orNull(
    Type.Object(
      {
        device: Refusal.device,
        firmware: Refusal.firmware,
        limits: Limits,
        period_s: number('Cycle of SETPOINT and STATE, s.'),
      },
      { description: 'What the robot says of itself, and what was agreed; null while down.' },
    ),
  ),
  last_reject: orNull(
    Type.Object(
      {
        ...Refusal,
        age_s: number('How long ago, s.'),
        count: count('Times in a row, with this message from there.'),
      },
      { description: 'The newest refusal of a robot since the service started.' },
    ),
  ),
});
