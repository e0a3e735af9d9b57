/** A15 and A16 at every event, by the implicit method. */
import { test } from 'node:test';
import { marchThroughEvents } from './event-march.ts';

test('A15, A16: at every event of rosenbrock', () => marchThroughEvents('rosenbrock'));
