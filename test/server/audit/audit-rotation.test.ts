/** The audit log keeps a bounded room on the disk: a full file is put aside, and the files that are kept are one chain. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { run as auditCommand } from '../../../server/cli/audit.ts';
import { openAuditLog, type OpenAuditLog } from '../../../server/audit/audit.ts';
import { verifyChain } from '../../../server/audit/audit-chain.ts';

const ROTATE_BYTES = 10_000;
const FILES = 3;
/** Records of some 250 bytes: these fill seven files. */
const RECORDS = 280;

const folder = mkdtempSync(join(tmpdir(), 'berth-audit-rotation-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let logs = 0;
function newFile(): string {
  const own = join(folder, String(logs++));
  mkdirSync(own);
  return join(own, 'audit.ndjson');
}

const bounded = { rotate_bytes: ROTATE_BYTES, files: FILES };

function say(log: OpenAuditLog, from: number, to: number): void {
  for (let n = from; n < to; n++) {
    log.write({ actor: `operator#${n}`, action: 'authority.change', result: 'ok', detail: { n } });
  }
}

/** Names in the records of a file. */
const numbers = (file: string): number[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { action: string; detail: { n: number } })
    .filter(({ action }) => action === 'authority.change')
    .map(({ detail }) => detail.n);

/** Exit code and words of `berth audit verify`. */
async function verify(t: TestContext, file: string): Promise<{ code: number; words: string }> {
  const words: string[] = [];
  const take = (text: string): void => void words.push(text);
  const mocks = [t.mock.method(console, 'log', take), t.mock.method(console, 'error', take)];
  const code = await auditCommand(['verify', file]);
  for (const { mock } of mocks) mock.restore();
  return { code, words: words.join('\n') };
}

test('60: however much is said, the log keeps so many files of so many bytes, and they are one chain', async (t) => {
  const file = newFile();
  let records = 0;
  // at once, in one write; and a few at a time, with a restart between
  for (const each of [RECORDS, 7]) {
    for (let n = 0; n < RECORDS; n += each) {
      const log = await openAuditLog({ file, ...bounded, onRecord: () => records++ });
      say(log, n, Math.min(n + each, RECORDS));
      await log.close();
    }
    const names = readdirSync(join(file, '..')).sort();
    const kept = ['audit.ndjson', 'audit.ndjson.1', 'audit.ndjson.2'];
    assert.deepEqual(names, kept.flatMap((name) => [name, `${name}.head`]).sort());
    const files = kept.map((name) => join(file, '..', name));
    for (const one of files) {
      assert.ok(statSync(one).size <= ROTATE_BYTES, `${one}: ${statSync(one).size} bytes`);
      const { fault, headFault, tornBytes } = await verifyChain(one);
      assert.deepEqual([fault, headFault, tornBytes], [null, null, 0]);
    }
    // the newest records, without a gap
    const told = files.toReversed().flatMap(numbers);
    assert.deepEqual(
      told,
      told.map((_, i) => RECORDS - told.length + i),
    );
    const { code, words } = await verify(t, file);
    assert.equal(code, 0, words);
    assert.equal(words.match(/chain whole/g)?.length, FILES, words);
    assert.match(words, /audit\.ndjson\.3: not here; \d+ records, last [0-9a-f]{16}…/);
  }
  const sizes = readdirSync(join(file, '..')).map((name) => statSync(join(file, '..', name)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(
    `acceptance 60: ${records} audit records in ${FILES} files of ${ROTATE_BYTES} bytes at most: ${bytes} bytes on the disk`,
  );
});

test('60: an older file that was exchanged, cut or edited is named', async (t) => {
  const [file, other] = [newFile(), newFile()];
  for (const one of [file, other]) {
    const log = await openAuditLog({ file: one, ...bounded });
    say(log, 0, RECORDS);
    await log.close();
  }
  const older = `${file}.1`;
  const whole = readFileSync(older);
  const lines = whole.toString().trimEnd().split('\n');
  const judged = async (content: string | Buffer): Promise<string> => {
    writeFileSync(older, content);
    const { code, words } = await verify(t, file);
    assert.equal(code, 1, words);
    return words;
  };
  assert.match(await judged(whole.toString().replace('"result":"ok"', '"result":"no"')), /line 1 /);
  assert.match(await judged(`${lines.slice(0, -2).join('\n')}\n`), /2 records are missing/);
  // a whole chain with a fitting head, yet not the one
  rmSync(`${older}.head`);
  assert.match(await judged(`${lines.slice(0, -2).join('\n')}\n`), /is not the log that the file/);
  assert.match(await judged(readFileSync(`${other}.1`)), /is not the log that the file/);
  writeFileSync(older, whole);
  assert.equal((await verify(t, file)).code, 0);
});

test('a log of before the bound goes on, and is put aside when the next record comes', async () => {
  const file = newFile();
  const unbounded = await openAuditLog({ file });
  say(unbounded, 0, RECORDS);
  await unbounded.close();
  assert.ok(statSync(file).size > 4 * ROTATE_BYTES);
  const log = await openAuditLog({ file, ...bounded });
  say(log, RECORDS, RECORDS + 1);
  await log.close();
  assert.deepEqual(numbers(file), [RECORDS]);
  assert.equal(numbers(`${file}.1`).length, RECORDS);
});

test('a full log that cannot be put aside loses nothing, says so once, and is put aside when it can be', async () => {
  const file = newFile();
  const notes: string[] = [];
  let records = 0;
  const log = await openAuditLog({
    file,
    ...bounded,
    onNote: (note) => notes.push(note),
    onRecord: () => records++,
  });
  const inTheWay = `${file}.fresh`;
  mkdirSync(inTheWay);
  say(log, 0, RECORDS);
  while (records < RECORDS) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(notes.length, 1, notes.join('\n'));
  assert.match(notes[0], /is full and goes on: no new one can be begun/);
  rmSync(inTheWay, { recursive: true });
  say(log, RECORDS, RECORDS + 1);
  await log.close();
  assert.deepEqual(numbers(file), [RECORDS]);
  assert.equal(numbers(`${file}.1`).length, RECORDS);
});

test('a crash while a file is put aside leaves a log that goes on', async () => {
  const file = newFile();
  const log = await openAuditLog({ file, ...bounded });
  say(log, 0, 10);
  await log.close();
  // after the head was moved, before the log was
  renameSync(`${file}.head`, `${file}.1.head`);
  appendFileSync(`${file}.fresh`, 'half a rec');
  const again = await openAuditLog({ file, ...bounded });
  say(again, 10, RECORDS);
  await again.close();
  for (const name of ['', '.1', '.2']) {
    const { fault, headFault } = await verifyChain(file + name);
    assert.deepEqual([fault, headFault], [null, null]);
  }
});
