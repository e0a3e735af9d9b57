/**
 * Superelements: retained nodes and their matrices in the input format of Abaqus and CalculiX, as their substructure output writes them.
 *
 * *NODE and *NSET as in a mesh; *MATRIX INPUT, NAME=… with lines of row node, row component, column node, column component, value, either
 * triangle or both; *MATRIX ASSEMBLE, STIFFNESS=…, MASS=… says which is which, without it the names STIFFNESS and MASS do. Units are
 * consistent: forces in N, lengths in the unit of the file, seconds.
 */
import type { Superelement } from '../src/fem/elastic-structure.ts';
import { dataFollows, dataLine, keywordOf, numbersOf, readNodes, readSet } from './abaqus-lines.ts';
import type { MeshLines } from './mesh-lines.ts';
import { MeshNodes } from './mesh-nodes.ts';

/** Most retained nodes: the matrices are full. */
const MOST_NODES = 1000;

/** A line of a matrix. */
interface Entry {
  readonly numbers: readonly number[];
  readonly line: number;
}

/** Whether a text is a superelement. */
export function isSuperelement(text: string): boolean {
  return /^\*MATRIX\s*INPUT/im.test(text);
}

/** Retained nodes: all of the file. */
class RetainedNodes extends MeshNodes {
  coordinates(): Float64Array {
    if (this.points.size === 0 || this.points.size > MOST_NODES) {
      const allowed = `to have 1 to ${MOST_NODES} retained nodes (*NODE)`;
      throw this.lines.error('the superelement', allowed, this.points.size);
    }
    return Float64Array.from([...this.points.values()].flatMap(({ at }) => at));
  }
}

/** Reads it; `scale` metres in one unit of length. @throws BerthError with line and field */
export function readSuperelement(lines: MeshLines, scale: number): Superelement {
  const nodes = new RetainedNodes(lines, scale);
  const matrices = new Map<string, Entry[]>();
  let roles = { stiffness: 'STIFFNESS', mass: 'MASS' };
  for (let line = lines.next(); line !== null; line = lines.next()) {
    if (line === '' || line.startsWith('**')) continue;
    if (!line.startsWith('*')) throw lines.error('a keyword', 'to begin with *', line);
    const { name, parameters } = keywordOf(line);
    if (name === 'NODE') readNodes(lines, nodes, parameters.get('NSET'));
    else if (name === 'NSET') readSet(lines, nodes, parameters, line);
    else if (name.replace(/\s+/, ' ') === 'MATRIX INPUT') {
      if (parameters.has('INPUT')) {
        const allowed = 'to stand in this file, below *MATRIX INPUT';
        throw lines.error('the lines of a matrix', allowed, line, 'BERTH_UNSUPPORTED');
      }
      const key = (parameters.get('NAME') ?? '').toUpperCase();
      if (key === '') throw lines.error('NAME', 'to be given', line, 'BERTH_MISSING_FIELD');
      if (matrices.has(key)) {
        throw lines.error('names of matrices', 'to be given once', key, 'BERTH_DUPLICATE_NAME');
      }
      matrices.set(key, readEntries(lines));
    } else if (name.replace(/\s+/, ' ') === 'MATRIX ASSEMBLE') {
      roles = {
        stiffness: (parameters.get('STIFFNESS') ?? roles.stiffness).toUpperCase(),
        mass: (parameters.get('MASS') ?? roles.mass).toUpperCase(),
      };
    } else if (/^(ELEMENT|INCLUDE)$/.test(name)) {
      const allowed = 'to be nodes, sets and matrices';
      throw lines.error('a superelement', allowed, line, 'BERTH_UNSUPPORTED');
    } else while (dataFollows(lines)) lines.next();
  }
  const coordinates = nodes.coordinates();
  const stiffness = matrices.get(roles.stiffness);
  if (stiffness === undefined) {
    const allowed = `to have a matrix of the name ${roles.stiffness}`;
    const got = [...matrices.keys()].join(', ');
    throw lines.error('the superelement', allowed, got, 'BERTH_MISSING_FIELD');
  }
  const mass = matrices.get(roles.mass);
  const numbers = nodes.numbers();
  return {
    coordinates,
    nodeSets: nodes.nodeSets(),
    // N per unit of length, and N s² per unit of length
    stiffness: fullMatrix(lines, roles.stiffness, stiffness, numbers, scale),
    mass: mass === undefined ? null : fullMatrix(lines, roles.mass, mass, numbers, scale),
  };
}

function readEntries(lines: MeshLines): Entry[] {
  const found: Entry[] = [];
  for (let line = dataLine(lines); line !== null; line = dataLine(lines)) {
    const numbers = numbersOf(lines, line, 'an entry');
    if (numbers.length !== 5) {
      const allowed = 'as: row node, row component, column node, column component, value';
      throw lines.error('an entry', allowed, line);
    }
    found.push({ numbers, line: lines.number });
  }
  return found;
}

function fullMatrix(
  lines: MeshLines,
  name: string,
  entries: readonly Entry[],
  numbers: ReadonlyMap<number, number>,
  scale: number,
): Float64Array {
  const n = 3 * numbers.size;
  const out = new Float64Array(n * n);
  const given = new Uint8Array(n * n);
  for (const { numbers: entry, line } of entries) {
    const at = [0, 2].map((k) => {
      const node = numbers.get(entry[k]);
      if (node === undefined) {
        const field = `matrix ${name}`;
        const allowed = 'to name nodes of the file';
        throw lines.error(field, allowed, entry[k], 'BERTH_UNKNOWN_NAME', line);
      }
      if (![1, 2, 3].includes(entry[k + 1])) {
        const allowed = 'to be 1, 2 or 3: displacements alone can be retained';
        throw lines.error(`a component of matrix ${name}`, allowed, entry[k + 1], undefined, line);
      }
      return 3 * node + entry[k + 1] - 1;
    });
    const place = n * at[0] + at[1];
    if (given[place] === 1) {
      const allowed = 'to be given once';
      const got = entry.slice(0, 4).join(', ');
      throw lines.error(`entries of matrix ${name}`, allowed, got, 'BERTH_DUPLICATE_NAME', line);
    }
    given[place] = 1;
    out[place] = entry[4] / scale;
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (given[n * i + j] === 0 && given[n * j + i] === 1) out[n * i + j] = out[n * j + i];
    }
  }
  return out;
}
