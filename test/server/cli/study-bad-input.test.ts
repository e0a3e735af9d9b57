/** What cannot be used of a study and its folder: one clear error each, and finished results stay. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadStudy } from '../../../config/study.ts';
import { makeManifest, readManifest, writeManifest } from '../../../server/cli/study/manifest.ts';
import { writeTable } from '../../../server/cli/study/merged-table.ts';
import { PartWriter, readResults, type StudyResult } from '../../../server/cli/study/results.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-bad-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'study.yaml');

const planned = (more = '', column = 'ball-table.normal_force_N') => {
  writeFileSync(
    file,
    `name: test
scenario: ball-on-table
design: { kind: random, runs: 3 }
vary: [{ name: height, fields: [bodies.ball.position_m.2], uniform: { low: 0.12, high: 0.13 } }]
quantities: [{ name: peak, of: most, column: ${column} }]
${more}`,
  );
  return makeManifest(loadStudy(file));
};

test('a scenario that fails its check, and columns that it has not, are refused before a run', () => {
  assert.throws(() => planned('set: [contacts.0.normal_law.restitution=2]'), /restitution/);
  assert.throws(() => planned('set: [bodies.bal.position_m=1]'), /bal/);
  assert.throws(
    () => planned('', 'ball-table.force'),
    /quantities\[0\][.]column is "ball-table.force"/,
  );
  assert.throws(
    () => planned('end_when: [{ column: ball-tabel.active, below: 1 }]'),
    /end_when\[0\][.]column is "ball-tabel[.]active"; did you mean ball-table[.]active/,
  );
});

test('a disk that is full, a damaged plan and a damaged line are named; results before them stay', async () => {
  const manifest = planned();
  writeManifest(folder, manifest);
  const result = (run: number): StudyResult => ({
    ...{ id: manifest.runs[run].id, build: manifest.build, machine: 'm' },
    ...{ reason: null, hash: 'h', quantities: [run] },
  });
  new PartWriter(folder, 'good').add(result(0));
  mkdirSync(join(folder, 'parts'), { recursive: true });
  symlinkSync('/dev/full', join(folder, 'parts', 'full.jsonl'));
  assert.throws(
    () => new PartWriter(folder, 'full').add(result(1)),
    /full[.]jsonl" cannot be written: .*ENOSPC.*results so far are kept/,
  );
  rmSync(join(folder, 'parts', 'full.jsonl'));
  assert.equal(readResults(folder, manifest).size, 1);
  symlinkSync('/dev/full', join(folder, 'table.csv'));
  await assert.rejects(
    writeTable(folder, manifest, readResults(folder, manifest), 3),
    /table[.]csv.*ENOSPC/s,
  );

  const good = readFileSync(join(folder, 'parts', 'good.jsonl'), 'utf8');
  writeFileSync(join(folder, 'parts', 'bad.jsonl'), `${JSON.stringify(result(1))}\n{"id":\n`);
  assert.throws(() => readResults(folder, manifest), /line 2 of .*bad[.]jsonl is damaged/);
  writeFileSync(join(folder, 'manifest.json'), '{"format":');
  assert.throws(() => readManifest(folder), /manifest[.]json is damaged: .*writes it anew/);
  writeManifest(folder, { ...manifest, format: 'berth-study-1' as typeof manifest.format });
  assert.throws(() => readManifest(folder), /has the format "berth-study-1"; allowed: berth-study/);
  assert.equal(readFileSync(join(folder, 'parts', 'good.jsonl'), 'utf8'), good);
});

test('a file that one case alone names is part of the name of every run', () => {
  const palette = join(folder, 'palette.yaml');
  const ids = (): string[] => {
    writeFileSync(
      file,
      `name: test
scenario: ball-on-table
design: { kind: grid }
vary:
  - name: material
    cases: [{ name: own, set: [] }, { name: other, set: ['materials_file=${palette}'] }]
quantities: [{ name: peak, of: most, column: ball-table.normal_force_N }]
`,
    );
    return makeManifest(loadStudy(file)).runs.map(({ id }) => id);
  };
  writeFileSync(palette, 'solids: []\npairs: []\n');
  const first = ids();
  assert.deepEqual(ids(), first);
  writeFileSync(palette, '# measured anew\nsolids: []\npairs: []\n');
  const second = ids();
  assert.notEqual(second[1], first[1]);
  assert.equal(new Set(second).size, 2);
});
