/** Effect of an injected fault on a worker: it blocks for a while, or ends by an error. */
import type { WorkerInjection } from '../loop/worker-data.ts';

const never = new Int32Array(new SharedArrayBuffer(4));

/** @throws Error when the fault is an error */
export function applyWorkerFault({ fault, amount }: WorkerInjection): void {
  if (fault.endsWith('_error')) throw new Error(`Injected fault: ${fault}`);
  Atomics.wait(never, 0, 0, 1000 * amount);
}
