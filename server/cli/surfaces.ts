/** `berth surfaces`: the faces of a STEP file, as a table or as JSON, and one of them as the surface that a contact takes. */
import { parseArgs } from 'node:util';
import { shownPath } from '../../config/paths.ts';
import { readStepFile, stepSurface } from '../../config/step-file.ts';
import { faceExtent } from '../../config/step/face-extent.ts';
import type { StepFace, StepFaces } from '../../config/step/step-faces.ts';
import { BerthError } from '../../src/base/errors.ts';
import { alignedLines } from './aligned-lines.ts';

export const usage = `Usage: berth surfaces FILE [--face NAME] [--json]

Lists the faces of a STEP file (AP203, AP214, AP242): number, name, kind, size, unit of the file; for a face that is not read, the reason.

  --face NAME   one face by its name, its number or its instance as #12: its surface as JSON, in metres and radians
  --json        the list as JSON, in metres`;

/** A face in the list. */
interface Row {
  readonly number: number;
  readonly instance: string;
  /** null for none */
  readonly name: string | null;
  /** null for a face that is not read */
  readonly kind: string | null;
  /** Box around it in the frame of the part. */
  readonly low_m: readonly number[] | null;
  readonly high_m: readonly number[] | null;
  readonly unit: string | null;
  /** Why it is not read; null when it is. */
  readonly problem: string | null;
}

/** Runs the command. @returns exit code */
export function run(argv: string[]): Promise<number> {
  return new Promise((resolve) => {
    resolve(list(argv));
  });
}

function list(argv: string[]): number {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { face: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  if (positionals.length !== 1) throw new BerthError('BERTH_USAGE', 'expected one STEP FILE');
  const [path] = positionals;
  const shown = shownPath(path);
  const file = readStepFile(path, shown, 'FILE');
  if (values.face !== undefined) {
    console.log(JSON.stringify(stepSurface(file, values.face, '--face'), null, 2));
    return 0;
  }
  const rows = file.faces.map((face) => rowOf(file, face));
  if (values.json) {
    console.log(JSON.stringify({ file: shown, schemas: file.file.schemas, faces: rows }, null, 2));
  } else for (const line of table(shown, file, rows)) console.log(line);
  return 0;
}

function rowOf(file: StepFaces, face: StepFace): Row {
  const { number, id } = face;
  const name = face.name === '' ? null : face.name;
  const about = { number, instance: `#${id}`, name };
  try {
    const { name: unit } = file.unitsOf(face);
    const spec = file.surfaceOf(face);
    const { low, high } = faceExtent(spec);
    return { ...about, kind: spec.shape.kind, low_m: low, high_m: high, unit, problem: null };
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    const nothing = { kind: null, low_m: null, high_m: null, unit: null };
    return { ...about, ...nothing, problem: error.message };
  }
}

function table(shown: string, { file }: StepFaces, rows: readonly Row[]): string[] {
  const cells = rows.map(({ number, name, kind, low_m, high_m, unit }) => [
    String(number),
    name ?? '–',
    kind ?? 'not read',
    low_m === null || high_m === null
      ? '–'
      : low_m.map((low, a) => millimetres(high_m[a] - low)).join(' × '),
    unit ?? '–',
  ]);
  const head = ['face', 'name', 'kind', 'size, mm', 'unit'];
  const lines = alignedLines([head, ...cells], (column) => column === 0);
  const schemas = file.schemas.join(', ') || 'no schema';
  const count = `${rows.length} ${rows.length === 1 ? 'face' : 'faces'}`;
  const problems = rows.flatMap(({ problem }) => problem ?? []);
  return [`${shown}: ${count}, ${schemas}`, ...lines, ...new Set(problems)];
}

/** Four digits of a length. */
function millimetres(metres: number): string {
  const value = 1e3 * metres;
  return String(Math.abs(value) < 1e-6 ? 0 : Number(value.toPrecision(4)));
}
