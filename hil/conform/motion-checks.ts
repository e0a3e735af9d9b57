/** Checks of ARM, of the motion and of what ends it. */
import { RobotSafety, SafetyState } from '../contract/codes.ts';
import { stopFaults } from '../contract/robot-faults.ts';
import { FrameType, type SetpointFrame } from '../protocol/frames.ts';
import { Capability } from '../protocol/handshake.ts';
import { fieldOffset as at } from '../protocol/layout.ts';
import { type Check, distance, follows, mm, started } from './check.ts';
import { type PlayedServer, u32 } from './played-server.ts';

const { ARM, ARM_ACK, CLEAR, STOP } = FrameType;

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

/**
 * Whether the tool stood still and followed nothing for a time. Every STATE counts, not the last alone: a robot that stops because this
 * process was late has moved before.
 */
async function strays(server: PlayedServer, time_s: number): Promise<string> {
  const rest = server.state!.position.slice();
  server.forget();
  await server.play(time_s);
  const { states } = server;
  if (states.length === 0) return 'no STATE';
  const moved = Math.max(...states.map(({ position }) => distance(position, rest)));
  if (moved > REST_M) return `moved ${mm(moved)}`;
  const busy = states.find((state) => follows(state));
  return busy === undefined ? '' : `linkState ${busy.linkState}`;
}

/** The tool stands still, whatever set-points come. */
async function staysDown(server: PlayedServer): Promise<string> {
  // set-points go on: half a second without any would end the session
  server.cyclic = server.setpointHere();
  server.onCycle = () => true;
  await server.play(0.3);
  climb(server);
  const seen = await strays(server, 0.6);
  return seen === '' ? '' : `${seen} without a new ARM`;
}

/** In their order: what moves comes after ARM was judged. */
export const MOTION_CHECKS: readonly Check[] = [
  {
    name: 'without ARM',
    expected:
      'a robot that needs ARM moves for no set-point before it; one that needs none says so in HELLO',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
      await started(server);
      if ((server.hello!.capabilities & Capability.ARM_NEEDED) === 0) return '';
      if (!(await server.clear())) return 'a fault stays after CLEAR';
      climb(server);
      return strays(server, 0.8);
    },
  },
  {
    name: 'ARM',
    expected:
      'ARM_ACK 1 with the number of the request at rest, and again when the same ARM is repeated',
    moves: false,
    async run(server: PlayedServer): Promise<string> {
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
    async run(server: PlayedServer): Promise<string> {
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
    async run(server: PlayedServer): Promise<string> {
      await armed(server);
      const setpoint = server.setpointHere('TRACK');
      setpoint.position[2] += OFF_M;
      server.cyclic = setpoint;
      return strays(server, 0.5);
    },
  },
  {
    name: 'jump',
    expected: `one set-point ${mm(JUMP_M)} off in the middle of a motion is left out`,
    moves: true,
    async run(server: PlayedServer): Promise<string> {
      const setpoint = await following(server);
      const before = server.state!.position.slice();
      const move = server.onCycle;
      const side_m = setpoint.position[0];
      let jumps = 1;
      server.forget();
      // in place of one of the cycle: a robot that takes the newest alone would not see it beside that
      server.onCycle = (frame, cycle) => {
        frame.position[0] = jumps-- > 0 ? side_m + JUMP_M : side_m;
        return move(frame, cycle);
      };
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
    async run(server: PlayedServer): Promise<string> {
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
    async run(server: PlayedServer): Promise<string> {
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
      async run(server: PlayedServer): Promise<string> {
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
    async run(server: PlayedServer): Promise<string> {
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
    async run(server: PlayedServer): Promise<string> {
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
];
