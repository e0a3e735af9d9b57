/**
 * Watches a running service for a moment, with `berth/client`: what state it is in, and whether a robot is there.
 *
 *   node --import tsx examples/watch.ts http://localhost:7410
 */
import { TelemetryClient } from 'berth/client';

const url = process.argv[2] ?? 'http://localhost:7410';
const client = await TelemetryClient.connect({ url, name: 'watch' });
const seen = new Promise<void>((resolve) => {
  client.on('telemetry', ({ state }) => {
    if (state === undefined) return;
    console.log(
      `${state.state} in mode ${state.mode}, faults: ${state.faults.join(', ') || 'none'}`,
    );
    if (state.state.startsWith('MONITOR')) resolve();
  });
});
await client.subscribe(['state'], 10);
await seen;
client.close();
