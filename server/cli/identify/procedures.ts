/** The procedures of `berth identify` by their names. */
import { BREAKAWAY } from './breakaway.ts';
import { DRAG } from './drag.ts';
import { DROP } from './drop.ts';
import type { Procedure } from './findings.ts';
import { PAYLOAD } from './payload.ts';
import { PRE_SLIDING } from './pre-sliding.ts';
import { PRESS } from './press.ts';
import { RING_DOWN } from './ring-down.ts';
import { STICK_SLIP } from './stick-slip.ts';
import { TAP } from './tap.ts';
import { TILT } from './tilt.ts';
import { TWIST } from './twist.ts';

/** Every procedure. */
export const PROCEDURES: Readonly<Record<string, Procedure>> = {
  press: PRESS,
  drag: DRAG,
  drop: DROP,
  tap: TAP,
  tilt: TILT,
  breakaway: BREAKAWAY,
  'stick-slip': STICK_SLIP,
  'pre-sliding': PRE_SLIDING,
  'ring-down': RING_DOWN,
  twist: TWIST,
  payload: PAYLOAD,
};
