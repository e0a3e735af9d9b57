/** STEP files that users name: read once and bounded, and their faces by name or number. */
import { BerthError } from '../src/base/errors.ts';
import type { SurfaceSpec } from '../src/shapes/surfaces/surface-spec.ts';
import { readInput } from './input-file.ts';
import { nearest } from './read.ts';
import { MOST_STEP_BYTES } from './step/exchange-file.ts';
import { type StepFace, StepFaces } from './step/step-faces.ts';

/** Most names that a message lists, and letters of one that it repeats. */
const MOST_LISTED = 8;
const LONGEST_SHOWN = 60;

/**
 * Reads a STEP file.
 * @param shown its name in errors
 * @param field where the user named it
 * @throws BerthError for one that is missing, too large, of another kind, cut off or without faces
 */
export function readStepFile(path: string, shown: string, field: string): StepFaces {
  const text = readInput(path, field, MOST_STEP_BYTES).toString('utf8');
  return atField(field, () => new StepFaces(text, shown));
}

/**
 * The surface of a face, m, in the frame of the part.
 * @param face its name, or where no face has it the number in the file counted from 1, or `#12` for the instance
 * @param field where the user named the face
 * @throws BerthError for a face that is not there, and for one that is not read
 */
export function stepSurface(file: StepFaces, face: string, field: string): SurfaceSpec {
  return atField(field, () => file.surfaceOf(faceNamed(file, face, field)));
}

/** Gives an error of the file the position that the user wrote. */
function atField<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    throw new BerthError(error.code, error.message, { field });
  }
}

function faceNamed({ faces, file }: StepFaces, face: string, field: string): StepFace {
  const named = faces.filter(({ name }) => name === face);
  const found =
    named.length > 0
      ? named
      : faces.filter(({ number, id }) => String(number) === face || `#${id}` === face);
  if (found.length === 1) return found[0];
  const shown = JSON.stringify(face.slice(0, LONGEST_SHOWN));
  if (found.length > 1) {
    const all = found.map(({ number, id }) => `${number} (#${id})`).slice(0, MOST_LISTED);
    throw new BerthError(
      'BERTH_DUPLICATE_NAME',
      `Expected ${field} to name one face of ${file.name}, got ${shown}, which ${found.length} have; give the number of one of them: ${all.join(', ')}`,
      { field },
    );
  }
  throw new BerthError(
    'BERTH_UNKNOWN_NAME',
    `Expected ${field} to name a face of ${file.name}, got ${shown}; ${hint(faces, face)}`,
    { field },
  );
}

/** What to say of a face that is not there. */
function hint(faces: readonly StepFace[], face: string): string {
  const names = faces.flatMap(({ name }) => (name === '' ? [] : [name]));
  const near = face.length > LONGEST_SHOWN ? [] : nearest(face, names);
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  const listed = names.slice(0, MOST_LISTED).join(', ');
  const more = names.length > MOST_LISTED ? ', …' : '';
  const named = names.length > 0 ? `, or a name: ${listed}${more}` : ' (its faces have no names)';
  return `allowed: a number from 1 to ${faces.length}${named}`;
}
