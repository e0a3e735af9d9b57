/**
 * Opens and configures the serial line to the robot, on the main thread. `serialport` aborts the process when it reads inside
 * a worker, so no reader is ever attached here: the descriptor goes to the loop worker, which polls it (`serial-link.ts`).
 */
import { existsSync } from 'node:fs';
import { SerialPort } from 'serialport';
import { BerthError } from '../../src/base/errors.ts';

/** An open line. */
export interface SerialLine {
  readonly fd: number;
  close(): Promise<void>;
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
  });
  await new Promise<void>((resolve, reject) => {
    port.open((error) => {
      if (error === null) {
        resolve();
        return;
      }
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
