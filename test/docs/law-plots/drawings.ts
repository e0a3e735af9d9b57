/** Every drawing of docs/laws/plots. */
import type { Drawing } from './drawing.ts';
import { frictionDrawings } from './friction-curves.ts';
import { normalDrawings } from './normal-curves.ts';
import { rollingDrawings } from './rolling-curves.ts';
import { volumetricDrawings } from './volumetric-curves.ts';

/** All of them; takes a few seconds. */
export function lawDrawings(): Drawing[] {
  return [
    ...normalDrawings(),
    ...frictionDrawings(),
    ...rollingDrawings(),
    ...volumetricDrawings(),
  ];
}
