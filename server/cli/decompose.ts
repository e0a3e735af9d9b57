/** `berth decompose`: makes the convex cells of a concave mesh file and keeps them beside it. */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { convexPieces, readMeshBytes } from '../../config/cell-file.ts';
import { closedMesh, refuseSelfIntersection } from '../../config/closed-mesh.ts';
import { decomposeMesh } from '../../config/decompose-mesh.ts';
import {
  decompositionFile,
  isUpToDate,
  writeDecomposition,
} from '../../config/decomposition-file.ts';
import { shownPath } from '../../config/scenario.ts';
import { BerthError } from '../../src/base/errors.ts';
import { readNumber, readWhole } from './arguments.ts';

export const usage = `Usage: berth decompose FILE [OPTIONS]

Cuts the solid of a concave mesh file (STL, OBJ, GLB, glTF) into convex cells that share no volume and writes them to FILE.cells.json,
where scenarios find them. Does nothing when that file is up to date. Needs the package manifold-3d; scenarios do not.

  --depth X    how deep a hollow may be filled, part of the largest extent (default 0.005)
  --volume X   most volume that the cells may add, part of that of the mesh (default 0.01)
  --cells N    most cells (default 64)`;

/** Runs the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      depth: { type: 'string', default: '0.005' },
      volume: { type: 'string', default: '0.01' },
      cells: { type: 'string', default: '64' },
    },
  });
  if (positionals.length !== 1) throw new BerthError('BERTH_USAGE', 'expected one mesh FILE');
  const [file] = positionals;
  const limits = {
    depth: readNumber('--depth', values.depth, 0, 0.5),
    volume: readNumber('--volume', values.volume, 0, 1),
    cells: readWhole('--cells', values.cells, 1, 1000),
  };
  const shown = shownPath(file);
  const bytes = readMeshBytes(file, shown, 'FILE');
  const closed = closedMesh(bytes, shown, 'FILE');
  for (const note of closed.notes) console.log(`${shown}: ${note}`);
  const convex = convexPieces(closed, 1);
  if (convex !== null) {
    const what = convex.length === 1 ? 'is convex' : `is made of ${convex.length} convex pieces`;
    console.log(`${shown} ${what}: scenarios take it as it is`);
    return 0;
  }
  const output = decompositionFile(file);
  if (existsSync(output) && isUpToDate(readFileSync(output, 'utf8'), bytes, limits)) {
    console.log(`${shownPath(output)} is up to date`);
    return 0;
  }
  refuseSelfIntersection(closed, shown, 'FILE');
  const progress = (cells: number, hollow: number): void => {
    process.stderr.write(`\r${cells} cells, ${percent(hollow)} of volume to be cut away   `);
  };
  const result = await decomposeMesh(
    closed,
    process.stderr.isTTY ? { ...limits, progress } : limits,
    shown,
  );
  if (process.stderr.isTTY) process.stderr.write('\n');
  writeDecomposition(output, bytes, limits, result);
  const added = result.cellVolume / result.meshVolume - 1;
  console.log(
    `${shownPath(output)}: ${result.cells.length} convex cells, ${percent(Math.max(0, added))} of volume added`,
  );
  return 0;
}

function percent(part: number): string {
  return `${Number((100 * part).toPrecision(3))} %`;
}
