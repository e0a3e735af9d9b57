/** Points of elastic faces as figures. */
import { FACE } from './description.ts';

/** States of a point; 0 is that of a point of no elastic face. */
export const SLIDES = 2;

export interface FaceFigures {
  readonly stick: number;
  readonly slide: number;
  /** Largest pressure, Pa; 0 where no area is known. */
  readonly pressure_Pa: number;
}

/** Of `faces` of the topic `scene`; null where no point of an elastic face pushes. */
export function faceFigures(faces: readonly number[]): FaceFigures | null {
  let [points, slide, pressure_Pa] = [0, 0, 0];
  for (let k = 0; k < faces.length; k += FACE) {
    if (faces[k] === 0) continue;
    points++;
    if (faces[k] === SLIDES) slide++;
    pressure_Pa = Math.max(pressure_Pa, faces[k + 1]);
  }
  return points === 0 ? null : { stick: points - slide, slide, pressure_Pa };
}
