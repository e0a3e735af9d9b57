/** `berth conform`: plays the server against a robot and judges what the robot does. */
import { parseArgs } from 'node:util';
import type { Link } from '../../hil/contract/link.ts';
import { CHECKS } from '../../hil/conform/checks.ts';
import { type CheckResult, conform, type ConformReport } from '../../hil/conform/conform.ts';
import { SocketLine } from '../../hil/conform/socket-line.ts';
import { SerialLink } from '../../hil/links/serial-link.ts';
import { openSerial } from '../../hil/links/serial-open.ts';
import { RealClock } from '../../hil/os/clock.ts';
import { openPty } from '../../hil/os/os-pty.ts';
import { BerthError } from '../../src/base/errors.ts';

export const usage = `berth conform [--ws [HOST:]PORT | --serial PATH | --pty] [options]

  Plays the loop against a robot controller and judges it: handshake, checksum, order, time to live, ARM, STOP, silence.
  THE TOOL MOVES by some millimetres along +z of the base frame, unless --still is given.
  Prints a line for each check; exit code 1 when one fails. docs/robot-kit.md says what each is for.

  --ws [HOST:]PORT  where the robot connects by WebSocket (default 127.0.0.1:7411; port 0 for any free one)
  --serial PATH     serial port of the robot, with --baud N (default 2000000)
  --pty             make a pseudo terminal and print its path (needs the optional package koffi)
  --key K           pre-shared key of the robot link (or the environment variable BERTH_ROBOT_KEY)
  --period MS       cycle to ask for, 0.5 to 10, within what the robot can (default 5)
  --still           only the checks that move nothing
  --only NAME       the check of this name, or those whose name has this in it
  --json            one JSON object at the end in place of lines`;

interface Line {
  readonly link: Link;
  readonly address: string;
  readonly close: () => Promise<void>;
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text !== '' && value >= least && value <= most) return value;
  throw new BerthError(
    'BERTH_USAGE',
    `--${name} must be a number from ${least} to ${most}, got "${text}"`,
    { field: name },
  );
}

function serialLine(fd: number): SerialLink {
  const seat = new Int32Array(new SharedArrayBuffer(4));
  seat[0] = fd;
  return new SerialLink(seat, new RealClock(new Int32Array(new SharedArrayBuffer(4)), 0));
}

async function openLine(values: {
  ws?: string;
  serial?: string;
  pty: boolean;
  baud: string;
}): Promise<Line> {
  const named = [values.ws !== undefined, values.serial !== undefined, values.pty];
  if (named.filter(Boolean).length > 1) {
    throw new BerthError(
      'BERTH_USAGE',
      '--ws, --serial and --pty exclude each other; give one of them',
    );
  }
  if (values.serial !== undefined) {
    const baud = numberOf('baud', values.baud, 9600, 12_000_000);
    const line = await openSerial(values.serial, baud);
    return { link: serialLine(line.fd), address: values.serial, close: () => line.close() };
  }
  if (values.pty) {
    const pty = openPty();
    const close = (): Promise<void> => {
      pty.close();
      return Promise.resolve();
    };
    return { link: serialLine(pty.fd), address: pty.path, close };
  }
  const place = values.ws ?? '127.0.0.1:7411';
  const colon = place.lastIndexOf(':');
  const port = numberOf('ws', place.slice(colon + 1), 0, 65_535);
  const link = await SocketLine.open(colon < 0 ? '127.0.0.1' : place.slice(0, colon), port);
  return { link, address: link.address, close: () => link.close() };
}

function printLine({ name, expected, passed, seen }: CheckResult): void {
  console.log(`${passed ? 'pass' : 'FAIL'}  ${name}: ${expected}`);
  if (!passed) console.log(`      seen: ${seen}`);
}

function summary({ device, firmware, period_us, passed, failed }: ConformReport): string {
  return `${device} ${firmware}, cycle ${period_us} µs: ${passed} passed, ${failed} failed`;
}

/** @returns the exit code */
export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      ws: { type: 'string' },
      serial: { type: 'string' },
      pty: { type: 'boolean', default: false },
      baud: { type: 'string', default: '2000000' },
      key: { type: 'string' },
      period: { type: 'string', default: '5' },
      still: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  });
  const period_us = Math.round(1000 * numberOf('period', values.period, 0.5, 10));
  const named = CHECKS.filter(({ name }) => name === values.only);
  const among = named.length > 0 ? named : CHECKS.filter(({ name }) => name.includes(values.only));
  const chosen = among.filter(({ moves }) => !(values.still && moves));
  if (chosen.length === 0) {
    const names = CHECKS.map(({ name }) => name).join(', ');
    throw new BerthError('BERTH_USAGE', `no check is named "${values.only}"; there are ${names}`);
  }
  const line = await openLine(values);
  try {
    console.error(`berth conform: waiting for a robot at ${line.address}`);
    const key = values.key ?? process.env['BERTH_ROBOT_KEY'] ?? '';
    const options = { link: line.link, key, period_us };
    const print = values.json ? (): void => undefined : printLine;
    const report = await conform(options, chosen, print);
    console.log(values.json ? JSON.stringify(report, null, 2) : summary(report));
    return report.failed === 0 ? 0 : 1;
  } finally {
    await line.close();
  }
}
