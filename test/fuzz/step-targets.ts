/** Fuzzer of STEP files: the structure, and every face with its borders. */
import assert from 'node:assert/strict';
import { BerthError } from '../../src/base/errors.ts';
import { StepFaces } from '../../config/step/step-faces.ts';
import { faceExtent } from '../../config/step/face-extent.ts';
import { petal, PETALS, StepWriter } from '../fixtures/step-files.ts';
import { bytesOf, type FuzzTarget, textOf } from './target.ts';

/** A ball with a seam between its poles. */
function ball(): string {
  const writer = new StepWriter();
  const ends = [writer.vertex([0, 0, -10]), writer.vertex([0, 0, 10])];
  const axes = writer.axes([0, 0, 0], [0, -1, 0]);
  const seam = writer.edge(ends[0], ends[1], writer.circle(axes, 10));
  const surface = writer.add(`SPHERICAL_SURFACE('',#${writer.axes()},10.)`);
  writer.face(surface, [writer.loop(seam, -seam)], 'BALL');
  return writer.text();
}

/** STEP files, read face by face; a face that is refused does not hide the others. */
export function step(): FuzzTarget {
  return {
    corpus: [...PETALS.map(petal), ball()].map(bytesOf),
    words: [
      '#1',
      '#32',
      '(',
      ')',
      ',',
      ';',
      "'",
      '/*',
      '*/',
      '.T.',
      '.F.',
      '$',
      '*',
      '1.E300',
      '-0.',
      '=(',
      'ENDSEC;',
    ],
    text: true,
    run: (input) => {
      const file = new StepFaces(textOf(input), 'part.step');
      let read = 0;
      for (const face of file.faces) {
        try {
          const spec = file.surfaceOf(face);
          const { low, high } = faceExtent(spec);
          assert.ok([...low, ...high].every(Number.isFinite), 'a face that is not finite');
          read++;
        } catch (error) {
          if (!(error instanceof BerthError)) throw error;
        }
      }
      return `${read} of ${file.faces.length}`;
    },
  };
}
