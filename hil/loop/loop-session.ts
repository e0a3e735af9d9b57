/** The loop's end of the robot link, made by the settings: the same in a service, in its warm-up and in a replay. */
import type { Settings } from '../../config/settings.ts';
import type { Link } from '../contract/link.ts';
import { TaggingLink } from '../links/tagging-link.ts';
import { type HandshakeWitness, Role } from '../protocol/endpoint.ts';
import { ServerSession } from '../protocol/server-session.ts';
import type { NonceSource } from '../protocol/nonce.ts';
import { setpointTtl_ms } from '../safety/setpoint-life.ts';

/**
 * A new session; `nonces` null takes random numbers of the machine, `runKey` is that of the service's own emulated robot, if any.
 * A replay has neither key, and takes what they were for from the recorded state. `witness` sees the handshakes.
 */
export function makeSession(
  settings: Settings,
  nonces: NonceSource | null,
  runKey: string,
  witness: HandshakeWitness | null = null,
): ServerSession {
  const { robot, loop, limits } = settings;
  return new ServerSession({
    period_s: loop.period_s,
    keyed: robot.key !== '',
    provable: runKey !== '',
    limits,
    ttlFree_ms: setpointTtl_ms(false, loop.period_s),
    ttlContact_ms: setpointTtl_ms(true, loop.period_s),
    ...(robot.transport === 'serial' ? { baud: robot.baud } : {}),
    ...(nonces === null ? {} : { nonces }),
    ...(witness === null ? {} : { witness }),
  });
}

/** The link that the session receives from: tags go no further. */
export function makeTaggingLink(line: Link, settings: Settings, runKey: string): TaggingLink {
  return new TaggingLink(line, Role.SERVER, [settings.robot.key, runKey]);
}
