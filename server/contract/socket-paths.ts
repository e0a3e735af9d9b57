/** Where sockets are opened, the role they need, and their sub-protocols. */
import type { Role } from '../../hil/contract/roles.ts';

export const SOCKET_PROTOCOLS = ['operator', 'telemetry', 'foxglove'] as const;
export type SocketProtocol = (typeof SOCKET_PROTOCOLS)[number];

/** Sub-protocols of Foxglove, the preferred one first. */
export const FOXGLOVE_PROTOCOLS: readonly string[] = ['foxglove.sdk.v1', 'foxglove.websocket.v1'];

/** Weakest role, sub-protocols, preferred first, and largest message of each path. */
export const SOCKET_PATHS: Readonly<
  Record<
    string,
    {
      protocol: SocketProtocol;
      role: Role;
      subprotocols: readonly string[];
      maximumPayload: number;
    }
  >
> = {
  '/operator': {
    protocol: 'operator',
    role: 'operator',
    subprotocols: ['berth.operator.v1'],
    maximumPayload: 4096,
  },
  '/telemetry': {
    protocol: 'telemetry',
    role: 'viewer',
    subprotocols: ['berth.telemetry.v1'],
    maximumPayload: 1024,
  },
  '/foxglove': {
    protocol: 'foxglove',
    role: 'viewer',
    subprotocols: FOXGLOVE_PROTOCOLS,
    maximumPayload: 16 * 1024,
  },
};
