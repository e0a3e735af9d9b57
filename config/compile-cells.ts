/**
 * Compiles the cells of a body of a scenario file to cell models.
 *
 * A body schema has `cells: Cells` of cell-schema.ts. The compiler of the scenario calls
 * `compileCells(body.cells, 'bodies[2].cells', dirname(scenarioFile))`. `checkCells`
 * (src/shapes/check-cell.ts) and `checkBodyCells` (src/overlap/check-cells.ts) check the physics of
 * the result.
 */
import type { CellModel, CellShape, Placed, PrimitiveShape } from '../src/shapes/cell-model.ts';
import { BerthError } from '../src/base/errors.ts';
import { mergeCells } from '../src/overlap/merge-cells.ts';
import { readCellFile } from './cell-file.ts';
import type { ScenarioCell } from './cell-schema.ts';
import { compileShape } from './compile-shape.ts';
import { compileOrientation } from './orientation.ts';

type ShapeSource = NonNullable<ScenarioCell['shape']>;
type PartSource = Extract<ShapeSource, { kind: 'boolean' }>['common'][number];

/**
 * Compiles the cells of a body.
 * @param field position of the list in the file, for messages
 * @param directory folder to which `file` entries are relative
 * @throws BerthError for an entry with neither or both of shape and file, and for an unusable file
 */
export function compileCells(
  source: readonly ScenarioCell[],
  field: string,
  directory: string,
): CellModel[] {
  return source.flatMap((entry, index) => {
    const at = `${field}[${index}]`;
    const placement = {
      ...(entry.embedded ? { embedded: true } : {}),
      position: entry.position_m,
      orientation: compileOrientation(entry.orientation, `${at}.orientation`),
    };
    if (entry.shape !== undefined && entry.file === undefined) {
      if (entry.scale !== undefined) {
        throw new BerthError(
          'BERTH_MISMATCH',
          `Expected ${at}.scale only beside a file, got ${entry.scale} beside a shape, whose lengths are in metres`,
          { field: `${at}.scale` },
        );
      }
      const name = entry.name ?? `cell-${index + 1}`;
      return [{ name, shape: shape(entry.shape, `${at}.shape`), ...placement }];
    }
    if (entry.file !== undefined && entry.shape === undefined) {
      const { file, scale, decompose, name } = entry;
      const cells = readCellFile({ file, directory, scale, decompose }, at);
      const base = name ?? file.replace(/^.*[/\\]/, '');
      return cells.map((cell, k) => ({
        name: cells.length === 1 ? base : `${base}-${k + 1}`,
        shape: cell,
        ...placement,
      }));
    }
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${at} to have either a shape or a file, got ${entry.file === undefined ? 'neither' : 'both'}`,
      { field: at },
    );
  });
}

/**
 * The cells of a body or link with those merged whose union is convex, if `merge_cells` asks for it.
 * @param field position of the body in the file, for messages
 * @throws BerthError when there is no cell to merge, and for cells that overlap
 */
export function mergedCells(
  cells: readonly CellModel[],
  asked: boolean,
  field: string,
): readonly CellModel[] {
  if (!asked) return cells;
  if (cells.length > 0) return mergeCells(cells, `${field}.cells`);
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected ${field}.merge_cells only beside cells, got true and no cell`,
    { field: `${field}.merge_cells` },
  );
}

function shape(source: ShapeSource, field: string): CellShape {
  if (source.kind !== 'boolean') return primitive(source);
  const parts = (list: readonly PartSource[], name: string): Placed<PrimitiveShape>[] =>
    list.map((part, index) => ({
      shape: primitive(part.shape),
      position: part.position_m,
      orientation: compileOrientation(part.orientation, `${field}.${name}[${index}].orientation`),
    }));
  return {
    kind: 'boolean',
    common: parts(source.common, 'common'),
    without: parts(source.without, 'without'),
  };
}

function primitive(source: PartSource['shape']): PrimitiveShape {
  switch (source.kind) {
    case 'half-space':
      return { kind: 'half-space' };
    case 'bore':
      return { kind: 'bore', radius: source.radius_m };
    default:
      return compileShape(source);
  }
}
