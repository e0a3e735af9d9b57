/** Runs that stand out: flown again into files that a page can open, only when they come out as before. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadStudy } from '../../../config/study.ts';
import { makeManifest } from '../../../server/cli/study/manifest.ts';
import { NOTABLE, writeNotable } from '../../../server/cli/study/notable-runs.ts';
import type { StudyResult } from '../../../server/cli/study/results.ts';
import { runPoint } from '../../../server/cli/study/run-point.ts';
import { summarize } from '../../../server/cli/study/summary.ts';
import { readFrames, readScene } from '../../../server/recordings/read-frames.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-notable-'));
after(() => rmSync(folder, { recursive: true }));

test('least, median and most open as recordings, and one that comes out differently is refused', async () => {
  const file = join(folder, 'study.yaml');
  writeFileSync(
    file,
    `name: test
scenario: ball-on-table
until_s: 0.2 s
end_when: [{ column: ball-table.active, below: 0.5 }]
design: { kind: grid }
vary:
  - { name: height, fields: [bodies.ball.position_m.2], choice: [0.16, 0.12, 0.14, 0.13, 0.15] }
quantities:
  - { name: speed, of: at, column: ball.v_z_mps, when: { column: ball-table.normal_force_N, above: 0 } }
`,
  );
  const manifest = makeManifest(loadStudy(file));
  const results = new Map(
    manifest.runs.map(({ id, changes }): [string, StudyResult] => [
      id,
      { id, build: manifest.build, machine: 'm', ...runPoint(manifest, changes) },
    ]),
  );
  const summary = summarize(manifest, results);
  const notes: string[] = [];
  const write = (of: typeof manifest): Promise<void> =>
    writeNotable(folder, of, results, summary, (words) => notes.push(words));
  const names = (): string[] => readdirSync(join(folder, NOTABLE)).sort();

  await write(manifest);
  const first = names();
  // fastest from 0.16, slowest from 0.12, in the middle 0.14, and perhaps another one at random
  for (const run of [0, 1, 2]) assert.ok(first.some((name) => name.startsWith(`run-${run}-`)));
  const path = join(folder, NOTABLE, first[0]);
  const { mode, bodies, length_s } = await readScene(path);
  assert.equal(mode, 'simulated');
  assert.ok(bodies.some(({ name }) => name === 'ball'));
  // v² = 2 g h at the touch, whose end ends the run: later than the fall, before 0.2 s
  const fall_s = Math.sqrt((2 * 0.06) / 9.81);
  assert.ok(length_s > fall_s && length_s < 0.19, `${length_s} s`);
  assert.ok(
    Math.abs(Number(results.get(manifest.runs[0].id)?.quantities[0]) + 9.81 * fall_s) < 2e-3,
  );
  const frames = await readFrames(path, 0, 10, 50);
  assert.equal(frames.length, Math.floor(length_s * 50) + 1);
  const fallen = ({ scene }: (typeof frames)[number]): number => scene.poses[7 + 2];
  for (const frame of frames.slice(0, 5))
    assert.ok(Math.abs(fallen(frame) - (0.16 - (9.81 * frame.at_s ** 2) / 2)) < 2e-5);

  // what is there stays, what no longer stands out goes
  writeFileSync(join(folder, NOTABLE, 'run-9-00000000.mcap'), '');
  await write({ ...manifest, build: 'another' });
  assert.deepEqual(names(), first);
  assert.deepEqual(notes, []);
  rmSync(path);
  await write({ ...manifest, build: 'another' });
  assert.match(notes.join(), /the study is of build another/);
  const { id } = manifest.runs[0];
  results.set(id, { ...results.get(id)!, hash: '0' });
  await assert.rejects(write(manifest), /came out differently here than on m/);
  assert.ok(!names().some((name) => name.startsWith('run-0-')));
});
