/**
 * What the server sends on `/operator` and `/telemetry`, as schemas; clients take their types from them
 * (server/client/messages.ts). Clients must ignore unknown fields: a minor version may add some.
 */
import { type TProperties, type TSchema, Type } from 'typebox';
import { Limits, Link, Refusal, SessionLink } from './link-messages.ts';
import { Scene, Witnesses } from './scene-messages.ts';
import { count, flag, list, names, number, orNull, text, word } from './message-fields.ts';
import { COMPENSATIONS, HAND_MODES, PERMIT_STATES } from '../../hil/contract/commands.ts';
import { LOOP_MODES, SAFETY_STATES } from '../../hil/contract/codes.ts';
import { VALIDITY_FLAGS } from '../../src/contact/validity-flags.ts';
import { ROLES } from '../../hil/contract/roles.ts';

const Pose = Type.Object({
  position_m: list(3, 'Tool point, base frame, m.'),
  orientation: list(4, 'Unit quaternion (x, y, z, w), tool to base.'),
  twist: list(6, 'm/s and rad/s, base frame.'),
});

const Timing = Type.Object({
  period: count('Periods since the loop began.'),
  lateness_s: number('Wake-up behind its release, s.'),
  margin_s: number('Left of the period when the tick was done, s.'),
  stage_rx_s: number('Time of receiving, s.'),
  stage_operator_s: number('Time of commands and hand controllers, s.'),
  stage_safety_s: number('Time of the safety machine, s.'),
  stage_compensate_s: number('Time of compensation and tank, s.'),
  stage_step_s: number('Time of the contact step, s.'),
  stage_guard_s: number('Time of audit and guard, s.'),
  stage_tx_s: number('Time of sending, s.'),
  stage_record_s: number('Time of telemetry and recording in the tick before, s.'),
  slipped_total: count('Periods that no tick served.'),
  miss_cause: orNull(text('What the newest missed period is put down to.')),
  substeps: number('Sub-steps of the newest tick.'),
});

const Contact = Type.Object(
  {
    active: number('1 while a contact of the model touches.'),
    count: number('Contacts of the model that touch.'),
    pairs: number('Pairs of cells that touch.'),
    penetration_m: number('Of the first contact that touches, m.'),
    penetration_rate_mps: number('Its rate, m/s.'),
    normal_force_N: number('Normal force of the first contact that touches, N. Never measured.'),
    friction_force_N: number('Friction force of that contact, N. Never measured.'),
    stick: number('Share of sticking, 0 slips, 1 sticks.'),
    dwell: number('Dwell state of the friction law, 0 to 1.'),
    least_distance_m: orNull(
      number('Least distance of bodies of facets that make contact, m; null without them.'),
    ),
    standoff_reserve: orNull(number('That distance over their standoff.')),
    constraint_drift_m: orNull(
      number('Largest residual of constraint rows in length, m; null without constraints.'),
    ),
    constraint_drift_rad: orNull(number('The same in angle, rad.')),
    constraint_rate_mps: orNull(number('Largest residual of their rates in length, m/s.')),
    constraint_rate_radps: orNull(number('The same in angle, rad/s.')),
    touch_curvature: orNull(
      number('Least relative curvature of surfaces that touch, times 10 mm; null without any.'),
    ),
    touch_newton_steps: number('Newton steps of the tick for places of surfaces.'),
    touch_places: number('Places that slide, and that the last searches of free form found.'),
    validity: names(
      `Limits of their models that touching contacts have exceeded since they began: ${VALIDITY_FLAGS.join(', ')}.`,
    ),
  },
  {
    description:
      'Contact of the model in every mode; in mode hardware a shadow contact at the measured motion.',
  },
);

const Wrench = Type.Object({
  setpoint: list(6, 'Wrench of the set-point, N and N m.'),
  measured: list(6, 'On the tool at the tool point, base frame, N and N m.'),
  model: list(6, 'The same as the model has it, N and N m.'),
});

const Energy = Type.Record(Type.String(), Type.Number(), {
  description: 'Terms of the energy ledger by name, J.',
});

const LoopEnergy = Type.Object({
  delay: Type.Object({
    known: flag('It has been measured.'),
    total_s: orNull(
      number('From the moment for which a pose was meant to the use of its force, s.'),
    ),
    wire_s: orNull(number('Part of the lines, s.')),
    robot_s: orNull(number('Part of the robot, s; negative when it looks ahead.')),
    measurement_s: orNull(number('Part of the force sensor, s.')),
  }),
  prediction: Type.Object({
    contact_stiffness_N_per_m: orNull(number('N/m.')),
    effective_mass_kg: orNull(number('Along the contact, kg.')),
    critical_delay_s: orNull(number('Delay at which the contact becomes unstable, s.')),
    stability_margin: orNull(number('Critical delay over delay, without compensation.')),
    restitution: orNull(number('Without compensation.')),
    restitution_active: orNull(number('As the loop is set.')),
    stiffness_limit_N_per_m: orNull(number('Stiffest contact within the limit of restitution.')),
    stability_margin_active: orNull(number('The margin as the loop is set.')),
  }),
  permit: word(PERMIT_STATES, 'Contact permit'),
  compensation: word(COMPENSATIONS, 'Compensation of the delay'),
  guard: flag('The passivity guard watches.'),
  removal: flag('Created energy is taken away during rebound.'),
  position_lead: flag('Set-points are sent ahead of the robot.'),
  audit: Type.Object(
    {
      in_J: number('Taken from the simulated body, J.'),
      out_J: number('Given back to it, J.'),
      created_J: number('Created by the loop, J.'),
      created_total_J: number('Since the start, J.'),
      restitution_sim: orNull(number('Last contact, simulated side.')),
      restitution_hw: orNull(number('Last contact, hardware side.')),
    },
    { description: 'Present or last contact.' },
  ),
  passivity: Type.Object({
    observer_J: number('Below zero the contact has given more than it took, J.'),
    removed_J: number('Taken away by the guard since the start, J.'),
    active: flag('The guard acted in the newest tick.'),
    tank_J: number('Level of the energy tank, J.'),
  }),
  guard_wrench: list(6, 'Of the guard on the arm, N and N m.'),
  compensation_wrench: list(6, 'Added to the felt wrench, N and N m.'),
});

const EnergyLimits = Type.Object({
  permit_required: flag('ARM waits for the acknowledgement of the contact permit.'),
  restitution: number('Largest predicted restitution of the permit.'),
  stability_margin: number('Least stability margin of the permit.'),
  accommodation_number: number('Largest K_a k T of the accommodation of the permit.'),
  hold_ratio: number('Created energy of one contact over what it took that holds the arm.'),
  hold_floor_J: number('Less than this never holds it, J.'),
  hold_J: number('More than this always does, J.'),
});

const FirstTouch = Type.Object(
  {
    contact: text('Name of the contact.'),
    after_ms: number('From now, ms; 0 while it touches.'),
    point_m: list(3, 'Where, world, m.'),
  },
  {
    description:
      'First touch of the tool along its commanded twist within 10 s, the other bodies at rest; null without one.',
  },
);

const GuardTicks = Type.Object({
  active: count('Ticks in which the passivity guard acted, since the start.'),
  clamped: count('Ticks in which it could not take all that it had to.'),
});

const Operator = Type.Object({
  authority: count('Session that holds authority, 0 none.'),
  deadman: Type.Boolean(),
  input_age_s: orNull(number('Age of the newest input as the loop sees it, s.')),
  command: list(6, 'Shaped command, m/s and rad/s, base frame.'),
});

const Accommodation = Type.Object({
  axes: Type.Array(Type.Boolean(), { minItems: 6, maxItems: 6, description: 'x, y, z; x, y, z.' }),
  set_point: list(6, 'What the tool is to exert on its surroundings, N and N m.'),
  force_deadband_N: Type.Number(),
  moment_deadband_Nm: Type.Number(),
  force_gain_Ns_per_m: Type.Number(),
  moment_gain_Nms_per_rad: Type.Number(),
});

const HandMode = Type.Object({
  mode: Type.Enum([...HAND_MODES], { description: 'What the hand controllers do to the arm.' }),
  joint: orNull(count('Joint that is turned by itself, place in the joints of GET /api/robot.')),
  axis: orNull(count('Axis of the input that turns it.')),
});

const Authority = Type.Object({
  holder: count('Session that may move the arm, 0 none.'),
  asking: count('Session that waits for the holder, 0 none.'),
  clients: count('Connected sessions.'),
});

const Alarm = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  code: text('Name of docs/faults, or one of the server.'),
  severity: Type.Union([Type.Literal('warning'), Type.Literal('critical')]),
  message: text('One sentence.'),
  active: flag('Its cause is there.'),
  acknowledged: Type.Boolean(),
  count: count('Times it was raised since it was last acknowledged.'),
  time_s: number('Loop time when it was raised last, s.'),
  tick: count('Tick when it was raised last.'),
  freeze: Type.Optional(text('File with the 1,000 ticks before it.')),
});
const Alarms = Type.Array(Alarm);

const State = {
  tick: count('Newest tick.'),
  sim_time_s: number('Model time, s.'),
  mode: word(LOOP_MODES, 'Where the tool pose comes from'),
  state: word(SAFETY_STATES, 'Safety state'),
  faults: names('Latched faults.'),
  holds: names('Causes of the present HOLD.'),
  ctl_mode: text('Control mode of the set-point.'),
  frozen: flag('The model does not advance.'),
  setpoint: Pose,
  measured: Pose,
  link: Link,
};

const Status = Type.Object({
  scenario: Type.String(),
  mode: State.mode,
  robot_address: text('Where a robot connects to; empty when there is no address.'),
  running: flag('A loop ticks; without one only the head is there.'),
  state: State.state,
  faults: State.faults,
  holds: State.holds,
  arm_blockers: names('What keeps ARM from being accepted, most important first.'),
  authority: Authority,
  tick: Type.Optional(State.tick),
  time_s: Type.Optional(number('Loop time, s.')),
  sim_time_s: Type.Optional(State.sim_time_s),
  ctl_mode: Type.Optional(State.ctl_mode),
  frozen: Type.Optional(State.frozen),
  setpoint: Type.Optional(Pose),
  measured: Type.Optional(Pose),
  link: Type.Optional(SessionLink),
  tool_force_N: Type.Optional(list(3, 'Force that the accommodation law follows, N.')),
  wrench: Type.Optional(Wrench),
  timing: Type.Optional(Timing),
  contact: Type.Optional(Contact),
  energy: Type.Optional(Energy),
  loop_energy: Type.Optional(LoopEnergy),
  energy_limits: Type.Optional(EnergyLimits),
  first_touch: Type.Optional(orNull(FirstTouch)),
  guard_ticks: Type.Optional(GuardTicks),
  limits: Type.Optional(Limits),
  operator: Type.Optional(Operator),
  accommodation: Type.Optional(Accommodation),
  hand_mode: Type.Optional(HandMode),
  recording: Type.Optional(
    Type.Object({
      state: word(['off', 'armed', 'recording', 'fault', 'failed'], 'State of the recorder'),
      file: Type.String(),
      bytes: Type.Number(),
      dropped: count('Records that were lost.'),
      keeps_s: number(
        'About how long a flight is kept before its oldest file goes, s; 0: none is recorded.',
      ),
      freezes: Type.Array(
        Type.Object({
          codes: Type.Array(text('Name of docs/faults.')),
          tick: count('Tick of the fault.'),
          file: text('Name of the file with the 1,000 ticks before it.'),
        }),
      ),
    }),
  ),
  fault_injection: Type.Optional(flag('POST /api/faults is allowed.')),
  injected: Type.Optional(Type.Array(text('Kind of fault that is injected now.'))),
  profile: Type.Optional(
    Type.Object(
      {
        name: Type.Enum(['full', 'try']),
        period_s: number('Period of the loop, s.'),
      },
      { description: 'Profile of the embedded settings; not with a settings file.' },
    ),
  ),
  replay: Type.Optional(flag('A recording is shown, not a running loop.')),
});

const Welcome = Type.Object({
  id: count('As in hello.'),
  session: Type.Integer({ minimum: 1, description: 'Number of this session.' }),
  role: Type.Enum([...ROLES]),
  server_time_s: number('Steady time of the server, s.'),
  challenge: count('First challenge: answer it with challenge.answer at once.'),
  scenario: Type.String(),
  mode: State.mode,
  rates: Type.Object({
    status_hz: Type.Number(),
    input_hz: Type.Number(),
    messages_per_s: Type.Number(),
  }),
  operator: Type.Object({
    deadband: number('Share of the axis that counts as centred, 0 to 1.'),
    coarse_speed_mps: Type.Number(),
    coarse_angular_speed_radps: Type.Number(),
    vernier_ratio: Type.Number(),
    input_timeout_s: Type.Number(),
    authority_lease_s: Type.Number(),
  }),
  limits: Type.Record(Type.String(), Type.Number(), {
    description: 'Limits of set-point and wrench by name, as in the settings.',
  }),
  audit_log: flag('An audit log is kept of what is asked for (audit).'),
  tool: orNull(
    Type.Object({
      force_gain_Ns_per_m: Type.Number(),
      force_deadband_N: Type.Number(),
      maximum_speed_mps: Type.Number(),
    }),
  ),
  insertion: orNull(
    Type.Object({
      seated_position_m: list(3, 'm, base frame.'),
      seated_orientation: list(4, 'Unit quaternion (x, y, z, w).'),
      direction: list(3, 'Way in, unit vector.'),
      depth_m: number('Way from the mouth, m.'),
    }),
  ),
  authority: Authority,
  alarms: Alarms,
  accommodation: orNull(Accommodation),
});

const Ack = {
  id: count('As in the request.'),
  ok: Type.Boolean(),
  code: text('`ok`, or why not.'),
  message: text('One sentence; empty when ok.'),
};

const when = { tick: count('Tick of the event.'), time_s: number('Loop time, s.') };
const Notices = {
  transition: {
    name: Type.Literal('transition'),
    ...when,
    from: State.state,
    to: State.state,
    cause: orNull(text('Fault or hold that caused it.')),
  },
  injected: {
    name: Type.Literal('injected'),
    ...when,
    kind: text('Fault that is injected on purpose, of GET /api/faults.'),
    began: flag('Began, or ended; what ends at once is reported once.'),
    amount: Type.Optional(number('In the unit of the kind, when it began.')),
  },
  link: { name: Type.Literal('link'), ...when, up: Type.Boolean() },
  robot_refused: {
    name: Type.Literal('robot_refused'),
    ...when,
    ...Refusal,
    more: count('Refusals of this kind since the event before, this one among them.'),
  },
  contact: {
    name: Type.Literal('contact'),
    ...when,
    found: flag('Touched, or lifted off.'),
    speed_mps: Type.Optional(number('Approach at touch-down, m/s.')),
    peak_force_N: Type.Optional(number('Largest force of the contact that ended, N.')),
  },
  contact_seen: {
    name: Type.Literal('contact_seen'),
    ...when,
    contact: text('Name of the observed contact that began: it does not push.'),
    alarm: flag('The scenario calls it a warning.'),
    speed_mps: number('Approach at touch-down, m/s.'),
  },
  contact_crossed: {
    name: Type.Literal('contact_crossed'),
    ...when,
    contact: text('Name of the first contact whose bodies moved through each other in this tick.'),
    contacts: count('Contacts crossed in this tick.'),
  },
};

/** Topics of the telemetry socket. */
const Topics = Type.Object({
  state: Type.Object(State),
  wrench: Wrench,
  timing: Timing,
  contact: Contact,
  energy: Energy,
  loop_energy: LoopEnergy,
  operator: Operator,
  scene: Scene,
  witnesses: Witnesses,
  joints: Type.Object(
    {
      sim_time_s: State.sim_time_s,
      status: orNull(text('Word of the arm; null for one without joints.')),
      condition: orNull(number('Condition number of the scaled Jacobian.')),
      manipulability: number('Product of its singular values.'),
      rate_scale: number('Part of the reference twist that the joints follow.'),
      deflection_m: Type.Array(Type.Number(), {
        description: 'Flexible tip against the rigid arm, world.',
      }),
      deflection_rad: number('The same, angle.'),
      brake: flag('The brakes hold.'),
      position: Type.Array(Type.Number(), { description: 'rad or m.' }),
      rate: Type.Array(Type.Number()),
      reference: Type.Array(Type.Number(), { description: 'Set-points of the joint servos.' }),
      torque: Type.Array(Type.Number(), { description: 'N m or N.' }),
      deflection: Type.Array(Type.Number(), { description: 'Rotor against link.' }),
      margin: Type.Array(orNull(Type.Number()), { description: 'Way to the nearer limit.' }),
      bending_m: Type.Array(Type.Number(), { description: "Deflection of the link's tip." }),
    },
    { description: 'Joints of the simulated arm in the order of GET /api/robot.' },
  ),
  lateness: Type.Object({
    edges_s: Type.Array(Type.Number()),
    counts: Type.Array(Type.Number(), {
      description: 'Ticks in each bucket, not cumulative; the last is beyond the edges.',
    }),
    maximum_s: Type.Number(),
  }),
  overruns: Type.Array(
    Type.Object({
      tick: when.tick,
      time_s: when.time_s,
      cause: Type.String(),
      lateness_s: Type.Number(),
      slipped: count('Periods without a tick.'),
    }),
    { maxItems: 50, description: 'Newest last.' },
  ),
});

const Telemetry = Type.Object({
  ...Type.Partial(Topics).properties,
  seq: count('Number of the message.'),
  dropped: count('Messages left out for this client so far.'),
  peak: Type.Object(
    { lateness_s: Type.Number(), normal_force_N: Type.Number() },
    { description: 'Worst since the message before.' },
  ),
});

/** Schemas by the names that server/client/messages.ts has for them. */
export const SERVER_SCHEMAS = {
  Status,
  Welcome,
  Ack: Type.Object(Ack),
  LoopNotice: Type.Union([
    Type.Object(Notices.transition),
    Type.Object(Notices.injected),
    Type.Object(Notices.link),
    Type.Object(Notices.robot_refused),
    Type.Object(Notices.contact),
    Type.Object(Notices.contact_seen),
    Type.Object(Notices.contact_crossed),
  ]),
  Alarm,
  Topics,
  Telemetry,
} as const;

const message = (type: string, fields: TProperties, description: string) =>
  Type.Object({ v: Type.Literal(1), type: Type.Literal(type), ...fields }, { description });

/** Messages of `/operator` to a client, by type. */
export const OPERATOR_ANSWERS: Readonly<Record<string, TSchema>> = {
  welcome: message('welcome', Welcome.properties, 'Answers hello.'),
  ack: message('ack', Ack, 'Answers a request.'),
  sync: message(
    'sync',
    {
      id: Ack.id,
      t: number('As in the question, s.'),
      server_time_s: number('Steady time of the server, s.'),
    },
    'Answers sync.',
  ),
  challenge: message(
    'challenge',
    {
      challenge: count('Random number; inputs quote the newest one received.'),
      answer: flag('Send it back with challenge.answer at once.'),
    },
    'Measures the delay of the client: to the holder 100 times a second, to every client once a second.',
  ),
  status: message('status', Status.properties, 'The session, ten times a second.'),
  event: Type.Union(
    Object.values(Notices).map((fields) => message('event', fields, 'What the loop reports.')),
    { description: 'What the loop reports as it happens.' },
  ),
  alarms: message('alarms', { alarms: Alarms }, 'The whole list, whenever it has changed.'),
  'authority.state': message(
    'authority.state',
    { holder: Authority.properties.holder, reason: text('Why it changed.') },
    'The holder of authority from now on.',
  ),
  'authority.request': message(
    'authority.request',
    { session: count('Session that asks.') },
    'Sent to the holder: grant or deny within 10 s.',
  ),
  'authority.deny': message(
    'authority.deny',
    { session: count('Session that asked.'), message: text('One sentence.') },
    'Sent to the session that asked.',
  ),
  'input.reject': message(
    'input.reject',
    { code: count('Close code of that kind of fault.'), reason: text('Why.') },
    'An input was not applied; reported at most once a second.',
  ),
};

/** Messages of `/telemetry` to a client, by type. */
export const TELEMETRY_ANSWERS: Readonly<Record<string, TSchema>> = {
  welcome: message(
    'welcome',
    {
      role: Welcome.properties.role,
      topics: names('Topics that there are.'),
      maximum_hz: Type.Number(),
    },
    'First message.',
  ),
  ack: message('ack', Ack, 'Answers subscribe.'),
  telemetry: message('telemetry', Telemetry.properties, 'Newest row, at the rate asked for.'),
};
