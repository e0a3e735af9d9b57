/**
 * The emulated robot as a process: opens its line to the loop and runs the robot on its own thread.
 * It reports events as JSON lines on standard output (`ready`, `connected`, `disconnected`,
 * `stopped`, `placed`, `status` every 10 s, `ended`).
 */
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openSerial } from '../links/serial-open.ts';
import { collectAlone, SHORT_COLLECTIONS } from '../os/collector.ts';
import { raiseThread } from '../os/os.ts';
import { openPty } from '../os/os-pty.ts';
import { FrameRing } from '../memory/ring.ts';
import { SAFETY_STATES } from '../contract/codes.ts';
import { ControlWord } from '../memory/shared.ts';
import { startThread } from '../os/start-thread.ts';
import {
  type EmulatorPlace,
  type EmulatorProcessOptions,
  type PlaceRequest,
  type RobotMessage,
  type RobotThreadData,
  STATUS_COLUMNS,
  StatusColumn,
} from './process-options.ts';
import { MOTION_ENDS, ROBOT_FAULTS } from './guard.ts';
import { SocketClient } from './socket-client.ts';

const STATUS_EVERY_MS = 10_000;
const RING_FRAMES = 256;
const CONTROL_WORDS = 8;
/**
 * Priority of the socket below that of the robot. This thread serves the socket; a late frame
 * counts like a late cycle.
 */
const SOCKET_PRIORITY_BELOW = 10;

function report(event: string, fields: object): void {
  process.stdout.write(JSON.stringify({ event, ...fields }) + '\n');
}

/** Opens the line of a serial transport; −1 when frames use the rings. */
async function openLine(
  options: EmulatorProcessOptions,
): Promise<{ fd: number; address: string; close: () => Promise<void> }> {
  const { transport } = options;
  switch (transport.kind) {
    case 'websocket':
      return { fd: -1, address: transport.url, close: () => Promise.resolve() };
    case 'serial': {
      const line = await openSerial(transport.path, transport.baud);
      return { fd: line.fd, address: transport.path, close: () => line.close() };
    }
    case 'pty': {
      const pty = openPty();
      const close = (): Promise<void> => {
        pty.close();
        return Promise.resolve();
      };
      return { fd: pty.fd, address: pty.path, close };
    }
  }
}

function faultNames(bits: number): string[] {
  return ROBOT_FAULTS.filter((_, bit) => ((bits >> bit) & 1) === 1);
}

function statusFields(status: Float64Array): object {
  const fields: Record<string, unknown> = {};
  STATUS_COLUMNS.forEach((name, i) => {
    fields[name] = status[i];
  });
  fields['linkState'] = SAFETY_STATES[status[StatusColumn.linkState]];
  fields['fault'] = faultNames(status[StatusColumn.fault]);
  status[StatusColumn.lateness_max_us] = 0;
  return fields;
}

/** Resolves when the process gets a request to end. */
function ended(child: boolean): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'));
    process.once('SIGINT', () => resolve('SIGINT'));
    if (child) {
      process.stdin.once('end', () => resolve('parent ended'));
      process.stdin.once('error', () => resolve('parent ended'));
      process.stdin.resume();
    }
  });
}

/** The thread of the robot; one after the other use the same line. */
class RobotThread {
  readonly #options: EmulatorProcessOptions;
  readonly #data: RobotThreadData;
  readonly #address: string;
  readonly #fail: (error: unknown) => void;
  #exited: Promise<void> = Promise.resolve();

  constructor(
    options: EmulatorProcessOptions,
    data: RobotThreadData,
    address: string,
    fail: (error: unknown) => void,
  ) {
    this.#options = options;
    this.#data = data;
    this.#address = address;
    this.#fail = fail;
  }

  /** Starts a robot at a place, after the one before has ended. */
  start(place: EmulatorPlace): void {
    const robot = { ...this.#options.robot, ...place };
    Atomics.store(new Int32Array(this.#data.control), ControlWord.SHUTDOWN, 0);
    const extension = extname(fileURLToPath(import.meta.url));
    const worker = startThread(new URL(`./robot-thread${extension}`, import.meta.url), {
      workerData: { ...this.#data, robot },
      resourceLimits: SHORT_COLLECTIONS,
    });
    worker.once('error', this.#fail);
    worker.on('message', (message: RobotMessage) => this.#report(message, place));
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
  }

  async end(): Promise<void> {
    Atomics.store(new Int32Array(this.#data.control), ControlWord.SHUTDOWN, 1);
    await this.#exited;
  }

  #report(message: RobotMessage, { wall }: EmulatorPlace): void {
    if (message.kind === 'stopped') {
      const { end, fault, ...stop } = message.stop;
      report('stopped', { ...stop, end: MOTION_ENDS[end], fault: faultNames(fault) });
      return;
    }
    report('ready', {
      pid: process.pid,
      transport: this.#options.transport.kind,
      address: this.#address,
      realtime: message.realtime,
      wall: wall === null ? 'none' : wall.model.name,
    });
  }
}

/** Takes the parent's lines, one after the other, and puts the robot where each of them says. */
function takePlaces(options: EmulatorProcessOptions, robot: RobotThread): () => Promise<void> {
  let placing: Promise<void> = Promise.resolve();
  const place = async (line: string): Promise<void> => {
    try {
      const { scenario } = JSON.parse(line) as PlaceRequest;
      const there = options.placeOf(scenario);
      await robot.end();
      robot.start(there);
      report('placed', { scenario });
    } catch (error) {
      // the robot stays where it is
      report('placed', { error: error instanceof Error ? error.message : String(error) });
    }
  };
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    placing = placing.then(() => place(line));
  });
  return () => placing;
}

/** Runs until the process gets a request to end. @returns the exit code */
export async function runEmulator(options: EmulatorProcessOptions): Promise<number> {
  collectAlone();
  const control = new SharedArrayBuffer(4 * CONTROL_WORDS);
  const status = new Float64Array(new SharedArrayBuffer(8 * STATUS_COLUMNS.length));
  const line = await openLine(options);
  const data: RobotThreadData = {
    robot: options.robot,
    realtime_priority: options.realtime_priority,
    control,
    status: status.buffer,
    fd: line.fd,
    fromLoop: FrameRing.allocate(RING_FRAMES),
    toLoop: FrameRing.allocate(RING_FRAMES),
  };
  let failed: (error: unknown) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => (failed = reject));
  const robot = new RobotThread(options, data, line.address, failed);
  robot.start(options.robot);
  const requestedEnd = Promise.race([ended(options.child), failure]);
  const placed = options.child ? takePlaces(options, robot) : () => Promise.resolve();
  const { transport } = options;
  // the reader of these lines may have ended: the robot still ends in order
  process.stdout.on('error', () => undefined);
  const client =
    transport.kind === 'websocket'
      ? new SocketClient({
          url: transport.url,
          protocol: transport.protocol,
          tls: transport.tls,
          control,
          toLoop: data.toLoop,
          fromLoop: data.fromLoop,
          onConnected: () => report('connected', { address: transport.url }),
          onDisconnected: (reason, retry_ms) => report('disconnected', { reason, retry_ms }),
        })
      : null;
  if (client !== null) {
    raiseThread(Math.max(0, options.realtime_priority - SOCKET_PRIORITY_BELOW));
  }
  const timer = setInterval(() => {
    if (!options.quiet) report('status', statusFields(status));
  }, STATUS_EVERY_MS);

  try {
    await requestedEnd;
  } finally {
    clearInterval(timer);
    client?.close();
    process.stdin.destroy(); // an open input would keep the process alive
    await placed();
    await robot.end();
    await line.close();
    report('ended', statusFields(status));
  }
  return 0;
}
