/** A15 and A16 at every event, by each explicit method. By `rosenbrock`: acceptance-events.long.test.ts. */
import { test } from 'node:test';
import { marchThroughEvents } from './event-march.ts';

for (const name of ['dormand-prince', 'ode3', 'rk4', 'ode5'] as const) {
  test(`A15, A16: at every event of ${name}`, () => marchThroughEvents(name));
}
