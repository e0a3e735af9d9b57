/**
 * Wakes the link worker when frames wait for it: a byte through a pair of connected sockets, which its event loop reads. The loop
 * must not use `Atomics.notify` for that. Like `Atomics.wait` it takes the lock of V8's one list of waiters (os-sleep.ts), and where a
 * thread of normal priority loses its core with that lock in its hand, loop workers stand still for milliseconds, both of a pair
 * at the same time (docs/real-time.md). Without koffi, and off Linux, it is `Atomics.notify` all the same.
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

/** The loop's end. It rings whatever the control word of the service names at that time. */
export class Doorbell {
  readonly #control: Int32Array;
  /** What the link worker waits on where there is no pair of sockets. */
  readonly #header: Int32Array;
  readonly #send: Call | null;

  /** Made after `DoorbellPair.open` of the same control words, if at all. */
  constructor(control: Int32Array, header: Int32Array) {
    this.#control = control;
    this.#header = header;
    const there = Atomics.load(control, ControlWord.DOORBELL) > 0;
    this.#send = there ? (systemLibrary()?.func(SEND) ?? null) : null;
  }

  /** Never waits; a bell that rings already stays as it is. @alloc none */
  ring(): void {
    const socket = Atomics.load(this.#control, ControlWord.DOORBELL);
    const send = this.#send;
    if (send === null) Atomics.notify(this.#header, 0, 1);
    else if (socket > 0) send(socket, BYTE, 1, DONTWAIT_NOSIGNAL);
  }
}

/** Both ends, of the whole process: descriptors are valid in every thread. */
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
    // not Node's own: a worker warns of a descriptor that it has not opened itself
    this.#closeCall = library.func('int close(int descriptor)');
    Atomics.store(control, ControlWord.DOORBELL, near);
  }

  /** Before the loop is made. @returns null where the system or the missing package does not allow it */
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

  /** A descriptor of the far end for one listener, which closes it; −1 after `close`. */
  listener(): number {
    return this.#fcntl(this.#far, DUPLICATE_CLOEXEC, 0) as number;
  }

  /** After the loop has ended; more than once does no harm. */
  close(): void {
    if (this.#near < 0) return;
    Atomics.store(this.#control, ControlWord.DOORBELL, 0);
    this.#closeCall(this.#near);
    this.#closeCall(this.#far);
    this.#near = -1;
    this.#far = -1;
  }
}
