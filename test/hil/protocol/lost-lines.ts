/** Two ends of a line of which each direction can be cut, and the time that they need when it is mended. */
import { Pair } from '../../fixtures/session-pair.ts';

export const SYNCED = 3;
/** A silence of 0.5 s, two back-offs of 0.25 s, and the clock's first exchanges, ms. */
export const LIMIT_MS = 1500;

/** Cut a direction, or mend it. */
export function set(pair: Pair, toRobot: boolean, toServer: boolean): void {
  pair.serverLink.drops = () => !toRobot;
  pair.robotLink.drops = () => !toServer;
}

/** Mend the line. @returns time until both ends are synchronised and have stayed so for 600 ms, ms; Infinity when they are not within the limit */
export function mend(pair: Pair): number {
  set(pair, true, true);
  let since = 0;
  for (let ms = 1; ms <= LIMIT_MS + 600; ms++) {
    pair.run(1);
    if (pair.server.phase !== SYNCED || pair.robot.phase !== SYNCED) since = ms;
    if (ms - since >= 600) return since;
  }
  return Infinity;
}
