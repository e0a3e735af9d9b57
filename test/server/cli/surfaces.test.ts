/** `berth surfaces`: the list, its JSON, one face, a face that is not read, bad calls. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../../server/cli/surfaces.ts';
import type { SurfaceSpec } from '../../../src/shapes/surfaces/surface-spec.ts';
import { petal, PETALS, petalPath } from '../../fixtures/step-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-surfaces-'));
after(() => {
  rmSync(folder, { recursive: true });
});

/** What a call prints. */
async function printed(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => lines.push(line);
  try {
    assert.equal(await run(argv), 0);
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

test('the table has number, name, kind, size in millimetres and unit', async () => {
  const text = await printed(petalPath(PETALS[2]));
  const [head, columns, ...rows] = text.split('\n');
  assert.match(head, /petal-inch-ap242\.stp: 9 faces, AP242_MANAGED/);
  assert.match(columns, /^face {2}name +kind +size, mm +unit$/);
  assert.equal(rows.length, 9);
  assert.match(rows[0], /^ {3}1 {2}Döme 'Ø 80' {2}nurbs +40 × 50 × 40 +inch$/);
  // the hemisphere
  assert.match(rows[5], /NOSE +sphere +40 × 40 × 20 +inch$/);
});

test('JSON has metres, and the reason for a face that is not read', async () => {
  const path = join(folder, 'part.step');
  writeFileSync(path, petal(PETALS[0]).replace('TOROIDAL_SURFACE', 'DEGENERATE_TOROIDAL_SURFACE'));
  const { faces } = JSON.parse(await printed(path, '--json')) as {
    faces: { name: string; kind: string | null; high_m: number[] | null; problem: string | null }[];
  };
  assert.equal(faces.length, 9);
  const [pad, fillet] = [faces[1], faces[4]];
  assert.deepEqual([pad.name, pad.kind, pad.problem], ['PAD', 'plane', null]);
  assert.ok(Math.abs((pad.high_m?.[0] ?? 0) - 0.04) < 1e-12);
  assert.equal(fillet.kind, null);
  assert.match(
    fillet.problem ?? '',
    /:\d+: Expected surface #\d+ as PLANE, .* got DEGENERATE_TOROI/,
  );
  assert.match(await printed(path), /5 {2}FILLET {2}not read/);
});

test('one face is printed as the surface that the library takes', async () => {
  const spec = JSON.parse(await printed(petalPath(PETALS[0]), '--face', '4')) as SurfaceSpec;
  assert.deepEqual(spec.shape, { kind: 'sphere', radius: 0.02 });
  assert.equal(spec.sign, 1);
  await assert.rejects(run([petalPath(PETALS[0]), '--face', 'NOES']), {
    code: 'BERTH_UNKNOWN_NAME',
    message:
      /^Expected --face to name a face of .*petal-mm-ap214\.step, got "NOES"; did you mean NOSE\?$/,
  });
});

test('bad calls are refused', async () => {
  await assert.rejects(async () => run([]), { code: 'BERTH_USAGE' });
  await assert.rejects(async () => run([join(folder, 'none.step')]), {
    code: 'BERTH_MISSING_FILE',
  });
});
