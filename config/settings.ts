/** Settings of the service (`config/berth.yaml`): one TypeBox schema gives the type, the check and the JSON Schema. */
import { type Static, Type } from 'typebox';
import { quantity, strict, triple } from './fields.ts';
import { KeepOutSchema } from './keep-out-schema.ts';
import { TlsSchema } from './tls-schema.ts';

export const SettingsSchema = Type.Object(
  {
    scenario: Type.String({ default: 'battery-box-insertion' }),
    /** Folders with scenarios of the user, which clients may load; relative to the working directory. */
    scenario_folders: Type.Array(Type.String({ minLength: 1 }), { default: [] }),
    mode: Type.Union(
      [Type.Literal('simulation'), Type.Literal('virtual'), Type.Literal('hardware')],
      { default: 'virtual' },
    ),
    server: Type.Object(
      {
        host: Type.String({ default: '127.0.0.1' }),
        port: Type.Integer({ minimum: 0, maximum: 65535, default: 7410 }),
        origins: Type.Array(Type.String(), { default: [] }),
        /** Trusted proxies: addresses or networks whose X-Forwarded-For names the client. */
        trust_proxy: Type.Array(Type.String(), { default: [] }),
        /** Names under which others reach the service, beside the addresses that it listens on: requests for another Host are refused. */
        names: Type.Array(Type.String(), { default: [] }),
        log_level: Type.Union(
          [
            Type.Literal('silent'),
            Type.Literal('error'),
            Type.Literal('warn'),
            Type.Literal('info'),
            Type.Literal('debug'),
            Type.Literal('trace'),
          ],
          { default: 'info' },
        ),
        /** `auto`: lines for people on a terminal, JSON elsewhere. */
        log_format: Type.Union([Type.Literal('auto'), Type.Literal('text'), Type.Literal('json')], {
          default: 'auto',
        }),
        /** Role keys. Without any, on loopback, every role gets a ticket without a key. */
        keys: Type.Object(
          {
            viewer: Type.Optional(Type.String({ minLength: 12, secret: true })),
            operator: Type.Optional(Type.String({ minLength: 12, secret: true })),
            supervisor: Type.Optional(Type.String({ minLength: 12, secret: true })),
          },
          { ...strict, default: {} },
        ),
        /** TLS of the web page, REST, sockets and metrics. */
        tls: TlsSchema,
        /** Allows access to `host` from other machines without TLS. Keys and tickets are then readable on the way. */
        insecure: Type.Boolean({ default: false }),
      },
      { ...strict, default: {} },
    ),
    robot: Type.Object(
      {
        transport: Type.Union(
          [Type.Literal('websocket'), Type.Literal('serial'), Type.Literal('none')],
          { default: 'websocket' },
        ),
        /** Own port of the robot WebSocket (the link worker listens there). */
        host: Type.String({ default: '127.0.0.1' }),
        port: Type.Integer({ minimum: 0, maximum: 65535, default: 7411 }),
        /** Pre-shared key of the robot end; empty: none required (loopback only). */
        key: Type.String({ default: '', secret: true }),
        /** TLS of the robot WebSocket. */
        tls: TlsSchema,
        /** Let others reach `host` without TLS. */
        insecure: Type.Boolean({ default: false }),
        serial_path: Type.String({ default: '' }),
        baud: Type.Integer({ minimum: 9600, default: 2_000_000 }),
        /** Starts the emulated ground robot as its own process. */
        emulate: Type.Boolean({ default: true }),
        /** Six joints that carry its tool: name or file of a robot, or none. */
        emulated_arm: Type.String({ minLength: 1, default: 'smt-class' }),
      },
      { ...strict, default: {} },
    ),
    loop: Type.Object(
      {
        period_s: quantity('s', { minimum: 0.0005, maximum: 0.01, default: 0.001 }),
        spin_s: quantity('s', { minimum: 0, maximum: 0.0008, default: 0.0002 }),
        realtime_priority: Type.Integer({ minimum: 0, maximum: 90, default: 80 }),
        /** Two loop workers on two cores: the first to arrive runs the tick, and takes over what the other does not finish. */
        redundant: Type.Boolean({ default: false }),
        overrun_consecutive: Type.Integer({ minimum: 1, default: 20 }),
        overrun_bucket: Type.Integer({ minimum: 1, default: 50 }),
        overrun_single_s: quantity('s', { exclusiveMinimum: 0, default: 0.025 }),
      },
      { ...strict, default: {} },
    ),
    limits: Type.Object(
      {
        force_N: quantity('N', { exclusiveMinimum: 0, default: 400 }),
        moment_Nm: quantity('N*m', { exclusiveMinimum: 0, default: 100 }),
        speed_mps: quantity('m/s', { exclusiveMinimum: 0, default: 0.1 }),
        angular_speed_radps: quantity('rad/s', { exclusiveMinimum: 0, default: 0.5 }),
        acceleration_mps2: quantity('m/s^2', { exclusiveMinimum: 0, default: 5 }),
        /** These three are the loop's own: they do not travel in HELLO and CONFIG. */
        jerk_mps3: quantity('m/s^3', { exclusiveMinimum: 0, default: 5000 }),
        angular_acceleration_radps2: quantity('rad/s^2', { exclusiveMinimum: 0, default: 25 }),
        angular_jerk_radps3: quantity('rad/s^3', { exclusiveMinimum: 0, default: 25_000 }),
        /** Half-size of the cube that the tool must stay in. */
        workspace_m: quantity('m', { exclusiveMinimum: 0, default: 0.5 }),
        /** Where its centre is: the start of the tool in the scenario, or wherever the robot is when its session begins. */
        workspace_about: Type.Union([Type.Literal('scenario'), Type.Literal('session')], {
          default: 'scenario',
        }),
        /** A box of the base frame in place of the cube. */
        workspace_box: Type.Optional(
          Type.Object({ min_m: triple('m'), max_m: triple('m') }, strict),
        ),
        /** What the tool point must stay out of, base frame. */
        keep_out: Type.Array(KeepOutSchema, { default: [] }),
        /** Share of the speeds that a robot may go at which reports `reduced`. */
        reduced_ratio: Type.Number({ minimum: 0.05, maximum: 1, default: 0.5 }),
      },
      { ...strict, default: {} },
    ),
    /** How far the robot may be from the set-point that it applies; at twice that it is stopped (docs/safety.md). */
    following: Type.Object(
      {
        position_m: quantity('m', { exclusiveMinimum: 0, maximum: 0.1, default: 0.002 }),
        angle_rad: quantity('rad', { exclusiveMinimum: 0, maximum: 0.5, default: 0.02 }),
        /** Allowed lag beyond the delay of the echo. It adds lag times the speed of the set-point. */
        lag_s: quantity('s', { minimum: 0, maximum: 0.5, default: 0.05 }),
        /** Oldest set-point that a robot may be applying; 128 periods are the most. */
        echo_s: quantity('s', { exclusiveMinimum: 0, maximum: 1, default: 0.1 }),
      },
      { ...strict, default: {} },
    ),
    operator: Type.Object(
      {
        deadband: Type.Number({ minimum: 0, maximum: 0.5, default: 0.05 }),
        coarse_speed_mps: quantity('m/s', { exclusiveMinimum: 0, default: 0.02 }),
        vernier_ratio: Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 0.1 }),
        coarse_angular_speed_radps: quantity('rad/s', { exclusiveMinimum: 0, default: 0.05 }),
        /** An input older than this moves nothing: so late a released deadman may hold. 0.5 s at 0.1 m/s are 50 mm. */
        input_timeout_s: quantity('s', { exclusiveMinimum: 0, maximum: 0.5, default: 0.1 }),
        authority_lease_s: quantity('s', { exclusiveMinimum: 0, default: 2 }),
      },
      { ...strict, default: {} },
    ),
    recording: Type.Object(
      {
        /** `continuous` writes every tick; `on-fault` writes the seconds around a fault; `off` writes nothing. */
        mode: Type.Union(
          [Type.Literal('continuous'), Type.Literal('on-fault'), Type.Literal('off')],
          { default: 'continuous' },
        ),
        /** Where files go; relative to the working directory. */
        folder: Type.String({ minLength: 1, default: 'recordings' }),
        /** A new file is begun when the present one has this size, bytes. */
        rotate_bytes: Type.Integer({ minimum: 1_000_000, default: 256_000_000 }),
        /** The oldest recordings are removed when all of them together exceed this, bytes. */
        keep_bytes: Type.Integer({ minimum: 2_000_000, default: 20_000_000_000 }),
        /** Left free on the disk: older flights are given up for it, then nothing more is recorded; 0 to the last byte. */
        keep_free_bytes: Type.Integer({ minimum: 0, default: 1_000_000_000 }),
        /** How chunks are packed. */
        compression: Type.Union([Type.Literal('zstd'), Type.Literal('none')], { default: 'zstd' }),
        /** Kept before a fault, and written after it. */
        before_fault_s: quantity('s', { minimum: 1, maximum: 60, default: 10 }),
        after_fault_s: quantity('s', { minimum: 0, maximum: 60, default: 2 }),
        /** Files kept that each hold the 1,000 ticks before a fault, in every mode; 0 none. */
        freezes: Type.Integer({ minimum: 0, maximum: 10_000, default: 20 }),
        /** The arm may only move while the recorder works. */
        required: Type.Boolean({ default: false }),
      },
      { ...strict, default: {} },
    ),
    studies: Type.Object(
      {
        /** Where study files and their results are; relative to the working directory. */
        folder: Type.String({ minLength: 1, default: 'studies' }),
        /** Processes of a study that a page starts; each takes a core that the loop does not need. */
        workers: Type.Integer({ minimum: 1, maximum: 1024, default: 1 }),
      },
      { ...strict, default: {} },
    ),
    foxglove: Type.Object(
      {
        /** Serves the live view for Foxglove at /foxglove (read only). */
        enabled: Type.Boolean({ default: true }),
        /** Pages that may connect beside our own; desktop applications send none of these. */
        origins: Type.Array(Type.String(), { default: ['https://app.foxglove.dev'] }),
      },
      { ...strict, default: {} },
    ),
    audit: Type.Object(
      {
        /** Keeps an append-only, hash-chained log of all requests with their actors. */
        enabled: Type.Boolean({ default: true }),
        /** Its file; empty: audit.ndjson in recording.folder, or the next number that no other service has. */
        file: Type.String({ default: '' }),
        /** A new file is begun when the present one would be longer, bytes. */
        rotate_bytes: Type.Integer({ minimum: 10_000, default: 1_000_000 }),
        /** Files kept, with the one that is written. */
        files: Type.Integer({ minimum: 1, maximum: 1000, default: 5 }),
      },
      { ...strict, default: {} },
    ),
    /** Effect of the loop delay on a contact, and its compensation (docs/theory/loop-energy.md). */
    energy: Type.Object(
      {
        /** Passivity guard: takes from the arm what a contact gave it without having got it before. */
        guard: Type.Boolean({ default: true }),
        /** What a contact may give beyond what it took before the guard acts, J. */
        guard_tolerance_J: quantity('J', { minimum: 0, default: 0 }),
        /** What makes good for the delay of the force. */
        compensation: Type.Union(
          [
            Type.Literal('none'),
            Type.Literal('model'),
            Type.Literal('lead'),
            Type.Literal('damping'),
          ],
          { default: 'none' },
        ),
        /** Measured force from which there is contact in hardware mode, until it is below a quarter: above the noise of the sensor. */
        contact_force_N: quantity('N', { minimum: 0, default: 6 }),
        /** The same of the moment about the tool point: a couple is a contact without a force. */
        contact_moment_Nm: quantity('N*m', { minimum: 0, default: 0.6 }),
        /** Send the pose that the robot is to reach after its own delay. */
        position_lead: Type.Boolean({ default: false }),
        /** Take created energy away during rebound. */
        removal: Type.Boolean({ default: false }),
        /** Energy tank that pays for the compensation, J; 0 none. */
        tank_J: quantity('J', { minimum: 0, default: 0 }),
        /** Stiffness and damping of the contact as entered by the operator; stiffness 0: those of the model. */
        stiffness_N_per_m: quantity('N/m', { minimum: 0, default: 0 }),
        damping_N_s_per_m: quantity('N*s/m', { minimum: 0, default: 0 }),
        /** Force at which the stiffness of the model is taken. */
        reference_force_N: quantity('N', { exclusiveMinimum: 0, default: 30 }),
        /**
         * Contact permit: before the arm may move, the prediction must keep these limits, or the
         * holder of authority acknowledges it.
         */
        permit: Type.Union([Type.Literal('required'), Type.Literal('advisory')], {
          default: 'required',
        }),
        restitution_limit: Type.Number({ exclusiveMinimum: 0, default: 1.02 }),
        margin_limit: Type.Number({ minimum: 0, default: 2 }),
        /** The arm is held when one contact creates more than this share of what it took, and more than the floor… */
        hold_ratio: Type.Number({ exclusiveMinimum: 0, default: 0.05 }),
        hold_floor_J: quantity('J', { minimum: 0, default: 0.02 }),
        /** … or more than this. */
        hold_J: quantity('J', { exclusiveMinimum: 0, default: 0.5 }),
      },
      { ...strict, default: {} },
    ),
    allow_fault_injection: Type.Boolean({ default: false }),
  },
  { ...strict, title: 'Berth settings' },
);

/** Settings with every default filled in. */
export type Settings = Static<typeof SettingsSchema>;
