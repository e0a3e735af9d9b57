/** Fuzzers of what browsers and other clients send, of what the client library receives, and of hand controllers. */
import assert from 'node:assert/strict';
import { encode } from '@msgpack/msgpack';
import { LAYOUTS } from '../../server/client/devices/layout.ts';
import {
  calibrate,
  commandAxes,
  defaultProfile,
  profileProblems,
  readProfile,
} from '../../server/client/devices/profile.ts';
import { SpaceMouseReports } from '../../server/client/devices/spacemouse-reports.ts';
import { type SocketLike, Wire } from '../../server/client/wire.ts';
import { parseRequest } from '../../server/telemetry/foxglove-messages.ts';
import { parseClientMessage } from '../../server/contract/client-messages.ts';
import { readMessage } from '../../server/access/socket.ts';
import { SOCKET_PATHS } from '../../server/contract/socket-paths.ts';
import { bytesOf, type FuzzTarget, kindOf, textOf } from './target.ts';

const six = [0, 0.5, -1, 1, 0, 0];
const MESSAGES = [
  { v: 1, type: 'hello', id: 1, client: 'fuzz' },
  { v: 1, type: 'input', axes: six, deadman: true, gear: 'coarse', frame: 'base', seq: 7, t: 1.5 },
  {
    v: 1,
    type: 'input',
    axes: six,
    deadman: true,
    gear: 'vernier',
    frame: 'camera',
    camera: [0, 0, 0, 1],
    seq: 7,
    t: 1.5,
  },
  { v: 1, type: 'sync', id: 3, t: 12.25, offset_s: 1e-3 },
  { v: 1, type: 'stop', id: 4, cat: 1 },
  { v: 1, type: 'fma.set', id: 5, axes: [true, true, true, false, false, false], set_point: six },
  { v: 1, type: 'hand_mode.set', id: 8, mode: 'joint', joint: 3, axis: 5 },
  { v: 1, type: 'alarm.ack', id: 6, alarm: 1 },
  { v: 1, type: 'subscribe', id: 7, topics: ['pose', 'wrench'] },
];

/** What an operator's socket takes. */
export function operator(): FuzzTarget {
  return {
    corpus: MESSAGES.map((message) => encode(message)),
    words: ['type', 'input', 'camera', '__proto__', 'constructor', 'toString', 'v', 'id'],
    most: SOCKET_PATHS['/operator'].maximumPayload,
    run: (input) => {
      const value = readMessage(Buffer.from(input), true);
      if (value === undefined) return 'no message';
      const message = parseClientMessage(value);
      if (typeof message === 'string') return kindOf(message);
      if (message.type === 'input') {
        assert.ok(
          message.axes.every((x) => x >= -1 && x <= 1),
          'axes beyond their range',
        );
        assert.ok(Number.isFinite(message.t), 'a time that is no number');
      }
      return message.type;
    },
  };
}

type Listener = Parameters<SocketLike['addEventListener']>[1];

/** A socket that is open at once and sends scripted messages. */
class ScriptedSocket implements SocketLike {
  static newest: ScriptedSocket;
  binaryType = '';
  readonly readyState = 1;
  isClosed = false;
  #listener: Listener = () => undefined;

  constructor() {
    ScriptedSocket.newest = this;
  }

  addEventListener(type: string, listener: Listener): void {
    if (type === 'message') this.#listener = listener;
    if (type === 'open') queueMicrotask(() => listener({ type }));
  }

  send(): void {
    // nobody reads it
  }

  close(): void {
    this.isClosed = true;
  }

  say(data: unknown): void {
    this.#listener({ type: 'message', data });
  }
}

/** What the client library takes from a server. */
export async function client(): Promise<FuzzTarget> {
  const wire = await Wire.open('operator', {
    url: 'http://server',
    name: 'fuzz',
    WebSocket: ScriptedSocket,
    fetch: () =>
      Promise.resolve({ ok: true, status: 200, json: () => Promise.resolve({ ticket: 'a' }) }),
  });
  const socket = ScriptedSocket.newest;
  let taken = '';
  wire.onMessage = (message) => (taken = `message ${typeof message.type}`);
  return {
    corpus: [
      ...MESSAGES.map((message) => encode(message)),
      encode({ v: 1, type: 'status', state: 'HOLD', measured: { position_m: [0, 0, 0] } }),
    ],
    words: ['type', 'id', '__proto__', 'status'],
    run: (input) => {
      socket.isClosed = false;
      taken = 'nothing';
      socket.say(input.length % 7 === 0 ? textOf(input) : input.slice().buffer);
      return socket.isClosed ? 'closed' : taken;
    },
  };
}

/** Requests of a Foxglove client. */
export function foxglove(): FuzzTarget {
  const requests = [
    { op: 'subscribe', subscriptions: [{ id: 1, channelId: 2 }] },
    { op: 'unsubscribe', subscriptionIds: [1, 2, 3] },
    { op: 'getParameters', parameterNames: ['a'], id: 'x' },
    { op: 'advertise', channels: [] },
  ];
  return {
    corpus: requests.map((request) => bytesOf(JSON.stringify(request))),
    words: ['"op":', '__proto__', '4294967296', '[[', '{"op":"subscribe"}'],
    text: true,
    most: SOCKET_PATHS['/foxglove'].maximumPayload,
    run: (input) => {
      const request = parseRequest(textOf(input));
      if (request === null) return 'no request';
      return 'unserved' in request ? 'unserved' : request.op;
    },
  };
}

/** Kept calibrations of hand controllers, and reports of a SpaceMouse. */
export function devices(): FuzzTarget {
  const kinds = ['keyboard', 'gamepad', 'joystick', 'spacemouse'] as const;
  const corpus = kinds.map((kind) => bytesOf(JSON.stringify(defaultProfile(kind))));
  const reports = new SpaceMouseReports();
  const out = new Float64Array(6);
  return {
    corpus,
    words: ['"source":', '"centre":', '1e999', 'null', '-0'],
    text: true,
    most: 8192,
    run: (input) => {
      const view = new DataView(input.slice().buffer);
      reports.take(input[0] ?? 0, view, 0);
      const reading = reports.read(0);
      assert.ok(reading === null || [...Array.from(reading.axes)].every(Number.isFinite), 'axes');
      let value: unknown;
      try {
        value = JSON.parse(textOf(input));
      } catch {
        return 'no JSON'; // as the console, which keeps them
      }
      const words = kinds.map((kind) => {
        const profile = readProfile(value, kind);
        if (profile === null) return '-';
        const axes = Float64Array.from(LAYOUTS[kind].axisNames, (_, i) => (i - 1) * 1e3);
        commandAxes(profile, { axes, buttons: [] }, out);
        assert.ok(
          out.every((x) => x >= -1 && x <= 1),
          `command axes ${out.join()}`,
        );
        for (const range of profile.ranges) {
          const x = calibrate(NaN, range);
          assert.equal(x, 0);
        }
        return String(profileProblems(profile, kind).length);
      });
      return words.join();
    },
  };
}
