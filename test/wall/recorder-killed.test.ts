/** 40: a recorder that is killed leaves a file that can be read, and that lacks at most the last second or 256 KB. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openRecording } from '../../hil/recording/read-recording.ts';
import { RecordKind } from '../../hil/memory/records.ts';
import { inspectRecording } from '../../hil/recording/recover.ts';
import { recordingsIn } from '../fixtures/recordings-in.ts';

const here = (path: string): string =>
  fileURLToPath(new URL(`${path}${extname(import.meta.url)}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'berth-killed-'));
after(() => rmSync(folder, { recursive: true }));

const TICKS = 2500;
const SECOND = 1000;

async function countTicks(file: string): Promise<number> {
  let next = 0;
  for await (const { kind, bytes } of (await openRecording(file)).records()) {
    if (kind !== RecordKind.TICK) continue;
    assert.equal(new Float64Array(bytes.buffer, bytes.byteOffset, 1)[0], next++);
  }
  return next;
}

function recover(...args: string[]): { code: number | null; out: string; error: string } {
  const all = [...process.execArgv, here('../../server/main'), 'recover', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  return { code: status, out: stdout, error: stderr };
}

test('40: SIGKILL while recording; recover closes the file and counts', async (t) => {
  const child = spawn(
    process.execPath,
    [...process.execArgv, here('../hil/recording/writer-process'), folder],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  let given = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    given = Number(line);
    if (given >= TICKS) child.kill('SIGKILL');
  }
  await ended;
  const [name] = recordingsIn(folder);
  const file = join(folder, name);
  const kept = await countTicks(file);
  t.diagnostic(`${given} ticks given, ${given - kept} lost`);
  assert.ok(kept <= given + 10);
  assert.ok(given - kept <= SECOND, `${given - kept} of ${given} ticks lost`);
  assert.equal((await openRecording(file)).closed, false);
  const before = inspectRecording(file);
  assert.equal(before.whole, false);

  const out = join(folder, 'out.mcap');
  const done = recover(file, '-o', out);
  assert.equal(done.code, 0, done.error);
  assert.ok(done.out.includes(`${before.messages} messages in ${before.chunks} chunks kept`));
  assert.ok(done.out.includes(`lost: ${before.lostBytes} bytes`));
  assert.equal(await countTicks(out), kept);
  const after = inspectRecording(out);
  assert.deepEqual([after.whole, after.messages], [true, before.messages]);

  const again = recover(out);
  assert.deepEqual([again.code, again.out.includes('Nothing to do')], [0, true]);
  assert.equal(existsSync(join(folder, 'out-recovered.mcap')), false);
  t.diagnostic(`acceptance 40: ${given - kept} of ${given} ticks lost (≤ ${SECOND}), recovered`);
});

test('recover refuses what is no recording, and never overwrites', () => {
  const text = join(folder, 'text.mcap');
  writeFileSync(text, 'no recording at all');
  assert.deepEqual(recover(text), {
    code: 2,
    out: '',
    error: `berth recover: file: "${text}" is no MCAP file\n`,
  });
});
