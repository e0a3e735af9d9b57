/** A WebSocket at which the judged robot connects: one robot at a time, the newest one counts. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { BerthError } from '../../src/base/errors.ts';
import type { Link } from '../contract/link.ts';
import { monotonic_us } from '../os/clock.ts';

const PROTOCOL = 'berth.robot.v1';
/** Longest message that is read. */
const MOST_BYTES = 2048;

interface Message {
  readonly bytes: Uint8Array;
  readonly at_us: number;
}

/** The server's end of the line, with frames queued as they come. */
export class SocketLine implements Link {
  readonly transport = 'websocket';
  receivedAt_us = 0.5;
  bytesReceived = 0;
  bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  /** Where the robot connects. */
  readonly address: string;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #queue: Message[] = [];
  #socket: WebSocket | null = null;

  private constructor(server: Server, sockets: WebSocketServer, host: string) {
    this.#server = server;
    this.#sockets = sockets;
    this.address = `ws://${host}:${(server.address() as AddressInfo).port}/robot`;
    sockets.on('connection', (socket, request) => {
      this.#socket?.terminate();
      this.#socket = socket;
      this.#queue.length = 0;
      request.socket.setNoDelay(true);
      socket.on('message', (data: Buffer) => {
        if (socket !== this.#socket) return;
        this.#queue.push({ bytes: new Uint8Array(data), at_us: monotonic_us() });
        this.bytesReceived += data.length;
      });
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        if (socket === this.#socket) this.#socket = null;
      });
    });
  }

  /** Listens. @param port 0 for any free one @throws BerthError when it cannot */
  static async open(host: string, port: number): Promise<SocketLine> {
    const server = createServer((_request, response) => {
      response.writeHead(426).end();
    });
    const sockets = new WebSocketServer({
      server,
      path: '/robot',
      maxPayload: MOST_BYTES,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
    });
    sockets.on('error', () => undefined); // the server has it, too
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new BerthError('BERTH_PORT_IN_USE', `${host}:${port}: ${error.message}`)),
      );
      server.listen(port, host, resolve);
    });
    return new SocketLine(server, sockets, host);
  }

  get connected(): boolean {
    return this.#socket !== null;
  }

  receive(frame: Uint8Array): number {
    const next = this.#queue.shift();
    if (next === undefined || next.bytes.length > frame.length) return 0;
    frame.set(next.bytes);
    this.receivedAt_us = next.at_us;
    return next.bytes.length;
  }

  send(frame: Uint8Array, length: number): boolean {
    this.bytesSent += length;
    this.#socket?.send(frame.slice(0, length));
    return this.#socket !== null;
  }

  close(): Promise<void> {
    this.#socket?.terminate();
    this.#sockets.close();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
