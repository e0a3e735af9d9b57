/** What a recording holds: read back bit for bit, and through the readers that others use. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Column, type ColumnName, ROW_COLUMNS } from '../../../hil/contract/columns.ts';
import { COMMAND_ARGUMENT } from '../../../hil/contract/commands.ts';
import { SettingsSchema } from '../../../config/settings.ts';
import { CHANNELS } from '../../../hil/recording/channels.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { type LogRecord, RecordKind } from '../../../hil/memory/records.ts';
import { withoutSecrets } from '../../../hil/recording/facts.ts';
import { SceneColumn } from '../../../hil/contract/scene-columns.ts';
import { type Fields, flat, readTopics } from '../../fixtures/mcap-topics.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';
import { Feed, START_NS, START_US, faultRecord, testFacts, tickRecords } from './feed.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-recording-'));
after(() => rmSync(folder, { recursive: true }));

const TICKS = 300;
const feed = new Feed(folder);
await feed.run(TICKS);
feed.give(faultRecord(TICKS));
feed.recorder.note('authority to station 3', 20, START_US + 1000 * TICKS);
await feed.recorder.close();
const [name] = recordingsIn(folder);
const file = join(folder, name);

const doublesOf = ({ bytes }: LogRecord): Float64Array =>
  new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3);
const ofKind = (kind: number): LogRecord[] => feed.given.filter((record) => record.kind === kind);

test('every topic of rows decodes with ROS readers to the numbers that went in', async () => {
  const topics = await readTopics(file);
  const rows = ofKind(RecordKind.ROW);
  const parts: readonly (readonly [string, ColumnName, number])[] = [
    ['/berth/setpoint', 'setpoint_p_x_m', 7],
    ['/berth/measured', 'measured_p_x_m', 7],
    ['/berth/setpoint_twist', 'setpoint_v_x_mps', 6],
    ['/berth/command', 'command_v_x_mps', 6],
    ['/berth/wrench_raw', 'measured_force_x_N', 6],
    ['/berth/wrench_model', 'model_force_x_N', 6],
    ['/berth/setpoint_wrench', 'setpoint_force_x_N', 6],
    ['/berth/wrench_comp', 'compensation_force_x_N', 6],
    ['/berth/wrench_guard', 'guard_force_x_N', 6],
    ['/berth/tick', 'tick', ROW_COLUMNS.length],
  ];
  for (const [topic, first, count] of parts) {
    const messages = topics.get(topic) ?? [];
    assert.equal(messages.length, TICKS, topic);
    messages.forEach(({ message, logTime }, n) => {
      const from = Column[first];
      assert.deepEqual(flat(message), [...doublesOf(rows[n]).subarray(from, from + count)], topic);
      const { stamp, frame_id } = message.header as {
        stamp: Record<string, number>;
        frame_id: string;
      };
      assert.equal(frame_id, 'base');
      const elapsed_ns = BigInt(Math.round((rows[n].time_us - START_US) * 1000));
      assert.equal(
        BigInt(stamp.sec) * 1_000_000_000n + BigInt(stamp.nanosec),
        START_NS + elapsed_ns,
      );
      assert.equal(logTime, START_NS + elapsed_ns);
    });
  }
  const pose = topics.get('/berth/setpoint')![7].message as {
    pose: { orientation: { w: number } };
  };
  assert.equal(pose.pose.orientation.w, doublesOf(rows[7])[Column.setpoint_q_w]);
  const wrench = topics.get('/berth/wrench_raw')![7].message as {
    wrench: { torque: { z: number } };
  };
  assert.equal(wrench.wrench.torque.z, doublesOf(rows[7])[Column.measured_moment_z_Nm]);
  const tick = topics.get('/berth/tick')![7].message;
  assert.equal(tick.setpoint_force_y_n, doublesOf(rows[7])[Column.setpoint_force_y_N]);
});

test('energy decodes by the names of its fields to the columns of the row', async () => {
  const rows = ofKind(RecordKind.ROW);
  const fields: readonly (readonly [string, ColumnName])[] = [
    ['kinetic_j', 'energy_kinetic_J'],
    ['potential_j', 'energy_potential_J'],
    ['elastic_j', 'energy_elastic_J'],
    ['dissipated_j', 'energy_dissipated_J'],
    ['external_j', 'energy_external_J'],
    ['balance_j', 'energy_balance_J'],
    ['contact_in_j', 'energy_in_J'],
    ['contact_out_j', 'energy_out_J'],
    ['contact_created_j', 'energy_created_J'],
    ['created_total_j', 'energy_created_total_J'],
    ['restitution_sim', 'restitution_sim'],
    ['restitution_hardware', 'restitution_hw'],
    ['passivity_j', 'passivity_J'],
    ['passivity_removed_j', 'passivity_removed_J'],
    ['passivity_active', 'passivity_active'],
    ['tank_j', 'tank_J'],
  ];
  const messages = (await readTopics(file)).get('/berth/energy')!;
  assert.equal(messages.length, TICKS);
  messages.forEach(({ message }, n) => {
    const { header, ...rest } = message;
    assert.equal((header as { frame_id: string }).frame_id, 'base');
    const row = doublesOf(rows[n]);
    const expected = fields.map(([field, column]) => [field, row[Column[column]]]);
    assert.deepEqual(rest, Object.fromEntries(expected), `row ${n}`);
  });
});

test('hand controller, scene and events decode, too', async () => {
  const topics = await readTopics(file);
  const commands = ofKind(RecordKind.COMMAND);
  const joys = topics.get('/berth/operator')!;
  assert.equal(joys.length, commands.length);
  joys.forEach(({ message }, n) => {
    const at = COMMAND_ARGUMENT;
    const given = doublesOf(commands[n]);
    assert.deepEqual(message.axes, Float32Array.from(given.subarray(at, at + 6)));
    assert.deepEqual(message.buttons, Int32Array.from(given.subarray(at + 6, at + 9)));
  });
  const scenes = ofKind(RecordKind.SCENE);
  topics.get('/berth/scene')!.forEach(({ message }, n) => {
    const row = doublesOf(scenes[n]);
    assert.equal((message.points as unknown[]).length, row[SceneColumn.POINTS]);
    assert.deepEqual(flat(message), [
      row[SceneColumn.TIME],
      row[SceneColumn.TOUCHING],
      ...row.subarray(SceneColumn.POSES, SceneColumn.POSES + 14),
      ...row.subarray(
        SceneColumn.FIRST_POINT,
        SceneColumn.FIRST_POINT + 9 * row[SceneColumn.POINTS],
      ),
      ...row.subarray(SceneColumn.FIRST_FACE, SceneColumn.FIRST_FACE + 2 * row[SceneColumn.POINTS]),
    ]);
  });
  const names = testFacts().model.bodies.map(({ name }) => name);
  topics.get('/tf')!.forEach(({ message, logTime }, n) => {
    const row = doublesOf(scenes[n]);
    const frames = message.transforms as {
      header: { frame_id: string; stamp: Record<string, number> };
      child_frame_id: string;
      transform: Fields;
    }[];
    assert.deepEqual(
      frames.map((f) => [f.header.frame_id, f.child_frame_id]),
      [
        ['base', names[0]],
        ['base', names[1]],
      ],
    );
    frames.forEach(({ header: { stamp }, transform }, b) => {
      const at = SceneColumn.POSES + 7 * b;
      assert.deepEqual(flat(transform), [...row.subarray(at, at + 7)]);
      assert.equal(BigInt(stamp.sec) * 1_000_000_000n + BigInt(stamp.nanosec), logTime);
    });
  });
  const lines = topics.get('/berth/events')!.map(({ message }) => [message.level, message.msg]);
  assert.deepEqual(lines, [
    [40, `tick ${TICKS}: ACTIVE_CONTACT to STOPPING, FORCE_LIMIT`],
    [20, 'authority to station 3'],
  ]);
});

test('every record comes back bit for bit, in the order of the loop', async () => {
  const recording = await openRecording(file);
  assert.equal(recording.closed, true);
  const back: LogRecord[] = [];
  for await (const record of recording.records()) back.push(record);
  assert.deepEqual(
    back.map((r) => r.kind),
    feed.given.map((r) => r.kind),
  );
  back.forEach((record, n) => {
    const { kind, time_us, bytes } = feed.given[n];
    assert.ok(Buffer.from(record.bytes).equals(bytes), `record ${n} of kind ${kind}`);
    assert.equal(record.bytes.byteOffset % 8, 0);
    const rounded = kind === RecordKind.ROW || kind === RecordKind.SCENE;
    assert.ok(
      Math.abs(record.time_us - time_us) <= (rounded ? 1e-3 : 0),
      `${record.time_us} ${time_us}`,
    );
  });
});

test('model, settings and facts come back exactly; no secret is in the file', async () => {
  const facts = testFacts();
  const recording = await openRecording(file);
  assert.deepStrictEqual(recording.facts, { ...facts, settings: withoutSecrets(facts.settings) });
  const bytes = readFileSync(file);
  for (const secret of ['secret-of-viewer', 'secret-of-operator', 'secret-of-robot']) {
    assert.equal(bytes.includes(secret), false, secret);
  }
});

test('every field that the settings call secret is left out', () => {
  const secrets: string[] = [];
  const walk = (schema: Readonly<Record<string, unknown>>, path: string): void => {
    if (schema.secret === true) secrets.push(path);
    for (const [key, part] of Object.entries((schema.properties ?? {}) as typeof schema)) {
      walk(part as typeof schema, `${path}/${key}`);
    }
  };
  walk(SettingsSchema as unknown as Readonly<Record<string, unknown>>, '');
  assert.deepEqual(secrets.map((path) => path.split('/').slice(1, 3).join('.')).sort(), [
    'robot.key',
    'server.keys',
    'server.keys',
    'server.keys',
  ]);
});

test('the table of channels has no topic twice', () => {
  assert.equal(new Set(CHANNELS.map((c) => c.topic)).size, CHANNELS.length);
});

test('ticks beyond 32 bits are recorded, as after fifty days', async () => {
  const late = mkdtempSync(join(tmpdir(), 'berth-late-'));
  try {
    const feed = new Feed(late);
    const ticks = Array.from({ length: 20 }, (_, i) => 2 ** 32 - 10 + i);
    for (const tick of ticks) {
      for (const record of tickRecords(tick, tick === ticks[0])) feed.give(record);
    }
    await feed.recorder.close();
    const recording = await openRecording(join(late, recordingsIn(late)[0]));
    const read: number[] = [];
    for await (const record of recording.records()) {
      if (record.kind === RecordKind.TICK) read.push(doublesOf(record)[0]);
    }
    assert.deepEqual(read, ticks);
  } finally {
    rmSync(late, { recursive: true, force: true });
  }
});
