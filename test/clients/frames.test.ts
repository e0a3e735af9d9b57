/** The robot kits read and write the golden frames of HLP/1 byte for byte; their layouts are those of the code. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { cobsEncode, MAX_ENCODED } from '../../hil/protocol/cobs.ts';
import { FRAMES } from '../../hil/protocol/layout.ts';
import { Random } from '../../src/math/random.ts';
import { GOLDEN_KEY, goldenValue } from '../hil/protocol/golden-frames.ts';
import { CProgram } from '../fixtures/kits.ts';
import { KIT_LAYOUTS } from './kit-layouts.ts';

const root = packageRoot();
const vectors = JSON.parse(readFileSync(join(root, 'test/vectors/hlp1/1.0.json'), 'utf8')) as {
  readonly frames: Readonly<Record<string, string>>;
};
const KEYS = { key: GOLDEN_KEY, role: 'server', server: [1, 2], robot: [3, 4] };

type Values = Record<string, number | string | number[]>;

/** What a golden frame holds, by the rule that it was made by. */
function valuesOf(name: string): { type: string; seq: number; t_us: number; values: Values } {
  if (name === 'STOP tagged') {
    return { type: 'STOP', seq: 7, t_us: 1_000_000, values: { category: 1, request: 3 } };
  }
  const frame = FRAMES.find((one) => one.name === name)!;
  const values: Values = {};
  for (const field of frame.fields) {
    const list = Array.from({ length: field.count }, (_, i) => goldenValue(frame.type, field, i));
    values[field.name] = field.type === 'char' ? 'Berth' : field.count === 1 ? list[0] : list;
  }
  return { type: name, seq: 0x01020304, t_us: 987_654_321, values };
}

/** Blocks around the length at which COBS opens another one, with zeros and without. */
function blocks(): Uint8Array[] {
  const random = new Random(19);
  return [1, 2, 253, 254, 255, 256, 508, 509, 512].flatMap((length) =>
    [0, 0.02, 0.5, 1].map((zeros) =>
      Uint8Array.from({ length }, () =>
        random.uniform() < zeros ? 0 : 1 + Math.floor(254 * random.uniform()),
      ),
    ),
  );
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

interface Answer {
  readonly check: number;
  readonly decoded: Record<string, Record<string, unknown>>;
  readonly encoded: Record<string, string>;
  readonly cobs: string[];
  readonly back: string[];
}

function ask(frames: Readonly<Record<string, string>>): Answer {
  const values = Object.fromEntries(
    Object.keys(vectors.frames).map((name) => [
      name,
      { ...valuesOf(name), tagged: name === 'STOP tagged' },
    ]),
  );
  const input = JSON.stringify({ frames, values, keys: KEYS, blocks: blocks().map(toHex) });
  const script = join(root, 'test/clients/kit_golden.py');
  return JSON.parse(execFileSync('python3', ['-B', script], { input, encoding: 'utf8' })) as Answer;
}

test('layouts of the kits are those that `npm run docs:kits` writes', () => {
  for (const [path, text] of Object.entries(KIT_LAYOUTS)) {
    assert.equal(readFileSync(join(root, path), 'utf8'), text(), `${path} is out of date`);
  }
});

test('19: the Python kit writes and reads every golden frame byte for byte', () => {
  const { check, decoded, encoded } = ask(vectors.frames);
  assert.equal(check, 0xe3069283);
  assert.deepEqual(encoded, vectors.frames);
  for (const name of Object.keys(vectors.frames)) {
    const { type, seq, t_us, values } = valuesOf(name);
    const tag = name === 'STOP tagged' ? true : null;
    assert.deepEqual(decoded[name], { name: type, seq, t_us, values, tag }, name);
  }
});

test('the Python kit refuses damaged frames by the reason', () => {
  const state = Buffer.from(vectors.frames['STATE'], 'hex');
  const flip = (at: number): string => {
    const bytes = Buffer.from(state);
    bytes[at] ^= 1;
    return toHex(bytes);
  };
  const { decoded } = ask({
    payload: flip(40),
    checksum: flip(state.length - 1),
    short: toHex(state.subarray(0, 19)),
    long: '00'.repeat(513),
  });
  assert.deepEqual(
    Object.values(decoded).map((one) => one['refused']),
    ['crc', 'crc', 'length', 'length'],
  );
});

test('COBS of the Python kit is that of the serial link', () => {
  const { cobs, back } = ask({});
  const out = new Uint8Array(MAX_ENCODED + 1);
  const expected = blocks().map((block) =>
    toHex(out.slice(0, cobsEncode(block, block.length, out))),
  );
  assert.deepEqual(cobs, expected);
  assert.deepEqual(back, blocks().map(toHex));
});

const golden = new CProgram('test/clients/kit_golden.c');
after(() => golden.remove());

/** Answers of the C kit, a line each. */
function askC(lines: readonly string[]): string[] {
  const out = execFileSync(golden.path, [], { input: lines.join('\n') + '\n', encoding: 'utf8' });
  return out.trimEnd().split('\n');
}

test('19: the C kit writes and reads every golden frame byte for byte, without a warning of the compiler', () => {
  const names = Object.keys(vectors.frames);
  const [check, ...answers] = askC(['C', ...names.map((name) => `F ${vectors.frames[name]}`)]);
  assert.equal(check, `check ${String(0xe3069283)}`);
  names.forEach((name, index) => {
    const { type, seq, t_us, values } = valuesOf(name);
    const [seenType, seenSeq, seenTime, tag, bytes, ...fields] = answers[index].split(' ');
    const isTagged = name === 'STOP tagged' ? '1' : '0';
    assert.deepEqual([seenType, seenSeq, seenTime, tag], [type, `${seq}`, `${t_us}`, isTagged]);
    assert.equal(bytes, vectors.frames[name], name);
    const expected = FRAMES.find((one) => one.name === type)!.fields.flatMap((field) => {
      const value = values[field.name];
      const codes = (text: string): number[] =>
        Array.from({ length: field.count }, (_, i) => (i < text.length ? text.charCodeAt(i) : 0));
      const list = typeof value === 'string' ? codes(value) : [value].flat();
      return list.map((one) => `${field.name}=${one}`);
    });
    assert.deepEqual(fields, expected, name);
  });
});

test('the C kit refuses damaged frames, and its COBS is that of the serial link', () => {
  const state = vectors.frames['STATE'];
  const damaged = state.slice(0, 80) + (state[80] === '0' ? '1' : '0') + state.slice(81);
  const lines = [
    `F ${damaged}`,
    `F ${state.slice(0, 38)}`,
    ...blocks().map((b) => `B ${toHex(b)}`),
  ];
  const [crc, length, ...cobs] = askC(lines);
  assert.deepEqual([crc, length], ['refused crc', 'refused length']);
  const out = new Uint8Array(MAX_ENCODED + 1);
  const expected = blocks().map(
    (b) => `cobs ${toHex(out.slice(0, cobsEncode(b, b.length, out)))} ${toHex(b)}`,
  );
  assert.deepEqual(cobs, expected);
});
