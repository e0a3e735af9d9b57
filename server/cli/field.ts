/** `berth field`: makes the signed distance field of a mesh file and keeps it beside it. */
import { parseArgs } from 'node:util';
import { checkScale, readMeshBytes } from '../../config/cell-file.ts';
import { closedMesh, refuseSelfIntersection } from '../../config/closed-mesh.ts';
import { fieldFile, hasField, writeField } from '../../config/field-file.ts';
import { shownPath } from '../../config/paths.ts';
import { readQuantity } from '../../config/units.ts';
import { BerthError } from '../../src/base/errors.ts';
import { makeField } from '../../src/proximity/make-field.ts';
import { BLOCK_VALUES } from '../../src/shapes/field-blocks.ts';
import { meshExtent } from '../../src/shapes/triangle-mesh.ts';

export const usage = `Usage: berth field FILE [OPTIONS]

Makes the signed distance field of a closed mesh (STL, OBJ, GLB, glTF) and writes it to FILE.field, where pairs of kind sampled find it.
Does nothing when that file is up to date.

  --cell X        distance of two nodes, such as 0.5mm (default: 1/128 of the largest extent)
  --band X        depth and height up to which it is known (default: 4 cells)
  --scale X       metres in one unit of FILE (default 1, for files of up to 20 units)
  -o, --output F  write it to F`;

/** Cells along the largest extent, and over the band, where nothing is said. */
const CELLS = 128;
const BAND = 4;
const LEAST_BAND = 2;
const MOST_CELLS = 4096;

/** Runs the command. @returns exit code */
export function run(argv: string[]): Promise<number> {
  return Promise.resolve(make(argv));
}

function make(argv: string[]): number {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      cell: { type: 'string' },
      band: { type: 'string' },
      scale: { type: 'string' },
      output: { type: 'string', short: 'o' },
    },
  });
  if (positionals.length !== 1) throw new BerthError('BERTH_USAGE', 'expected one mesh FILE');
  const [file] = positionals;
  const shown = shownPath(file);
  const given = values.scale === undefined ? undefined : ratio(values.scale);
  const scale = given ?? 1;
  const asked = { cell: length('--cell', values.cell), band: length('--band', values.band) };
  const bytes = readMeshBytes(file, shown, 'FILE');
  const closed = closedMesh(bytes, shown, 'FILE');
  checkScale(closed, { file: shown, scale: given }, '--scale');
  for (const note of closed.notes) console.log(`${shown}: ${note}`);
  const extent = meshExtent(closed) * scale;
  const cell = within('--cell', asked.cell ?? extent / CELLS, extent / MOST_CELLS, extent / 4);
  const band = within('--band', asked.band ?? BAND * cell, LEAST_BAND * cell, extent);
  const options = { cell: cell / scale, band: band / scale, scale };
  const output = values.output ?? fieldFile(file);
  if (hasField(output, bytes, options.cell, options.band)) {
    console.log(`${shownPath(output)} is up to date`);
    return 0;
  }
  refuseSelfIntersection(closed, shown, 'FILE');
  const field = makeField(closed, options, shown);
  writeField(output, bytes, extent / scale, field);
  const blocks = field.values.length / BLOCK_VALUES;
  const facts = [
    `cells of ${words(cell)}`,
    `${blocks} blocks`,
    `${Number((field.values.byteLength / 1e6).toPrecision(3))} MB`,
    `known up to ${words(band)}`,
    `largest error found ${words(field.error * scale)}`,
  ];
  console.log(`${shownPath(output)}: ${facts.join(', ')}`);
  return 0;
}

const words = (metres: number): string => `${Number((1e3 * metres).toPrecision(3))} mm`;

function ratio(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value > 0 && value < Infinity) return value;
  const allowed = 'allowed: metres in one unit of the file, such as 0.001';
  throw new BerthError('BERTH_USAGE', `--scale is "${text}"; ${allowed}`, { field: '--scale' });
}

/** Metres of an option; undefined when it is not there. */
function length(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const result = readQuantity(text, 'm');
  if (result.ok && result.value > 0) return result.value;
  const allowed = 'allowed: a length with its unit, such as 0.5mm';
  throw new BerthError('BERTH_USAGE', `${option} is "${text}"; ${allowed}`, { field: option });
}

function within(option: string, metres: number, least: number, most: number): number {
  if (metres >= least && metres <= most) return metres;
  const allowed = `allowed: from ${words(least)} to ${words(most)} for this file`;
  throw new BerthError('BERTH_USAGE', `${option} is ${words(metres)}; ${allowed}`, {
    field: option,
  });
}
