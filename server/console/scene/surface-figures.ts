/** Surfaces of free form that touch, as figures. */
import { type SceneDescription, TOUCH, Touch } from './description.ts';

/** Length by which curvatures are judged, m. */
const LENGTH_M = 0.01;
/** Touches that have a figure. */
const MOST = 6;

export interface SurfaceFigure {
  readonly name: string;
  /** Least relative curvature over 1/10 mm; null on a border. */
  readonly ratio: number | null;
  /** Whether the place runs fast over the surface. */
  readonly weak: boolean;
}

/** Below it a place runs fast. */
const WEAK = 1e-3;

/** Of `touches` of the topic `scene`; empty where no surfaces touch. */
export function surfaceFigures(
  numbers: readonly number[],
  touches: SceneDescription['touches'],
): SurfaceFigure[] {
  const figures: SurfaceFigure[] = [];
  for (let k = 0; k < numbers.length && figures.length < MOST; k += TOUCH) {
    if (numbers[k + Touch.PLACES] === 0) continue;
    const axis = numbers.slice(k + Touch.AXIS, k + Touch.AXIS + 3);
    const ratio = axis.some((part) => part !== 0) ? LENGTH_M * numbers[k + Touch.LEAST] : null;
    const name = touches[numbers[k + Touch.OF]]?.name ?? '';
    figures.push({ name, ratio, weak: ratio !== null && ratio < WEAK });
  }
  return figures;
}
