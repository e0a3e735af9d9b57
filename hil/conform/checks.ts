/**
 * What a robot on HLP/1 has to do, one check each (docs/protocol.md, docs/robot-kit.md). A check begins with a session of its own and
 * returns what was seen where that is not as expected. Those that move the tool say so.
 */
import { RobotSafety, SafetyState } from '../contract/codes.ts';
import { LIMIT_FIELDS } from '../contract/limit-fields.ts';
import { stopFaults } from '../contract/robot-faults.ts';
import { FrameType, type SetpointFrame, type StateFrame } from '../protocol/frames.ts';
import { Capability, REJECT_CODES } from '../protocol/handshake.ts';
import { fieldOffset as at, LAYOUT_HASH, VERSION } from '../protocol/layout.ts';
import { ANSWER_S, type Offer, type PlayedServer, type Received, u32 } from './played-server.ts';

const { ARM, ARM_ACK, CLEAR, CONFIG, CONFIG_ACK, HELLO, REJECT, STATE, STOP, SYNC } = FrameType;

/** Speed of a set-point that moves, and how long it moves: 4 mm. */
const SPEED_MPS = 0.004;
const MOVE_S = 1;
/** How far the tool may be from a slow set-point, and how far it may stray at rest: noise and tracking, m. */
const TRACKING_M = 0.001;
const REST_M = 0.0003;
/** A first set-point this far away is refused; a jump of this size is no motion, m. */
const OFF_M = 0.005;
const JUMP_M = 0.02;
const TTL_MS = 60;
/** What may pass after the end of a time to live: some cycles, and braking, s. */
const STOP_S = 0.1;

export interface Check {
  readonly name: string;
  readonly expected: string;
  /** The tool moves by some millimetres along +z. */
  readonly moves: boolean;
  /** @returns what was seen instead, empty when all is as expected */
  readonly run: (server: PlayedServer) => Promise<string>;
}

const FOLLOWING: readonly number[] = [SafetyState.ACTIVE_FREE, SafetyState.ACTIVE_CONTACT];
const follows = (state: StateFrame): boolean => FOLLOWING.includes(state.linkState);

function distance(a: Float64Array, b: Float64Array): number {
  return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
}

const mm = (metres: number): string => `${(1000 * metres).toFixed(2)} mm`;

/** A REJECT in words. */
function describe(frame: Received | null): string {
  if (frame === null) return `no answer in ${ANSWER_S} s`;
  if (frame.type === CONFIG_ACK) return 'CONFIG_ACK';
  const code = frame.bytes[at(REJECT, 'code')];
  return `REJECT ${REJECT_CODES[code] ?? code}`;
}

async function started(server: PlayedServer): Promise<void> {
  if (!(await server.start())) throw new Error('no session came about');
}

/** A session whose robot has no fault, and is armed. */
async function armed(server: PlayedServer): Promise<void> {
  await started(server);
  if (!(await server.clear()))
    throw new Error(`fault ${server.state?.fault ?? 0} stays after CLEAR`);
  for (let tries = 0; tries < 10; tries++) {
    if ((await server.arm(0.5)) === 1) return;
    await server.play(0.1);
  }
  throw new Error('ARM was not accepted');
}

/** Moves the set-points along +z from where the tool is. */
function climb(server: PlayedServer, ttl_ms = 1000): SetpointFrame {
  const setpoint = server.setpointHere('TRACK', ttl_ms);
  const from = setpoint.position[2];
  let cycle = 0;
  server.onCycle = () => {
    // at rest first: a motion begins with a set-point at the tool
    const moved = Math.max(0, ++cycle - 20) * server.period_us * 1e-6;
    const going = moved > 0 && moved < MOVE_S;
    setpoint.position[2] = from + SPEED_MPS * Math.min(moved, MOVE_S);
    setpoint.twist[2] = going ? SPEED_MPS : 0;
    return true;
  };
  server.cyclic = setpoint;
  return setpoint;
}

/** Armed, and in the middle of a climb. */
async function following(server: PlayedServer, ttl_ms = 1000): Promise<SetpointFrame> {
  await armed(server);
  const setpoint = climb(server, ttl_ms);
  const from = server.state!.position[2];
  const moved = await server.until(() => server.state!.position[2] > from + 0.001, 3);
  if (!moved || !follows(server.state!)) {
    const { linkState, fault, position } = server.state!;
    throw new Error(
      `not followed: ${mm(position[2] - from)}, linkState ${linkState}, fault ${fault}`,
    );
  }
  return setpoint;
}

/** The tool stands still, whatever set-points come; then CLEAR and ARM let it move again. */
async function staysDown(server: PlayedServer): Promise<string> {
  await server.play(0.3);
  const rest = server.state!.position.slice();
  climb(server);
  await server.play(0.6);
  const moved = distance(server.state!.position, rest);
  if (moved > REST_M) return `moved ${mm(moved)} without a new ARM`;
  if (follows(server.state!)) return 'follows without a new ARM';
  return '';
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

export const CHECKS: readonly Check[] = [
  {
    name: 'hello',
    expected:
      'HELLO by itself: role 1, version 1.0 in its range, this layout hash, a nonce, a range of periods, limits above 0',
    moves: false,
    async run(server) {
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
    run: (server) => refuses(server, { layoutHash: LAYOUT_HASH ^ 1 }, 'layout'),
  },
  {
    name: 'handshake',
    expected: 'CONFIG_ACK with version, period and session of CONFIG',
    moves: false,
    async run(server) {
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
    run: (server) => refuses(server, { version: VERSION + 16 }, 'version'),
  },
  {
    name: 'cycle of STATE',
    expected: 'one STATE a period without any set-point; quaternion, times and numbers in order',
    moves: false,
    async run(server) {
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
      const took_us = states[states.length - 1].t_us - states[0].t_us;
      const cycle_us = took_us / (states.length - 1);
      const off = cycle_us / server.period_us - 1;
      if (Math.abs(off) > 0.1)
        return `a STATE every ${cycle_us.toFixed(0)} µs, asked ${server.period_us}`;
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
    run: (server) => {
      const config = (w: Parameters<NonNullable<Offer['config']>>[0]): void =>
        w.f32(at(CONFIG, 'speed'), 2 * server.hello!.limits[0]);
      return refuses(server, { config }, 'limits');
    },
  },
  {
    name: 'clock',
    expected: 'SYNC with the same t1, t2 the arrival and t3 the departure, by the clock of STATE',
    moves: false,
    async run(server) {
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
    async run(server) {
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
    async run(server) {
      await started(server);
      server.cyclic = null;
      const setpoint = server.setpointHere();
      server.seq += 10;
      const newest = server.sendSetpoint(setpoint);
      const isEchoed = (): boolean => server.state?.echoSeq === newest;
      if (!(await server.until(isEchoed, 0.5))) return 'the set-point is not echoed';
      server.forget();
      server.sendSetpoint(setpoint, newest - 5);
      server.sendSetpoint(setpoint, newest);
      await server.play(0.1);
      const other = server.states.find(({ echoSeq }) => echoSeq !== newest);
      return other === undefined ? '' : `echoSeq ${other.echoSeq} after ${newest}`;
    },
  },
  {
    name: 'without ARM',
    expected:
      'a robot that needs ARM moves for no set-point before it; one that needs none says so in HELLO',
    moves: false,
    async run(server) {
      await started(server);
      if ((server.hello!.capabilities & Capability.ARM_NEEDED) === 0) return '';
      if (!(await server.clear())) return 'a fault stays after CLEAR';
      const rest = server.state!.position.slice();
      climb(server);
      await server.play(0.8);
      const moved = distance(server.state!.position, rest);
      if (follows(server.state!)) return `linkState ${server.state!.linkState}`;
      return moved < REST_M ? '' : `moved ${mm(moved)}`;
    },
  },
  {
    name: 'ARM',
    expected:
      'ARM_ACK 1 with the number of the request at rest, and again when the same ARM is repeated',
    moves: false,
    async run(server) {
      await armed(server);
      server.forget();
      const request = server.request(ARM);
      const answers = (): number =>
        server.frames.filter(
          (f) =>
            f.type === ARM_ACK &&
            u32(f, at(ARM_ACK, 'request')) === request &&
            u32(f, at(ARM_ACK, 'accepted')) === 1,
        ).length;
      await server.until(() => answers() > 0, 0.5);
      server.repeat(ARM, request);
      await server.until(() => answers() > 1, 0.5);
      return answers() === 2 ? '' : `${answers()} of 2 ARM were answered with 1`;
    },
  },
  {
    name: 'following',
    expected: `the tool follows 4 mm at 4 mm/s within ${mm(TRACKING_M)}, echoes the newest set-point, says linkState 6`,
    moves: true,
    async run(server) {
      const setpoint = await following(server);
      server.forget();
      await server.play(1.4);
      const off = distance(server.state!.position, setpoint.position);
      if (off > TRACKING_M) return `${mm(off)} from the set-point`;
      if (server.state!.linkState !== SafetyState.ACTIVE_FREE)
        return `linkState ${server.state!.linkState}`;
      const behind = server.lastSetpoint - server.state!.echoSeq;
      // set-points on their way, and the delay of a robot: a tenth of a second
      return behind <= Math.max(20, 1e5 / server.period_us) ? '' : `echoSeq is ${behind} behind`;
    },
  },
  {
    name: 'first set-point elsewhere',
    expected: `after ARM, a first set-point ${mm(OFF_M)} away moves nothing`,
    moves: true,
    async run(server) {
      await armed(server);
      const rest = server.state!.position.slice();
      const setpoint = server.setpointHere('TRACK');
      setpoint.position[2] += OFF_M;
      server.cyclic = setpoint;
      await server.play(0.5);
      const moved = distance(server.state!.position, rest);
      return moved < REST_M ? '' : `moved ${mm(moved)}`;
    },
  },
  {
    name: 'jump',
    expected: `one set-point ${mm(JUMP_M)} off in the middle of a motion is left out`,
    moves: true,
    async run(server) {
      const setpoint = await following(server);
      const before = server.state!.position.slice();
      const jump = server.setpointHere('TRACK');
      jump.position[0] += JUMP_M;
      server.forget();
      server.sendSetpoint(jump);
      await server.play(0.3);
      const side = Math.max(
        ...server.states.map(({ position }) => Math.abs(position[0] - before[0])),
      );
      if (side > TRACKING_M) return `moved ${mm(side)} towards it`;
      return distance(server.state!.position, setpoint.position) < JUMP_M
        ? ''
        : 'lost the set-point';
    },
  },
  {
    name: 'time to live',
    expected: `without set-points the motion ends within the ttl of ${TTL_MS} ms and ${1000 * STOP_S} ms, a fault is told, STATE goes on, and only CLEAR and ARM let it move again`,
    moves: true,
    async run(server) {
      await following(server, TTL_MS);
      server.cyclic = null;
      server.forget();
      await server.play(0.4);
      const { states } = server;
      if (states.length < 2) return 'no STATE in the silence';
      const echoed = states.find(({ echoSeq }) => echoSeq === server.lastSetpoint) ?? states[0];
      const ended = states.find((state) => state.t_us >= echoed.t_us && !follows(state));
      if (ended === undefined) return 'it follows still after 400 ms';
      const took_s = 1e-6 * (ended.t_us - echoed.t_us);
      if (took_s > 1e-3 * TTL_MS + STOP_S)
        return `it followed for ${(1000 * took_s).toFixed(0)} ms`;
      const [a, b] = [states[states.length - 2], states[states.length - 1]];
      if (distance(a.position, b.position) > REST_M) return 'it moves still after 400 ms';
      if (stopFaults(b.fault) === 0) return 'no bit of STATE.fault that stops';
      if (b.safety !== RobotSafety.PROTECTIVE && b.safety !== RobotSafety.EMERGENCY)
        return `safety ${b.safety} with a fault that stops`;
      return staysDown(server);
    },
  },
  {
    name: 'lost set-points',
    expected: 'one set-point in ten may be lost: the motion goes on',
    moves: true,
    async run(server) {
      const setpoint = await following(server);
      const move = server.onCycle;
      server.onCycle = (frame, cycle) => {
        move(frame, cycle);
        return cycle % 10 !== 0;
      };
      await server.play(1);
      if (!follows(server.state!)) return `linkState ${server.state!.linkState}`;
      const off = distance(server.state!.position, setpoint.position);
      return off < TRACKING_M ? '' : `${mm(off)} from the set-point`;
    },
  },
  ...[1, 0].map(
    (category): Check => ({
      name: `STOP ${category}`,
      expected: 'the motion ends within 100 ms, and set-points move nothing until CLEAR and ARM',
      moves: true,
      async run(server) {
        await following(server);
        server.forget();
        server.request(STOP, category);
        const ended = await server.until(() => !follows(server.state!), STOP_S + 0.05);
        if (!ended) return 'it follows still';
        const down = await staysDown(server);
        if (down !== '') return down;
        if (!(await server.clear())) return 'CLEAR at rest does not clear it';
        return '';
      },
    }),
  ),
  {
    name: 'STOP 2',
    expected:
      'with set-points of mode hold the motion ends within 100 ms; ARM in the hold is answered with 1',
    moves: true,
    async run(server) {
      await following(server);
      server.request(STOP, 2);
      server.cyclic = server.setpointHere('HOLD');
      server.onCycle = () => true;
      if (!(await server.until(() => !follows(server.state!), STOP_S + 0.05)))
        return 'it follows still';
      await server.play(0.5);
      return (await server.arm(0.5)) === 1 ? '' : 'ARM in the hold is not answered with 1';
    },
  },
  {
    name: 'CLEAR',
    expected: 'the fault of a time to live is gone after CLEAR at rest',
    moves: true,
    async run(server) {
      await following(server, TTL_MS);
      server.cyclic = null;
      await server.play(0.4);
      if (server.state!.fault === 0) return 'there was no fault';
      server.cyclic = server.setpointHere();
      await server.play(0.3);
      server.request(CLEAR);
      await server.until(() => server.state!.fault === 0, 0.5);
      return server.state!.fault === 0 ? '' : `fault ${server.state!.fault}`;
    },
  },
  {
    name: 'silence',
    expected:
      'after half a second without any frame the session is over: HELLO with a new nonce, no STATE',
    moves: false,
    async run(server) {
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
    async run(server) {
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
