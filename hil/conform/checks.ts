/**
 * What a robot on HLP/1 has to do, one check each (docs/protocol.md, docs/robot-kit.md). A check begins with a session of its own and
 * returns what was seen where that is not as expected. Those that move the tool say so.
 */
import type { Check } from './check.ts';
import { END_CHECKS, FRAME_CHECKS } from './link-checks.ts';
import { MOTION_CHECKS } from './motion-checks.ts';

/** Every check, in the order in which a robot is judged. */
export const CHECKS: readonly Check[] = [...FRAME_CHECKS, ...MOTION_CHECKS, ...END_CHECKS];
