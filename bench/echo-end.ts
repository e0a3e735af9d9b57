/**
 * Bare echo as a reference for the loop, in a separate process: `ws` alone, or the terminal side of
 * a pseudo terminal. `loop-latency.ts` starts it with: ws, or pty PATH. It prints its address.
 */
import { openSync, writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { ReadStream } from 'node:tty';
import { WebSocketServer } from 'ws';
import { raiseThread } from '../hil/os/os.ts';

/** That of the robot link's thread. */
const PRIORITY = 70;
const O_RDWR_NOCTTY_NONBLOCK = 0o4402;

const [line, path = ''] = process.argv.slice(2);
raiseThread(PRIORITY);
process.on('message', () => process.exit(0));
process.on('disconnect', () => process.exit(1));
if (line === 'pty') {
  const fd = openSync(path, O_RDWR_NOCTTY_NONBLOCK);
  new ReadStream(fd).on('data', (bytes: Buffer) => {
    try {
      writeSync(fd, bytes);
    } catch {
      // EAGAIN: the line is full, and the rest is lost as on a wire
    }
  });
  process.send!(path);
} else {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket) => {
    socket.on('message', (message: Buffer) => socket.send(message));
  });
  server.on('listening', () => {
    process.send!(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}
