/** `berth simulate --format mcap`: the numbers of the rows, in the messages of a recording; the same bytes at every run. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { LOOP_ENERGY_COUNT } from '../../../hil/recording/channels.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { run } from '../../../server/cli/simulate.ts';
import { flat, readTopics } from '../../fixtures/mcap-topics.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-simulated-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs the command into a file. @returns its path */
async function simulate(
  scenario: string,
  format: string,
  until: string,
  name: string,
): Promise<string> {
  const file = join(folder, name);
  const said = mock.method(console, 'error', () => undefined);
  const options = ['--until', until, '--every', '10ms', '--format', format, '-o', file];
  assert.equal(await run([scenario, ...options]), 0);
  said.mock.restore();
  return file;
}

interface Rows {
  readonly columns: string[];
  readonly rows: number[][];
}
const rowsOf = (file: string): Rows => JSON.parse(readFileSync(file, 'utf8')) as Rows;
const pick = ({ columns }: Rows, row: number[], names: readonly string[]): number[] =>
  names.map((name) => row[columns.indexOf(name)]);
const POSE = ['p_x_m', 'p_y_m', 'p_z_m', 'q_x', 'q_y', 'q_z', 'q_w'];
const TWIST = ['v_x_mps', 'v_y_mps', 'v_z_mps', 'w_x_radps', 'w_y_radps', 'w_z_radps'];

test('a tool in contact: every channel holds the numbers of the rows', async () => {
  const scenario = 'half-sphere-on-plate';
  const json = rowsOf(await simulate(scenario, 'json', '1s', 'tool.json'));
  const topics = await readTopics(await simulate(scenario, 'mcap', '1s', 'tool.mcap'));
  assert.deepEqual([...topics.keys()].sort(), [
    '/berth/command',
    '/berth/energy',
    '/berth/scene',
    '/berth/setpoint',
    '/berth/setpoint_twist',
    '/berth/wrench_model',
    '/tf',
  ]);
  const bodies = json.columns.filter((c) => c.endsWith('.q_w')).map((c) => c.slice(0, -4));
  const at = (topic: string, n: number): number[] => flat(topics.get(topic)![n].message);
  let touched = 0;
  json.rows.forEach((row, n) => {
    const part = (body: string, parts: readonly string[]): number[] =>
      pick(
        json,
        row,
        parts.map((name) => `${body}.${name}`),
      );
    for (const messages of topics.values()) {
      assert.equal(messages.length, json.rows.length);
      assert.equal(messages[n].logTime, BigInt(Math.round(row[0] * 1e9)));
    }
    assert.deepEqual(at('/berth/setpoint', n), part('arm', POSE));
    assert.deepEqual(at('/berth/setpoint_twist', n), part('arm', TWIST));
    const { wrench } = topics.get('/berth/wrench_model')![n].message as {
      wrench: { force: { z: number } };
    };
    const [active, force] = part('tool-plate', ['active', 'normal_force_N']);
    if (active === 1) touched++;
    // the plate is level: its normal force is the vertical force on the tool
    assert.ok(Math.abs(wrench.force.z - active * force) <= 1e-9 * Math.abs(force), `row ${n}`);
    const [elastic, bristle] = part('energy', ['elastic_J', 'bristle_J']);
    assert.deepEqual(at('/berth/energy', n), [
      ...part('energy', ['kinetic_J', 'potential_J']),
      elastic + bristle,
      ...part('energy', ['dissipated_J', 'external_work_J', 'balance_J']),
      ...new Array<number>(LOOP_ENERGY_COUNT).fill(NaN), // there is no loop
    ]);
    const scene = topics.get('/berth/scene')![n].message as { sim_time: number; bodies: unknown };
    const poses = bodies.flatMap((body) => part(body, POSE));
    assert.deepEqual([scene.sim_time, ...flat(scene.bodies)], [row[0], ...poses]);
    const frames = topics.get('/tf')![n].message['transforms'] as {
      child_frame_id: string;
      transform: unknown;
    }[];
    assert.deepEqual(
      frames.map((frame) => frame.child_frame_id),
      bodies,
    );
    assert.deepEqual(
      frames.flatMap(({ transform }) => flat(transform)),
      poses,
    );
  });
  assert.ok(touched > 5, `${touched} rows in contact`);
});

test('without a tool: the first body that moves, and no command', async () => {
  const json = rowsOf(await simulate('ball-on-incline', 'json', '0.7s', 'ball.json'));
  const topics = await readTopics(await simulate('ball-on-incline', 'mcap', '0.7s', 'ball.mcap'));
  assert.equal(topics.has('/berth/command'), false);
  const last = json.rows.length - 1;
  const of = (parts: readonly string[]): number[] =>
    pick(
      json,
      json.rows[last],
      parts.map((name) => `ball.${name}`),
    );
  assert.deepEqual(flat(topics.get('/berth/setpoint')![last].message), of(POSE));
  assert.deepEqual(flat(topics.get('/berth/setpoint_twist')![last].message), of(TWIST));
  const active = json.columns.indexOf('ball-incline.active');
  const carried = topics.get('/berth/wrench_model')!.map(({ message }) => {
    const [x, y, z] = flat(message);
    return Math.hypot(x, y, z) > 0 ? 1 : 0;
  });
  assert.deepEqual(
    carried,
    json.rows.map((row) => row[active]),
  );
  assert.ok(carried.includes(1), 'the ball touched');
});

test('the same run gives the same bytes, and is no recording of a loop', async () => {
  const one = await simulate('ball-on-incline', 'mcap', '0.7s', 'one.mcap');
  const first = readFileSync(one);
  const again = await simulate('ball-on-incline', 'mcap', '0.7s', 'one.mcap');
  assert.ok(first.equals(readFileSync(again)));
  await assert.rejects(
    openRecording(one),
    /^BerthError: The file is no recording of a loop but a simulation of ball-on-incline: /,
  );
});
