/** Entry of the thread that reads scenario files for the list: in the thread of the sockets that would hold up the inputs of an operator in flight. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Summary, type SummaryWish, summaryOf } from './summary.ts';

const wishes = workerData as readonly SummaryWish[];
parentPort!.postMessage(wishes.map((wish): Summary => summaryOf(wish)));
