/** Acceptance tests from 53 on: what a robot, an operator, a stranger on the network or a file may do, and what the service does then. */
import { type AcceptanceRow, row } from './acceptance-row.ts';

/** In the order of their numbers. */
export const ATTACK_ROWS: readonly AcceptanceRow[] = [
  row(
    53,
    'V',
    'set-points in flight: lowered limits, forces inside the limit, walls, holds, lost STATE, a lead',
    'speed, acceleration and jerk of pose and twist inside their limits, in the differences of every frame; limiting that lasts is held',
    { 'test/safety/setpoint-limits.test.ts': '53:' },
    'test:setpoints',
  ),
  row(
    54,
    'W',
    "Another robot that connects before the service's emulated one, or takes its place when it hangs in flight",
    'the demo says so in one sentence and flies nothing; status.link.robot_emulated tells them apart; a key of the run proves it',
    { 'test/wall/stranger-robot.test.ts': '54:', 'test/protocol/tagged-session.test.ts': '54:' },
    'test:wall',
  ),
  row(
    55,
    'V',
    'A HELLO in flight, whatever nonce it quotes; HELLO with nonce 0',
    'the session ends in the tick that hears it, a handshake and an ARM come before any motion; refused, never the limits of another robot',
    { 'test/protocol/hello-in-flight.test.ts': '55:' },
  ),
  row(
    56,
    'V',
    'robot that stands still while set-points run; echo that stands still, lies or runs far behind; drift in a HOLD; honest arms of 25 to 200 Hz',
    'HOLD at 2 mm + 50 ms of the speed, STOPPING at twice that; HOLD with the 10th STATE, STOPPING with the 30th; no false alarm',
    { 'test/hil/robot-that-lies.test.ts': ['56: ', '56, 57: '] },
  ),
  row(
    57,
    'V',
    'speed by poses: 446 mm in 45 ms and 0.79 m/s with twist 0; twist that is not of the poses; clock ten times too fast; drift in a HOLD with twist 0',
    'STOPPING within 10 ms; HOLD within 0.1 s; within 0.15 s; the set-point stays, STOPPING below 4.5 mm; at rest by the poses too',
    { 'test/hil/robot-that-lies.test.ts': ['57: ', '56, 57: ', '56: what runs away'] },
  ),
  row(
    58,
    'V',
    'Uplink of 2 s, a delay that grows, a client clock 100 times too fast, answers given again, a client that answers none',
    'nothing older than `operator.input_timeout_s` is applied; a released deadman holds within it; no authority and no ARM without a measured delay',
    { 'test/server/operator-delay.test.ts': '58:', 'test/server/operator.test.ts': '58:' },
  ),
  row(
    59,
    'V',
    '3,200 requests for nothing, then STOP, HOLD, CLEAR, tickets and health from the same address; clients behind one proxy',
    'the flood gets 429, what makes the robot safe is answered as before; each client and key has a rate of its own',
    { 'test/server/request-guard.test.ts': '59:' },
  ),
  row(
    60,
    'W',
    'keys guessed at STOP and elsewhere; weak keys; keys that change',
    'one address learns of less than one key a second, a right STOP is obeyed at once; every failure counted and written down; old keys are put out',
    { 'test/server/key-guesses.test.ts': '60:', 'test/server/keys.test.ts': '60:' },
  ),
  row(
    61,
    'W',
    'TLS of page, sockets and robot link; certificates exchanged in flight; no open address without. A stranger who hears everything on a robot link under a key',
    'everything works over it; flight goes on, newcomers get the new certificate; refusals name setting, file and reason. The key in no byte; no frame that was heard, forged or has no tag is taken; no downgrade; ≤ 5 µs a frame, 0 bytes a tick; replays without the key',
    {
      'test/server/tls.test.ts': '61:',
      'test/wall/tls-flight.test.ts': '61:',
      'test/protocol/tagged-session.test.ts': '61:',
      'test/protocol/hmac-sha256.test.ts': '61:',
      'test/hil/replay.test.ts': '61:',
    },
    'test:wall',
    'test:allocation',
  ),
  row(
    62,
    'W',
    '200 slow bodies without a key, 200 with one, silent connections, 400 of one peer, strangers at the robot’s listener',
    '401 before the body; cut after 5 s (robot: 2 s); STOP, health and the robot get in meanwhile',
    { 'test/server/request-guard.test.ts': '62:' },
  ),
  row(
    63,
    'V',
    'each bit of STATE.fault, FAULT frames, codes without a name; reduced; ctlMode idle and linkState fault in flight',
    'stop, hold or warn as the table of the protocol says, without a name stop; both speeds halved within 0.5 s; HOLD; STOPPING',
    { 'test/hil/robot-fault.test.ts': '63:' },
  ),
  // 64 is open: contact at a period of 10 ms
  row(
    65,
    'V',
    'two STATE in one tick, EMERGENCY then NORMAL; an emergency in a STATE with a pose that is no number',
    'ESTOP in that tick; every fault bit of the tick is in its row',
    { 'test/protocol/robot-words.test.ts': '65:' },
  ),
  row(
    66,
    'V',
    'recordings: what is packed, kept, pinned, given up for room; a real disk that fills in flight',
    'a third of the bytes or less, the same records; only files of the index go, each told; then RECORDER_LOST, every file whole',
    {
      'test/hil/recording/compression.test.ts': '66:',
      'test/hil/recording/retention.test.ts': '66:',
      'test/hil/recording/disk-fills.test.ts': '66:',
    },
  ),
  row(
    67,
    'P',
    'image on the long-term release of Node; bill of materials; licences as told',
    'exact version, and no other digest than a whole one; every licence of the lock on the page',
    { 'test/ops/dockerfile.test.ts': '67:', 'test/ops/licences.test.ts': '67:' },
  ),
  // 68 is open: floods of /metrics and /openapi.json, and 256 descriptors exhausted, in flight
  row(
    69,
    'P',
    'a request for a Host that is not served (DNS rebinding); own pages with host 0.0.0.0',
    'every one refused, all methods, paths and sockets; own origins follow the names served',
    { 'test/server/names.test.ts': '69:' },
  ),
  row(
    70,
    'V',
    'tMeas an hour ahead or behind its own STATE; a robot clock that jumps',
    'refused as value or stale, HOLD after 4 in a row; the jump in events, metric and alarm with its size',
    { 'test/protocol/measured-time.test.ts': '70:', 'test/server/alarms.test.ts': '70:' },
  ),
  row(71, 'V', 'ARM and a load at the same time, 300 races', 'one of them is granted at the most', {
    'test/hil/load-gate.test.ts': '71:',
  }),
  row(
    72,
    'W',
    "The robot's only place, held by garbage or silence",
    'lost to another 5 s after connecting without a handshake, 2 s after the end of a session',
    { 'test/hil/half-open.test.ts': '72:' },
  ),
  row(
    73,
    'P',
    'loops of links, pipes, devices, files that may not be read, huge files; random facets; bombs and lying lengths',
    'one sentence and exit 2 of every command; 20 MB of random facets within 12 s of processor time (30 s before)',
    {
      'test/config/hostile-inputs.test.ts': '73:',
    },
  ),
  row(
    74,
    'V',
    'a tool far from the work-site; walls of a box, keep-out boxes, spheres and half-spaces',
    'armed only near the start that the scenario has; set-points come to rest before every wall and zone',
    {
      'test/hil/workspace.test.ts': '74:',
      'test/config/check-settings.test.ts': 'settings that do not go together',
    },
  ),
];
