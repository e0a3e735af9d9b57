/** A robot key in a header of the WebSocket is not read: what docs/protocol.md says of the key, at the real robot port. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { FRAME_OK, FrameReader, FrameType, FrameWriter } from '../../hil/protocol/frames.ts';
import { REJECT_CODES } from '../../hil/contract/reject-codes.ts';
import { fieldOffset, LAYOUT_HASH, VERSION } from '../../hil/protocol/layout.ts';
import { Service } from '../fixtures/service.ts';

const KEY = 'J7wT2pHq9sVbXz4k';
const { HELLO, REJECT } = FrameType;
const at = (name: string): number => fieldOffset(HELLO, name);

/** A HELLO that quotes the nonce of the service, without a tag. */
function hello(seq: number, quoted: Uint8Array): Uint8Array {
  const w = new FrameWriter();
  w.begin(HELLO, 0, seq);
  w.u8(at('role'), 1);
  w.u8(at('protocolMin'), VERSION);
  w.u8(at('protocolMax'), VERSION);
  w.u32(at('layoutHash'), LAYOUT_HASH);
  w.u32(at('nonce'), 7);
  w.bytes.set(quoted, at('peerNonce'));
  return w.bytes.slice(0, w.finish());
}

test('3: `Authorization: Bearer` with the robot key opens no session: reject code "tag"', async () => {
  const service = await Service.start((s) => {
    s.mode = 'virtual';
    s.robot.transport = 'websocket';
    s.robot.port = 0;
    s.robot.key = KEY;
  });
  const socket = new WebSocket(service.runtime.robotAddress, 'berth.robot.v1', {
    headers: { authorization: `Bearer ${KEY}` },
  });
  try {
    const seen: number[] = [];
    const code = await new Promise<number>((resolve, reject) => {
      let seq = 0;
      const reader = new FrameReader();
      socket.on('error', reject);
      socket.on('open', () => socket.send(hello(++seq, new Uint8Array(8))));
      socket.on('message', (data: Buffer) => {
        assert.equal(reader.load(data, data.length), FRAME_OK);
        seen.push(reader.type);
        if (reader.type === REJECT) resolve(reader.u8(fieldOffset(REJECT, 'code')));
        const nonce = reader.bytes.slice(at('nonce'), at('nonce') + 8);
        if (reader.type === HELLO) socket.send(hello(++seq, nonce));
      });
      socket.on('close', () => reject(new Error('closed without a REJECT')));
    });
    assert.equal(REJECT_CODES[code], 'tag');
    assert.ok(!seen.includes(FrameType.CONFIG), 'no CONFIG without the proof');
  } finally {
    socket.terminate();
    await service.close();
  }
});
