/** `berth/client` in a browser. */
export { ClockSync } from './clock-sync.ts';
export { HandStation, type HandTrip, type MutableHand, restingHand } from './hand-station.ts';
export type { Unsubscribe } from './listeners.ts';
export type * from './messages.ts';
export { OperatorClient, type OperatorEvents } from './operator-client.ts';
export { retry } from './retry.ts';
export { TelemetryClient, type TelemetryEvents } from './telemetry-client.ts';
export { type CloseReason, ConnectError, type ConnectOptions, type TlsTrust } from './wire.ts';
