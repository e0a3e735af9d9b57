/**
 * File `NAME.field` with the signed distance field of a mesh file beside it, so that loading a scenario does not compute it. It contains the
 * hash of its mesh and is refused for another mesh.
 *
 * Layout, little-endian: 8 bytes `BERTHFLD`, length of the head (uint32), the head in JSON, padded by spaces to a multiple of 8 bytes; number
 * of each block (int32, −1 for one that is not kept), distance of its middle (float32), coefficients of the blocks that are kept (float32).
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { BerthError } from '../src/base/errors.ts';
import type { DistanceField } from '../src/shapes/distance-field.ts';
import { BLOCK_VALUES } from '../src/shapes/field-blocks.ts';
import { checkExtent } from './cell-file.ts';
import { hashOf, readInput } from './input-file.ts';
import { shownPath } from './paths.ts';

const MAGIC = 'BERTHFLD';
const FORMAT = 'berth-field-1';
const PREFIX = MAGIC.length + 4;
/** 65,536 blocks and the largest grid. */
const MOST_BYTES = 512 * 1024 * 1024;

type Numbers = readonly [number, number, number];

/** What the file says of itself. */
interface Head {
  readonly format: string;
  /** Of the mesh file, and of what follows the head. */
  readonly sha256: string;
  readonly body: string;
  readonly cell: number;
  readonly band: number;
  readonly error: number;
  readonly origin: Numbers;
  readonly counts: Numbers;
  readonly kept: number;
  /** Largest extent of the mesh. */
  readonly extent: number;
}

/** Path of the field of a mesh file. */
export function fieldFile(meshPath: string): string {
  return `${meshPath}.field`;
}

/** Writes a field; a reader never sees a part of it. */
export function writeField(
  path: string,
  mesh: Uint8Array,
  extent: number,
  field: DistanceField,
): void {
  const { blocks, middles, values, cell, band, error, origin, counts } = field;
  const body = Buffer.concat([blocks, middles, values].map(bytesOf));
  const kept = values.length / BLOCK_VALUES;
  const sha256 = hashOf(mesh);
  const head: Head = {
    format: FORMAT,
    sha256,
    body: hashOf(body),
    cell,
    band,
    error,
    origin,
    counts,
    kept,
    extent,
  };
  const text = Buffer.from(JSON.stringify(head));
  const padding = Buffer.alloc((8 - ((PREFIX + text.length) % 8)) % 8, ' ');
  const prefix = Buffer.alloc(PREFIX);
  prefix.write(MAGIC, 'latin1');
  prefix.writeUInt32LE(text.length + padding.length, MAGIC.length);
  writeFileSync(`${path}.part`, Buffer.concat([prefix, text, padding, body]));
  renameSync(`${path}.part`, path);
}

/** Whether a file has the field of this mesh with these cells and this band. */
export function hasField(path: string, mesh: Uint8Array, cell: number, band: number): boolean {
  if (!existsSync(path)) return false;
  const parts = partsOf(readInput(path, 'FILE', MOST_BYTES));
  return (
    typeof parts !== 'string' &&
    parts.head.sha256 === hashOf(mesh) &&
    parts.head.cell === cell &&
    parts.head.band === band
  );
}

/**
 * Reads the field of a mesh, with `scale` metres in one unit of it, 1 when left out. `field` is its position in the scenario.
 * @throws BerthError for a missing or damaged field, and for one of another mesh
 */
export function readField(
  path: string,
  meshPath: string,
  mesh: Uint8Array,
  scale: number | undefined,
  field: string,
): DistanceField {
  const shown = shownPath(path);
  const output = path === fieldFile(meshPath) ? '' : ` -o ${shown}`;
  const given = scale === undefined ? '' : ` --scale ${scale}`;
  const command = `berth field ${shownPath(meshPath)}${given}${output}`;
  if (!existsSync(path)) {
    throw new BerthError(
      'BERTH_MISSING_FILE',
      `${field}: there is no ${shown} with the distance field of the mesh; run: ${command}`,
      { field },
    );
  }
  const wrong = (what: string): BerthError =>
    new BerthError('BERTH_MISMATCH', `${field}: ${shown} ${what}; run again: ${command}`, {
      field,
    });
  const parts = partsOf(readInput(path, field, MOST_BYTES));
  if (typeof parts === 'string') throw wrong(parts);
  const { head, blocks, middles, values } = parts;
  if (head.sha256 !== hashOf(mesh)) throw wrong(`was made of another ${shownPath(meshPath)}`);
  checkExtent(head.extent, { file: shownPath(meshPath), scale }, field);
  const { origin, cell, counts, band, error } = head;
  return { origin, cell, counts, band, blocks, middles, values, error, scale: scale ?? 1 };
}

interface Parts {
  readonly head: Head;
  readonly blocks: Int32Array;
  readonly middles: Float32Array;
  readonly values: Float32Array;
}

/** Parts of a file, or what is wrong with it. */
function partsOf(bytes: Buffer): Parts | string {
  if (bytes.length < PREFIX || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return 'is no distance field';
  const start = PREFIX + bytes.readUInt32LE(MAGIC.length);
  const head = headOf(bytes.toString('utf8', PREFIX, start));
  if (head === null) return 'has a damaged head';
  if (head.format !== FORMAT) return `has not the format ${FORMAT}`;
  const total = head.counts[0] * head.counts[1] * head.counts[2];
  const body = bytes.subarray(start);
  const complete = body.length === 4 * (2 * total + head.kept * BLOCK_VALUES);
  if (!complete || hashOf(body) !== head.body) return 'is damaged';
  const copy = body.buffer.slice(body.byteOffset, body.byteOffset + body.length);
  return {
    head,
    blocks: new Int32Array(copy, 0, total),
    middles: new Float32Array(copy, 4 * total, total),
    values: new Float32Array(copy, 8 * total),
  };
}

function headOf(text: string): Head | null {
  try {
    const head = JSON.parse(text) as Partial<Head> | null;
    const triple = (value: unknown): boolean =>
      Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
    const sizes = [head?.cell, head?.band, head?.error, head?.kept, head?.extent];
    const usable = triple(head?.origin) && triple(head?.counts) && sizes.every(Number.isFinite);
    return usable ? (head as Head) : null;
  } catch {
    return null;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
