/** Settings of the service (`config/berth.yaml`): one TypeBox schema gives the type, the check and the JSON Schema. */
import { type Static, Type } from 'typebox';
import { quantity, strict } from './fields.ts';

export const SettingsSchema = Type.Object(
  {
    scenario: Type.String({ default: 'battery-box-insertion' }),
    mode: Type.Union(
      [Type.Literal('simulation'), Type.Literal('virtual'), Type.Literal('hardware')],
      { default: 'virtual' },
    ),
    server: Type.Object(
      {
        host: Type.String({ default: '127.0.0.1' }),
        port: Type.Integer({ minimum: 0, maximum: 65535, default: 7410 }),
        origins: Type.Array(Type.String(), { default: [] }),
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
        /** Role keys; none on loopback means every role may ask for a ticket without a key. */
        keys: Type.Object(
          {
            viewer: Type.Optional(Type.String({ minLength: 8, secret: true })),
            operator: Type.Optional(Type.String({ minLength: 8, secret: true })),
            supervisor: Type.Optional(Type.String({ minLength: 8, secret: true })),
          },
          { ...strict, default: {} },
        ),
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
        /** Pre-shared key of the robot end; empty: none asked (loopback only). */
        key: Type.String({ default: '', secret: true }),
        serial_path: Type.String({ default: '' }),
        baud: Type.Integer({ minimum: 9600, default: 2_000_000 }),
        /** Start the emulated ground robot as a process of its own. */
        emulate: Type.Boolean({ default: true }),
      },
      { ...strict, default: {} },
    ),
    loop: Type.Object(
      {
        period_s: quantity('s', { minimum: 0.0005, maximum: 0.01, default: 0.001 }),
        spin_s: quantity('s', { minimum: 0, maximum: 0.0008, default: 0.0002 }),
        realtime_priority: Type.Integer({ minimum: 0, maximum: 90, default: 80 }),
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
        /** Half-size of the cube about the start pose that the tool must stay in. */
        workspace_m: quantity('m', { exclusiveMinimum: 0, default: 0.5 }),
      },
      { ...strict, default: {} },
    ),
    operator: Type.Object(
      {
        deadband: Type.Number({ minimum: 0, maximum: 0.5, default: 0.05 }),
        coarse_speed_mps: quantity('m/s', { exclusiveMinimum: 0, default: 0.02 }),
        vernier_ratio: Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 0.1 }),
        coarse_angular_speed_radps: quantity('rad/s', { exclusiveMinimum: 0, default: 0.05 }),
        input_timeout_s: quantity('s', { exclusiveMinimum: 0, default: 0.1 }),
        authority_lease_s: quantity('s', { exclusiveMinimum: 0, default: 2 }),
      },
      { ...strict, default: {} },
    ),
    allow_fault_injection: Type.Boolean({ default: false }),
  },
  { ...strict, title: 'Berth settings' },
);

/** Settings with every default filled in. */
export type Settings = Static<typeof SettingsSchema>;
