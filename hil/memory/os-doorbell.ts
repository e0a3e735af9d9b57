/**
 * Wakes the link worker when frames wait for it: a byte through a pair of connected sockets, which
 * its event loop reads. `Atomics.notify` takes the lock of V8's one list of waiters (os-sleep.ts).
 * If a thread of normal priority loses its core with that lock, both loop workers stop for
 * milliseconds (docs/real-time.md). Without koffi, or off Linux, the doorbell uses `Atomics.notify`
 * nevertheless.
 */
import { systemLibrary, type SystemLibrary } from '../os/os-library.ts';
import { ControlWord } from './shared.ts';

// Linux
const AF_UNIX = 1;
const STREAM_NONBLOCK_CLOEXEC = 1 | 0o4000 | 0o2000000;
const DONTWAIT_NOSIGNAL = 0x40 | 0x4000;
const DUPLICATE_CLOEXEC = 1030;

const SEND = 'long send(int socket, const void *bytes, size_t length, int flags)';
const BYTE = new Uint8Array(1);

type Call = (...args: unknown[]) => unknown;

/** The loop's end of the doorbell. It rings the descriptor in the control word of the service. */
export class Doorbell {
  readonly #control: Int32Array;
  /** Word on which the link worker waits where there is no pair of sockets. */
  readonly #header: Int32Array;
  readonly #send: Call | null;

  /** Call it after `DoorbellPair.open` on the same control words, if that is used. */
  constructor(control: Int32Array, header: Int32Array) {
    this.#control = control;
    this.#header = header;
    const there = Atomics.load(control, ControlWord.DOORBELL) > 0;
    this.#send = there ? (systemLibrary()?.func(SEND) ?? null) : null;
  }

  /** Rings without waiting; a second ring has no effect until the first is read. @alloc none */
  ring(): void {
    const socket = Atomics.load(this.#control, ControlWord.DOORBELL);
    const send = this.#send;
    if (send === null) Atomics.notify(this.#header, 0, 1);
    else if (socket > 0) send(socket, BYTE, 1, DONTWAIT_NOSIGNAL);
  }
}

/** Both ends. Their descriptors are valid in every thread of the process. */
export class DoorbellPair {
  readonly #control: Int32Array;
  #near: number;
  #far: number;
  readonly #fcntl: Call;
  readonly #closeCall: Call;

  private constructor(control: Int32Array, pair: Int32Array, library: SystemLibrary) {
    const [near, far] = pair;
    this.#control = control;
    this.#near = near;
    this.#far = far;
    this.#fcntl = library.func('int fcntl(int descriptor, int command, int argument)');
    // the close of the library, because Node warns in a worker about a descriptor that it has not
    // opened
    this.#closeCall = library.func('int close(int descriptor)');
    Atomics.store(control, ControlWord.DOORBELL, near);
  }

  /** Opens the pair before the loop starts. @returns null without koffi or on an unsupported system */
  static open(control: Int32Array): DoorbellPair | null {
    const library = process.platform === 'linux' ? systemLibrary() : null;
    if (library === null) return null;
    const socketpair = library.func(
      'int socketpair(int domain, int type, int protocol, _Out_ int *pair)',
    );
    const pair = new Int32Array(2);
    if (socketpair(AF_UNIX, STREAM_NONBLOCK_CLOEXEC, 0, pair) !== 0) return null;
    return new DoorbellPair(control, pair, library);
  }

  /** Descriptor of the far end for one listener, which closes it; −1 after `close`. */
  listener(): number {
    return this.#fcntl(this.#far, DUPLICATE_CLOEXEC, 0) as number;
  }

  /** Closes both ends after the loop has ended; a second call does nothing. */
  close(): void {
    if (this.#near < 0) return;
    Atomics.store(this.#control, ControlWord.DOORBELL, 0);
    this.#closeCall(this.#near);
    this.#closeCall(this.#far);
    this.#near = -1;
    this.#far = -1;
  }
}
