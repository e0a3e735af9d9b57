/** What a check of a robot is, and what checks have in common. */
import { SafetyState } from '../contract/codes.ts';
import type { StateFrame } from '../protocol/frames.ts';
import type { PlayedServer } from './played-server.ts';

export interface Check {
  readonly name: string;
  readonly expected: string;
  /** The tool moves by some millimetres along +z. */
  readonly moves: boolean;
  /** @returns what was seen instead, empty when all is as expected */
  readonly run: (server: PlayedServer) => Promise<string>;
}

const FOLLOWING: readonly number[] = [SafetyState.ACTIVE_FREE, SafetyState.ACTIVE_CONTACT];
/** Whether the robot says that it follows set-points. */
export const follows = (state: StateFrame): boolean => FOLLOWING.includes(state.linkState);

/** Distance of two points, m. */
export function distance(a: Float64Array, b: Float64Array): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt(x * x + y * y + z * z);
}

/** A distance in words. */
export const mm = (metres: number): string => `${(1000 * metres).toFixed(2)} mm`;

/** A session, with set-points of mode idle. @throws Error when none comes about */
export async function started(server: PlayedServer): Promise<void> {
  if (!(await server.start())) throw new Error('no session came about');
}
