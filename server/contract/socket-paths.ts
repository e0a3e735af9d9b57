/** Where sockets are opened, and what is spoken on them. */

export const SOCKET_PROTOCOLS = ['operator', 'telemetry', 'foxglove'] as const;
export type SocketProtocol = (typeof SOCKET_PROTOCOLS)[number];

/** Sub-protocols of Foxglove, the one we prefer first. */
export const FOXGLOVE_PROTOCOLS: readonly string[] = ['foxglove.sdk.v1', 'foxglove.websocket.v1'];

/** Sub-protocols, the one we prefer first, and largest message of each path. */
export const SOCKET_PATHS: Readonly<
  Record<
    string,
    { protocol: SocketProtocol; subprotocols: readonly string[]; maximumPayload: number }
  >
> = {
  '/operator': {
    protocol: 'operator',
    subprotocols: ['berth.operator.v1'],
    maximumPayload: 4096,
  },
  '/telemetry': {
    protocol: 'telemetry',
    subprotocols: ['berth.telemetry.v1'],
    maximumPayload: 1024,
  },
  '/foxglove': {
    protocol: 'foxglove',
    subprotocols: FOXGLOVE_PROTOCOLS,
    maximumPayload: 16 * 1024,
  },
};
