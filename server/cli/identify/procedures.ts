/** The procedures of `berth identify` by their names. */
import { DRAG } from './drag.ts';
import { DROP } from './drop.ts';
import type { Procedure } from './findings.ts';
import { PRESS } from './press.ts';

/** Every procedure. */
export const PROCEDURES: Readonly<Record<string, Procedure>> = {
  press: PRESS,
  drag: DRAG,
  drop: DROP,
};
