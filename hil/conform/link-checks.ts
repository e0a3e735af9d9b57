/** Checks of the handshake, the frames and the silence: nothing moves. */
import { LIMIT_FIELDS } from '../contract/limit-fields.ts';
import { FrameType } from '../protocol/frames.ts';
import { REJECT_CODES } from '../contract/reject-codes.ts';
import { fieldOffset as at, LAYOUT_HASH, VERSION } from '../protocol/layout.ts';
import { type Check, follows, started } from './check.ts';
import { ANSWER_S, type Offer, type PlayedServer, type Received, u32 } from './played-server.ts';

const { CONFIG, CONFIG_ACK, HELLO, REJECT, STATE, SYNC } = FrameType;

/** How far the cycle may be from the period, and how many periods the mean may take. */
const PACE = 0.1;
const MOST_SLIPPED = 1.5;

/** A REJECT in words. */
function describe(frame: Received | null): string {
  if (frame === null) return `no answer in ${ANSWER_S} s`;
  if (frame.type === CONFIG_ACK) return 'CONFIG_ACK';
  const code = frame.bytes[at(REJECT, 'code')];
  return `REJECT ${REJECT_CODES[code] ?? code}`;
}

/** A handshake that has to be refused with a code. */
async function refuses(server: PlayedServer, offer: Offer, code: string): Promise<string> {
  const answer = await server.offer(offer);
  const seen = describe(answer);
  if (seen !== `REJECT ${code}`) return seen;
  await server.play(0.3);
  const after = server.frames.slice(server.frames.indexOf(answer!));
  return after.some(({ type }) => type === STATE) ? 'STATE after the REJECT' : '';
}

/** Of the handshake and of each frame. */
export const FRAME_CHECKS: readonly Check[] = [
  {
    name: 'hello',
    expected:
      'HELLO by itself: role 1, version 1.0 in its range, this layout hash, a nonce, a range of periods, limits above 0',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
      server.forget();
      server.forgetHello();
      await server.until(() => server.hello !== null, ANSWER_S);
      const { hello } = server;
      if (hello === null) return `no HELLO in ${ANSWER_S} s`;
      const wrong: string[] = [];
      const { protocolMin, protocolMax, layoutHash, nonce, limits } = hello;
      if (hello.role !== 1) wrong.push(`role ${hello.role}`);
      if (!(protocolMin <= VERSION && VERSION <= protocolMax))
        wrong.push(`versions ${protocolMin} to ${protocolMax}, of which none is ${VERSION}`);
      if (layoutHash !== LAYOUT_HASH) wrong.push(`layout hash 0x${layoutHash.toString(16)}`);
      if (nonce[0] === 0 && nonce[1] === 0) wrong.push('nonce 0');
      if (!(hello.periodMin_us > 0 && hello.periodMin_us <= hello.periodMax_us))
        wrong.push(`periods ${hello.periodMin_us} to ${hello.periodMax_us} µs`);
      LIMIT_FIELDS.forEach((name, i) => {
        if (!(limits[i] > 0)) wrong.push(`${name} ${limits[i]}`);
      });
      return wrong.join(', ');
    },
  },
  {
    name: 'wrong layout hash',
    expected: 'REJECT layout, and no STATE',
    moves: false,
    run: (server: PlayedServer): Promise<string> =>
      refuses(server, { layoutHash: LAYOUT_HASH ^ 1 }, 'layout'),
  },
  {
    name: 'handshake',
    expected: 'CONFIG_ACK with version, period and session of CONFIG',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
      const answer = await server.offer({});
      if (answer?.type !== CONFIG_ACK) return describe(answer);
      const session = u32(answer, at(CONFIG_ACK, 'session'));
      const period = u32(answer, at(CONFIG_ACK, 'period'));
      const version = answer.bytes[at(CONFIG_ACK, 'version')];
      if (session !== server.session) return `session ${session}, offered ${server.session}`;
      if (period !== server.period_us) return `period ${period}, offered ${server.period_us} µs`;
      return version === VERSION ? '' : `version ${version}`;
    },
  },
  {
    name: 'wrong version',
    expected: 'REJECT version, and no STATE',
    moves: false,
    run: (server: PlayedServer): Promise<string> =>
      refuses(server, { version: VERSION + 16 }, 'version'),
  },
  {
    name: 'cycle of STATE',
    expected: 'one STATE a period without any set-point; quaternion, times and numbers in order',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
      const answer = await server.offer({});
      if (answer?.type !== CONFIG_ACK) return describe(answer);
      await server.play(0.2);
      server.forget();
      await server.play(1);
      const all = server.frames.filter(({ type }) => type === STATE);
      const states = server.states;
      if (states.length < all.length)
        return `${all.length - states.length} STATE with unsound values`;
      if (states.length < 2) return `${states.length} STATE in 1 s`;
      const asked_us = server.period_us;
      const gaps = states.slice(1).map(({ t_us }, i) => t_us - states[i].t_us);
      const median_us = gaps.toSorted((x, y) => x - y)[gaps.length >> 1];
      const mean_us = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
      // cycles that a busy machine leaves out change the mean, trembling wake-ups the median: the nearer one is the pace
      const off = Math.min(Math.abs(median_us - asked_us), Math.abs(mean_us - asked_us));
      if (off > PACE * asked_us || mean_us > MOST_SLIPPED * asked_us)
        return `a STATE every ${median_us.toFixed(0)} µs, ${mean_us.toFixed(0)} in the mean, asked ${asked_us}`;
      for (let i = 1; i < server.frames.length; i++) {
        const [a, b] = [server.frames[i - 1], server.frames[i]];
        if (b.seq !== (a.seq + 1) >>> 0) return `seq ${b.seq} after ${a.seq}`;
        if (b.t_us < a.t_us) return `t_us ${b.t_us} after ${a.t_us}`;
      }
      const ahead = states.find(({ t_us, tMeas_us }) => tMeas_us === 0 || tMeas_us > t_us);
      if (ahead !== undefined) return `tMeas ${ahead.tMeas_us} in a STATE of ${ahead.t_us} µs`;
      const busy = states.find((state) => follows(state));
      return busy === undefined ? '' : 'follows without a set-point';
    },
  },
  {
    name: 'limits above its own',
    expected: 'REJECT limits, and no STATE',
    moves: false,
    run: (server: PlayedServer): Promise<string> => {
      const config = (w: Parameters<NonNullable<Offer['config']>>[0]): void =>
        w.f32(at(CONFIG, 'speed'), 2 * server.hello!.limits[0]);
      return refuses(server, { config }, 'limits');
    },
  },
  {
    name: 'clock',
    expected: 'SYNC with the same t1, t2 the arrival and t3 the departure, by the clock of STATE',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
      await started(server);
      server.forget();
      const t1 = server.sync();
      const read = (frame: Received, name: string): number => {
        const view = new DataView(frame.bytes.buffer, frame.bytes.byteOffset);
        return Number(view.getBigUint64(at(SYNC, name), true));
      };
      const answer = (): Received | null => server.find(SYNC, (f) => read(f, 't1') === t1);
      await server.until(() => answer() !== null, 1);
      const frame = answer();
      if (frame === null) return 'no answer with this t1 in 1 s';
      const [t2, t3] = [read(frame, 't2'), read(frame, 't3')];
      if (!(t2 > 0 && t2 <= t3)) return `t2 ${t2}, t3 ${t3}`;
      const apart_us = Math.abs(t3 - server.state!.t_us);
      return apart_us < 1e6 ? '' : `t3 is ${apart_us} µs from the newest STATE`;
    },
  },
  {
    name: 'damaged frame',
    expected: 'a set-point with a wrong checksum is not echoed, and no session ends',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
      await started(server);
      server.cyclic = null;
      await server.play(0.05);
      const bytes = server.setpointBytes(server.setpointHere());
      const { seq } = server;
      bytes[20] ^= 4;
      server.forget();
      server.sendRaw(bytes);
      await server.play(0.2);
      if (server.find(HELLO) !== null) return 'HELLO: the session has ended';
      return server.states.some(({ echoSeq }) => echoSeq === seq) ? 'it is echoed' : '';
    },
  },
  {
    name: 'order of set-points',
    expected:
      'an older set-point, and one that comes twice, is left out; the newest stays in echoSeq',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
      await started(server);
      server.cyclic = null;
      const setpoint = server.setpointHere();
      server.seq += 10;
      const newest = server.sendSetpoint(setpoint);
      const isEchoed = (): boolean => server.state?.echoSeq === newest;
      if (!(await server.until(isEchoed, 0.5))) return 'the set-point is not echoed';
      server.forget();
      server.sendSetpoint(setpoint, newest - 5);
      await server.play(0.1);
      // the same number with another content: ctlMode shows whether it was applied
      server.sendSetpoint(server.setpointHere('HOLD'), newest);
      await server.play(0.1);
      const other = server.states.find(({ echoSeq }) => echoSeq !== newest);
      if (other !== undefined) return `echoSeq ${other.echoSeq} after ${newest}`;
      const again = server.states.find(({ ctlMode }) => ctlMode !== setpoint.mode);
      return again === undefined ? '' : `ctlMode ${again.ctlMode}: the second one was applied`;
    },
  },
];

/** Of the end of a session. */
export const END_CHECKS: readonly Check[] = [
  {
    name: 'silence',
    expected:
      'after half a second without any frame the session is over: HELLO with a new nonce, no STATE',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
      await started(server);
      const before = server.hello!.nonce;
      server.cyclic = null;
      server.forget();
      await server.play(1.2);
      const hello = server.find(HELLO);
      if (hello === null) return 'no HELLO in 1.2 s';
      const { nonce } = server.hello!;
      if (nonce[0] === before[0] && nonce[1] === before[1]) return 'HELLO with the nonce of before';
      const last = server.frames.findLast(({ type }) => type === STATE);
      return last === undefined || last.at_us <= hello.at_us ? '' : 'STATE after HELLO';
    },
  },
  {
    name: 'HELLO in a session',
    expected: 'it ends the session: the robot says HELLO with a new nonce',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
      await started(server);
      const before = server.hello!.nonce;
      server.cyclic = null;
      server.forget();
      server.sendHello({}, server.nonces.robot);
      await server.until(() => server.find(HELLO) !== null, 0.4);
      if (server.find(HELLO) === null) return 'no HELLO in 0.4 s';
      const { nonce } = server.hello!;
      return nonce[0] !== before[0] || nonce[1] !== before[1] ? '' : 'the nonce of before';
    },
  },
];
