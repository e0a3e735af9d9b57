/** The audit log: its chain names what was touched, survives a crash and a full disk, and goes on after a restart. (Fault test 48) */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run as auditCommand } from '../../../server/cli/audit.ts';
import { openAuditLog } from '../../../server/audit/audit.ts';
import { readHead, verifyChain } from '../../../server/audit/audit-chain.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-audit-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => join(folder, `audit-${files++}.ndjson`);

async function writeLog(file: string, records: number): Promise<void> {
  const log = await openAuditLog({ file, now_ms: () => 1_700_000_000_000 });
  for (let i = 0; i < records; i++) {
    const detail = { holder: i, words: 'ä "quoted" \\ text' };
    log.write({ actor: `operator#${i}`, action: 'authority.change', result: 'ok', detail });
  }
  await log.close();
}

/** Exit code and words of the command. */
async function verify(file: string): Promise<{ code: number; words: string }> {
  const words: string[] = [];
  const { log, error } = console;
  console.log = (text: string) => void words.push(text);
  console.error = (text: string) => void words.push(text);
  try {
    return { code: await auditCommand(['verify', file]), words: words.join('\n') };
  } finally {
    console.log = log;
    console.error = error;
  }
}

test('48: a whole log verifies, and its head is that of the last record', async () => {
  const file = newFile();
  await writeLog(file, 20);
  const { head, fault, tornBytes } = await verifyChain(file);
  assert.deepEqual([head.n, fault, tornBytes], [20, null, 0]);
  assert.deepEqual(readHead(file), head);
  assert.equal((await verify(file)).code, 0);
});

test('48: any flipped byte is found, and its line is named', async (t) => {
  const file = newFile();
  await writeLog(file, 3);
  const sound = readFileSync(file);
  const changed = newFile();
  let line = 1;
  for (let at = 0; at < sound.length; at++) {
    const bytes = Buffer.from(sound);
    bytes[at] ^= 1 << (at % 8);
    writeFileSync(changed, bytes);
    const { fault, tornBytes } = await verifyChain(changed);
    const last = at === sound.length - 1; // the end of the last line: the line counts as cut off
    assert.ok(fault !== null || (last && tornBytes > 0), `byte ${at}`);
    // a lost line end joins two lines, a new one parts one: the fault is in the line of the byte
    if (fault !== null) assert.equal(fault.line, line, `byte ${at}: ${fault.text}`);
    if (sound[at] === 0x0a) line++;
  }
  t.diagnostic(`acceptance 48: ${sound.length} bytes flipped, each named by its line`);
});

test('48: removed, repeated and exchanged lines are found; a cut tail shows against the head', async (t) => {
  const file = newFile();
  await writeLog(file, 6);
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const head = readFileSync(`${file}.head`);
  const [a, b, c, d, e, f] = lines;
  for (const [kept, line] of [
    [[b, c, d, e, f], 1],
    [[a, b, d, e, f], 3],
    [[a, b, b, c, d, e, f], 3],
    [[a, c, b, d, e, f], 2],
  ] as const) {
    const other = newFile();
    writeFileSync(other, kept.join('\n') + '\n');
    assert.equal((await verifyChain(other)).fault?.line, line);
  }
  const cut = newFile();
  writeFileSync(cut, lines.slice(0, 4).join('\n') + '\n');
  assert.equal((await verifyChain(cut)).fault, null);
  writeFileSync(`${cut}.head`, head);
  const { code, words } = await verify(cut);
  assert.equal(code, 1);
  assert.match(words, /after line 4: 2 records are missing/);
  t.diagnostic('acceptance 48: a cut tail is told by its missing records');
});

test('a restart goes on with the chain; a line that a crash cut off is removed and said', async () => {
  const file = newFile();
  await writeLog(file, 2);
  await writeLog(file, 2);
  appendFileSync(file, '{"n":5,"time":"2026-');
  const { code, words } = await verify(file);
  assert.equal(code, 1);
  assert.match(words, /line 5 is cut off/);
  await writeLog(file, 1);
  const { head, fault } = await verifyChain(file);
  assert.deepEqual([head.n, fault], [6, null]);
  assert.match(readFileSync(file, 'utf8'), /audit\.cut-off-line-removed/);
});

test('a log that is not the one its head notes is not written on, and does not verify', async () => {
  const whole = newFile();
  await writeLog(whole, 100);
  const head = readFileSync(`${whole}.head`, 'utf8');
  const lines = readFileSync(whole, 'utf8').split('\n').slice(0, -1);
  const longer = newFile();
  await writeLog(longer, 1);
  await writeLog(longer, 100);
  const first = lines.slice(0, 60).join('\n') + '\n';
  for (const [log, noted, wrong] of [
    [first, head, /after line 60: 40 records are missing/],
    [first + '{"n":61,', head, /after line 60: 40 records are missing/],
    ['', head, /after line 0: 100 records are missing/],
    [null, head, /after line 0: 100 records are missing/],
    [readFileSync(longer), head, /line 100 is not the record/],
    [lines.join('\n') + '\n', `100 ${'0'.repeat(64)}\n`, /line 100 is not the record/],
    [first, '', /does not hold number and hash/],
    [first, '60\n', /does not hold number and hash/],
  ] as const) {
    const file = newFile();
    if (log !== null) writeFileSync(file, log);
    writeFileSync(`${file}.head`, noted);
    const { code, words } = await verify(file);
    assert.equal(code, 1, words);
    assert.match(words, wrong);
    await assert.rejects(openAuditLog({ file }), (error: Error) => {
      assert.match(error.message, wrong);
      assert.ok(error.message.includes(`keep it and ${file}.head for inspection`), error.message);
      return true;
    });
    assert.equal(existsSync(file), log !== null);
    if (log !== null) assert.equal(readFileSync(file, 'utf8'), log.toString());
    assert.equal(readFileSync(`${file}.head`, 'utf8'), noted);
  }
});

test('a head that stayed behind fits; a log without a head goes on, and says so', async () => {
  const file = newFile();
  await writeLog(file, 2);
  const early = readFileSync(`${file}.head`);
  await writeLog(file, 2);
  writeFileSync(`${file}.head`, early);
  assert.equal((await verify(file)).code, 0);
  await writeLog(file, 1);
  assert.deepEqual(readHead(file), (await verifyChain(file)).head);
  rmSync(`${file}.head`);
  const { code, words } = await verify(file);
  assert.equal(code, 0);
  assert.match(words, /5 records, chain whole; without .*head a cut tail cannot be seen/);
  await writeLog(file, 1);
  assert.match(readFileSync(file, 'utf8'), /audit\.head-missing.*"records":5/);
  assert.deepEqual(readHead(file), (await verifyChain(file)).head);
});

test('a broken log is not written on', async () => {
  const file = newFile();
  await writeLog(file, 3);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('operator#1', 'operator#7'));
  await assert.rejects(openAuditLog({ file }), /line 2 does not fit its hash/);
  assert.equal(readFileSync(file, 'utf8').length, text.length);
});

test('a disk that fails loses no record that it takes later', async (t) => {
  const mount = mkdtempSync(join(tmpdir(), 'berth-audit-disk-'));
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mount]);
  if (made.status !== 0) {
    rmSync(mount, { recursive: true });
    t.skip('no permission to mount a small file system');
    return;
  }
  try {
    const filler = join(mount, 'filler');
    writeFileSync(filler, Buffer.alloc(56 * 1024));
    const file = join(mount, 'audit.ndjson');
    const notes: string[] = [];
    const log = await openAuditLog({ file, onNote: (note) => notes.push(note) });
    for (let i = 0; i < 100; i++) log.write({ actor: 'server', action: `try.${i}`, result: 'ok' });
    while (notes.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.match(notes[0], /cannot be written: ENOSPC/);
    assert.equal((await verifyChain(file)).tornBytes, 0);
    truncateSync(filler, 0);
    await log.close();
    const { head, fault } = await verifyChain(file);
    assert.deepEqual([head.n, fault], [100, null]);
    assert.equal(notes.length, 1);
  } finally {
    spawnSync('umount', [mount]);
    rmSync(mount, { recursive: true, force: true });
  }
});

test('records that a failing disk leaves out are counted, those that come during a write too', async (t) => {
  const file = newFile();
  const probe = await open(file, 'w+');
  const fileHandle = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  let failed = false;
  const log = await openAuditLog({ file, onNote: () => (failed = true) });
  const write = (records: number): void => {
    for (let i = 0; i < records; i++) log.write({ actor: 'server', action: 'try', result: 'ok' });
  };
  const disk = t.mock.method(fileHandle, 'write', () => {
    write(100);
    return Promise.reject(new Error('ENOSPC'));
  });
  write(10_500);
  while (!failed) await new Promise((resolve) => setTimeout(resolve, 5));
  disk.mock.restore();
  await log.close();
  const { head, fault } = await verifyChain(file);
  assert.deepEqual([head.n, fault], [10_001, null]);
  assert.match(readFileSync(file, 'utf8'), /audit\.left-out.*"records":600\b/);
});

test('a record has the time at which it was said, however late the disk takes it', async (t) => {
  const file = newFile();
  const probe = await open(file, 'w+');
  const fileHandle = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  let now_ms = 1_700_000_000_000;
  let failed = false;
  const log = await openAuditLog({ file, now_ms: () => now_ms, onNote: () => (failed = true) });
  const disk = t.mock.method(fileHandle, 'write', () => Promise.reject(new Error('ENOSPC')));
  for (let i = 0; i < 3; i++) {
    log.write({ actor: 'operator#1', action: 'stop', result: 'ok' });
    now_ms += 1000;
  }
  while (!failed) await new Promise((resolve) => setTimeout(resolve, 5));
  now_ms += 3_600_000;
  disk.mock.restore();
  await log.close();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map(
      (line) => Date.parse((JSON.parse(line) as { time: string }).time) - 1_700_000_000_000,
    ),
    [0, 1000, 2000],
  );
});

/** For a process that finds no koffi: the lock comes from the program `flock`. */
const WITHOUT_KOFFI = `data:text/javascript,
  import module from 'node:module';
  const resolve = module._resolveFilename;
  module._resolveFilename = (name, ...rest) => {
    if (name === 'koffi') throw new Error('not installed');
    return resolve(name, ...rest);
  };`;

for (const [how, options] of [
  ['as it is', []],
  ['without koffi', ['--import', WITHOUT_KOFFI]],
] as const) {
  test(`a second service is refused the log of the first; one that was killed keeps nothing (${how})`, async () => {
    const file = newFile();
    const here = new URL(`./audit-process${extname(import.meta.url)}`, import.meta.url);
    const all = [...process.execArgv, ...options, fileURLToPath(here), file];
    const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const refused =
      /^BerthError: audit\.file: .* is written by another service; name another file$/;
    await assert.rejects(openAuditLog({ file }), refused);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const log = await openAuditLog({ file });
    await assert.rejects(openAuditLog({ file }), refused, 'within a process too');
    log.write({ actor: 'server', action: 'try', result: 'ok' });
    await log.close();
    const { fault, headFault } = await verifyChain(file);
    assert.deepEqual([fault, headFault], [null, null]);
    assert.equal(readFileSync(file, 'utf8').match(/"action":"try"/g)?.length, 2);
  });
}

test('a line with a right hash that is no record, and a line without an end, are named', async () => {
  const file = newFile();
  const body = '{"n":1,,"previous":"x"}';
  const hash = createHash('sha256').update(body).digest('hex');
  writeFileSync(file, `${body.slice(0, -1)},"hash":"${hash}"}\n`);
  assert.equal((await verify(file)).code, 1);
  assert.match((await verifyChain(file)).fault?.text ?? '', /^line 1 is not a record/);
  writeFileSync(file, 'a'.repeat(2_000_000));
  assert.match((await verifyChain(file)).fault?.text ?? '', /^line 1 is longer than/);
});
