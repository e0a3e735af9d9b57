/**
 * Collects the garbage of all heaps of this process before its memory is judged, and returns their
 * free pages. It uses the inspector: `gc()` collects the heap of its own thread only, and keeps
 * twice the needed pages. The heaps of recorder and link are not swept for half an hour and more
 * without a request, and grow by some MB meanwhile. The heap of the loop is left alone: it has no
 * garbage, and a collection would stop it for milliseconds.
 */
import { Session } from 'node:inspector';

const COLLECT = 'HeapProfiler.collectGarbage';

/** Collects the heap of this thread and of workers, by the names of their files. */
export class HeapCollector {
  readonly #session = new Session();
  readonly #workers = new Map<string, string>();

  constructor() {
    this.#session.connect();
    this.#session.on('NodeWorker.attachedToWorker', ({ params }) => {
      const { sessionId, workerInfo } = params;
      this.#workers.set(workerInfo.title.replace(/^\[worker \d+\] /, ''), sessionId);
    });
    this.#session.on('NodeWorker.detachedFromWorker', ({ params }) => {
      for (const [name, id] of this.#workers) {
        if (id === params.sessionId) this.#workers.delete(name);
      }
    });
    this.#session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  }

  /** Ends when all are collected. @throws Error when there is no worker of a name, or it has ended */
  async collect(...workers: readonly string[]): Promise<void> {
    for (const name of workers) await this.#collectWorker(name);
    await new Promise((resolve) => this.#session.post(COLLECT, resolve));
  }

  close(): void {
    this.#session.disconnect();
  }

  #collectWorker(name: string): Promise<void> {
    const sessionId = this.#workers.get(name);
    if (sessionId === undefined) throw new Error(`There is no worker ${name}`);
    const message = JSON.stringify({ id: 1, method: COLLECT });
    return new Promise((resolve, reject) => {
      const session = this.#session;
      const finish = (error: Error | null): void => {
        session.off('NodeWorker.receivedMessageFromWorker', hear);
        session.off('NodeWorker.detachedFromWorker', lose);
        if (error === null) resolve();
        else reject(error);
      };
      const hear = ({ params }: { params: { sessionId: string } }): void => {
        if (params.sessionId === sessionId) finish(null);
      };
      const lose = ({ params }: { params: { sessionId: string } }): void => {
        if (params.sessionId === sessionId) finish(new Error(`Worker ${name} has ended`));
      };
      session.on('NodeWorker.receivedMessageFromWorker', hear);
      session.on('NodeWorker.detachedFromWorker', lose);
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message }, (error) => {
        if (error !== null) finish(error);
      });
    });
  }
}
