/** `berth simplify`: writes a coarser mesh file and says how far its surface is from the other one. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readMeshBytes } from '../../config/cell-file.ts';
import { closedMesh } from '../../config/closed-mesh.ts';
import { fileErrorWords } from '../../config/input-file.ts';
import { shownPath } from '../../config/scenario.ts';
import { type SimplifyLimit, simplifyMesh } from '../../config/simplify-mesh.ts';
import { BerthError } from '../../src/base/errors.ts';

export const usage = `Usage: berth simplify FILE (--distance X | --triangles N) [--output FILE.stl]

Makes a closed mesh (STL, OBJ, GLB, glTF) coarser and writes it as binary STL, in the units of the file. Says a bound of the distance
of both surfaces, which is computed afterwards: no point of one is farther from the other.

  --distance X    largest distance of both surfaces, in the units of the file
  --triangles N   most triangles, 4 or more, wherever that leads
  --output FILE   the file to write (default: FILE-simple.stl beside the other one)`;

/** Runs the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      distance: { type: 'string' },
      triangles: { type: 'string' },
      output: { type: 'string' },
    },
  });
  if (positionals.length !== 1) throw new BerthError('BERTH_USAGE', 'expected one mesh FILE');
  const [file] = positionals;
  const limit = limitOf(values.distance, values.triangles);
  const output = values.output ?? file.replace(/[.][^.]*$/, '') + '-simple.stl';
  if (!/[.]stl$/i.test(output)) {
    throw new BerthError(
      'BERTH_USAGE',
      `--output is "${output}"; allowed: a file that ends in .stl`,
      {
        field: '--output',
      },
    );
  }
  const shown = shownPath(file);
  const closed = closedMesh(readMeshBytes(file, shown, 'FILE'), shown, 'FILE');
  for (const note of closed.notes) console.log(`${shown}: ${note}`);
  const { bytes, mesh, bound } = await simplifyMesh(closed, limit, shown);
  try {
    writeFileSync(output, bytes);
  } catch (error) {
    const words = fileErrorWords(error);
    if (words === null) throw error;
    throw new BerthError('BERTH_USAGE', `--output: ${words}`, { field: '--output' });
  }
  const count = (triangles: Uint32Array): number => triangles.length / 3;
  const volume = 100 * (mesh.volume / closed.volume - 1);
  console.log(
    `${shownPath(output)}: ${count(mesh.triangles)} triangles in place of ${count(closed.triangles)}, ` +
      `at most ${digits(bound)} from the surface, ${volume < 0 ? '' : '+'}${digits(volume)} % of volume`,
  );
  return 0;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function limitOf(distance: string | undefined, triangles: string | undefined): SimplifyLimit {
  if ((distance === undefined) === (triangles === undefined)) {
    throw new BerthError(
      'BERTH_USAGE',
      `expected either --distance or --triangles, got ${distance === undefined ? 'neither' : 'both'}`,
    );
  }
  if (distance !== undefined) {
    const value = distance.trim() === '' ? Number.NaN : Number(distance);
    if (value > 0 && value < Infinity) return { distance: value };
    throw new BerthError('BERTH_USAGE', `--distance is "${distance}"; allowed: a number above 0`, {
      field: '--distance',
    });
  }
  const value = triangles?.trim() === '' ? Number.NaN : Number(triangles);
  if (Number.isInteger(value) && value >= 4) return { triangles: value };
  throw new BerthError(
    'BERTH_USAGE',
    `--triangles is "${triangles}"; allowed: a whole number from 4 on`,
    { field: '--triangles' },
  );
}
