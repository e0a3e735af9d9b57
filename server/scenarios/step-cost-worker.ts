/** Entry of the thread that times a scenario beside a running service. */
import { parentPort, workerData } from 'node:worker_threads';
import { stepCosts } from './step-cost.ts';

const { scenario, period_s, force_N } = workerData as {
  readonly scenario: string;
  readonly period_s: number;
  readonly force_N: number;
};
try {
  parentPort!.postMessage({ costs: stepCosts(scenario, period_s, force_N) });
} catch {
  parentPort!.postMessage({ costs: null }); // the load says what is wrong with it
}
