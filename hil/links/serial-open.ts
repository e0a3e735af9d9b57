/**
 * Opens and configures the serial line to the robot, on the main thread. `serialport` aborts the process when it reads inside
 * a worker, so no reader is ever attached here: the descriptor goes to the loop worker, which polls it (`serial-link.ts`).
 */
import { existsSync } from 'node:fs';
import { SerialPort } from 'serialport';
import { BerthError } from '../../src/errors.ts';

/** An open line. */
export interface SerialLine {
  readonly fd: number;
  close(): Promise<void>;
}

/** Longest frame that flows every period, on the wire: STATE with COBS and its delimiter, bytes. */
const STATE_WIRE_BYTES = 138;
const BITS_PER_BYTE = 10; // 8N1
const MOST_LOAD = 0.8;

/** Refuse a baud rate that cannot carry one STATE frame a period. @throws BerthError with the computed load. */
export function checkBaud(baud: number, period_s: number): void {
  const load = (STATE_WIRE_BYTES * BITS_PER_BYTE) / (baud * period_s);
  if (load <= MOST_LOAD) return;
  const least = Math.ceil((STATE_WIRE_BYTES * BITS_PER_BYTE) / (MOST_LOAD * period_s));
  throw new BerthError(
    'BERTH_BAUD_TOO_LOW',
    `robot.baud: ${baud} baud would be loaded to ${Math.round(100 * load)} % by one STATE frame every ` +
      `${period_s * 1000} ms; at most ${100 * MOST_LOAD} % is allowed, so at least ${least} baud or a longer loop.period_s`,
    { field: 'robot.baud' },
  );
}

/** Open a port for polled reads. @throws BerthError naming the path and the reason. */
export async function openSerial(path: string, baud: number): Promise<SerialLine> {
  const field = { field: 'robot.serial_path' };
  if (path === '') {
    throw new BerthError(
      'BERTH_SERIAL',
      'robot.serial_path: is empty; name the port, e.g. /dev/ttyUSB0',
      field,
    );
  }
  if (!existsSync(path)) {
    throw new BerthError('BERTH_SERIAL', `robot.serial_path: ${path} does not exist`, field);
  }
  const port = new SerialPort({
    path,
    baudRate: baud,
    autoOpen: false,
    lock: true,
    vmin: 0,
    vtime: 0,
  } as ConstructorParameters<typeof SerialPort>[0]);
  await new Promise<void>((resolve, reject) => {
    port.open((error) => {
      if (error === null) return resolve();
      const busy = /lock|busy|EBUSY|temporarily unavailable/i.test(error.message);
      const text = busy
        ? `robot.serial_path: ${path} is in use by another program`
        : `robot.serial_path: ${path} cannot be opened as a serial port (${error.message})`;
      reject(new BerthError('BERTH_SERIAL', text, { ...field, cause: error }));
    });
  });
  const fd = (port.port as unknown as { fd: number }).fd;
  return {
    fd,
    close: () =>
      new Promise<void>((resolve) => {
        port.close(() => resolve());
      }),
  };
}
