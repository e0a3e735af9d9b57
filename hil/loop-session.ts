/** The loop's end of the robot link as the settings want it: the same in a service, in its warm-up and in a replay. */
import type { Settings } from '../config/settings.ts';
import { ServerSession } from './protocol/server-session.ts';
import type { NonceSource } from './protocol/tag.ts';

/** A new session; `nonces` null takes random numbers of the machine. */
export function makeSession(settings: Settings, nonces: NonceSource | null): ServerSession {
  const { robot, loop, limits } = settings;
  return new ServerSession({
    period_s: loop.period_s,
    key: robot.key,
    limits,
    ...(robot.transport === 'serial' ? { baud: robot.baud } : {}),
    ...(nonces === null ? {} : { nonces }),
  });
}
