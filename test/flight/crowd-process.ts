/**
 * A crowd of clients of a service, in a separate process so that it does not delay the pilot. `ask
 * PORT PATH SECONDS`: eight connections send requests as fast as they are answered, from so many
 * addresses that no rate limits them. `sit PORT COUNT`: so many silent connections, each reopened
 * when it is closed, until standard input ends. It prints its result as a JSON line.
 */
import { connect, type Socket } from 'node:net';

/** Number of connections that send requests. */
const ASKING = 8;
/** Addresses of the loopback that a crowd comes from. */
const ADDRESSES = 200;
/** A connection that was closed is made again after this, ms. */
const AGAIN_MS = 1000;

const [kind, port, what, seconds] = process.argv.slice(2);
let dialled = 0;

function dial(): Socket {
  const localAddress = `127.0.2.${1 + (dialled++ % ADDRESSES)}`;
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  return socket;
}

/** Ask again and again. @returns answers by status */
async function ask(path: string, until_ms: number): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = dial();
      let text = '';
      let missing = 0;
      const next = (): void => {
        if (performance.now() > until_ms) socket.destroy();
        else socket.write(request);
      };
      const finish = (): void => {
        const status = text.slice(9, 12);
        answers[status] = (answers[status] ?? 0) + 1;
        text = '';
        // a refused client continues from another address
        if (status === '429') socket.destroy();
        else next();
      };
      socket.on('connect', next);
      socket.on('close', resolve);
      socket.on('data', (data: Buffer) => {
        if (missing > 0) missing -= data.length;
        else {
          text += data.toString('latin1');
          const end = text.indexOf('\r\n\r\n');
          if (end < 0) return;
          const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
          missing = length - (text.length - end - 4);
        }
        if (missing <= 0) finish();
      });
    });
  const client = async (): Promise<void> => {
    while (performance.now() < until_ms) await one();
  };
  await Promise.all(Array.from({ length: ASKING }, client));
  return answers;
}

/** Holds connections until standard input ends. */
async function sit(count: number): Promise<{ dialled: number }> {
  let sitting = true;
  const one = (): void => {
    if (!sitting) return;
    dial().on('close', () => setTimeout(one, AGAIN_MS));
  };
  for (let i = 0; i < count; i++) one();
  console.log('sitting');
  await new Promise((resolve) => process.stdin.resume().once('end', resolve));
  sitting = false;
  return { dialled };
}

const result =
  kind === 'ask'
    ? await ask(what, performance.now() + 1000 * Number(seconds))
    : await sit(Number(what));
console.log(JSON.stringify(result));
process.exit(0);
