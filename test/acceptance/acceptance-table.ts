/**
 * Acceptance tests: 1 to 52 of hil-anchors 9.4, from 53 on those of an attack (`attack-rows.ts`): what, pass figure, and where each is tested.
 * The page is docs/acceptance.md.
 */
import { type AcceptanceRow, row } from './acceptance-row.ts';
import { ATTACK_ROWS } from './attack-rows.ts';

export type { AcceptanceRow } from './acceptance-row.ts';

const TIMING = 'test/hil/loop/timing.test.ts';
const MILLION = 'test/hil/loop/timing.long.test.ts';
const OVERRUN = 'test/hil/safety/overrun.test.ts';
const MACHINE = 'test/hil/safety/machine.test.ts';
const SESSION = 'test/hil/protocol/session.test.ts';
const FRAMING = 'test/hil/protocol/framing.test.ts';
const BROKEN_FRAMES = 'test/hil/protocol/framing.long.test.ts';
const LINK_FAULTS = 'test/hil/loop/link-faults.test.ts';
const LATE_FRAMES = 'test/hil/loop/link-faults.long.test.ts';
const LINK_LOSS = 'test/hil/loop/link-loss.test.ts';
const COMMANDS = 'test/hil/operator/operator-commands.test.ts';
const OPERATOR_INPUT = 'test/server/operator/operator-input.test.ts';
const PROCESSES = 'test/wall/process-faults.test.ts';
const FILES = 'test/hil/recording/files.test.ts';
const RESTITUTION = 'test/hil/energy/restitution.test.ts';
const REMEDIES = 'test/hil/energy/restitution-remedies.long.test.ts';
const GUARD = 'test/hil/energy/guard.test.ts';

/** In the order of their numbers. */
export const ACCEPTANCE: readonly AcceptanceRow[] = [
  row(1, 'V', '1,000,000 ticks without a fault', '0 overruns, count exact, error of model time 0', {
    [MILLION]: '1:',
  }),
  row(
    2,
    'V',
    'late wakes of 0.2 to 50 ms',
    'each counted with its cause; slip = floor(lateness/h); never two set-points in a period',
    { [TIMING]: '2:', [OVERRUN]: 'fault test 2:' },
  ),
  row(3, 'V', '20 overruns in a row, a bucket of 50, one of 25 ms', 'HOLD on the exact tick', {
    [TIMING]: '3:',
    [OVERRUN]: ['fault test 3:', 'fault test 3 through the machine:'],
  }),
  row(
    4,
    'V',
    'jump of the wall clock by ±1 h',
    'no effect: nothing that decides reads it (lint)',
    { [TIMING]: '4:' },
    'lint',
  ),
  row(
    5,
    'W',
    '60 s at 1 kHz',
    'p50 lateness ≤ 0.3 ms; every tick accounted for; stalls > 25 ms all led to HOLD',
    { 'test/wall/loop.test.ts': '5:' },
    'soak',
    'test:loop',
  ),
  row(
    6,
    'W',
    '/metrics 100 times a second, 20 viewers, recorder on',
    'added p99 lateness ≤ 50 µs (told), 0 ticks unaccounted for',
    {},
    'soak',
    'bench:watched',
  ),
  row(
    7,
    'V',
    'random loss of 1, 2, 5, 10 %',
    'success ratio within 1 point; no HOLD at 1 %; FAIR and POOR on the exact period',
    { [SESSION]: '7:', [LINK_FAULTS]: '7:', [LINK_LOSS]: '7:' },
  ),
  row(
    8,
    'V',
    'missing STATE',
    'model frozen on the 4th; HOLD up to 19, STOPPING on the 20th, on the exact tick',
    { [LINK_FAULTS]: '8:', [MACHINE]: 'fault test 8:' },
  ),
  row(
    9,
    'V',
    'duplicates, reordering by 1 to 50, replay of a capture',
    'none applied, counted, no change of state',
    { [SESSION]: '9:', [LATE_FRAMES]: '9:', 'test/hil/emulator/robot.test.ts': '9:' },
  ),
  row(
    10,
    'V',
    'STATE with NaN, infinity, denormal, non-unit quaternion, jump of 10 mm or 0.1 rad',
    'rejected, counted, HOLD after 4 in a row',
    { [SESSION]: '10:', [LINK_FAULTS]: '10:', [LINK_LOSS]: '10:' },
  ),
  row(
    11,
    'V',
    'robot clock with 200 ppm drift, step of 1 s',
    'offset within 100 µs after 2 s; nothing stale',
    { [SESSION]: '11:' },
  ),
  row(
    12,
    'W',
    'server killed in motion and in contact',
    'robot at rest within ttl + v/a_max, ≤ 60 ms at 0.1 m/s; no deeper than v·ttl',
    {
      [PROCESSES]: '12:',
      'test/hil/emulator/robot.test.ts': [
        'the loop dies in free motion',
        'the loop dies in contact',
      ],
      'test/hil/emulator/guard.test.ts': 'contact: one cycle',
    },
    'test:kill',
  ),
  row(
    13,
    'W',
    'robot unplugged and plugged in 100 times',
    '100 recoveries to MONITOR, 0 motions without ARM, descriptors and memory flat',
    {
      [MACHINE]: 'fault test 13,',
      'test/wall/replug.test.ts': '13:',
      'test/wall/serial-replug.test.ts': '13:',
    },
    'test:replug',
  ),
  row(14, 'V', 'version or layout hash differs', 'REJECT, 0 cyclic frames, clear message', {
    [SESSION]: '14:',
  }),
  row(
    15,
    'P',
    '1e6 random and 1e6 mutated frames',
    '0 throws, 0 accepted with a wrong CRC, memory bounded',
    { [BROKEN_FRAMES]: '15:' },
    'test:fuzz',
  ),
  row(16, 'P', '1 to 5 flipped bits, all positions and 1e6 random', '100 % detected', {
    [FRAMING]: '16:',
  }),
  row(17, 'P', 'byte lost or inserted, burst of 1 to 64', '≤ 2 frames lost each', {
    [BROKEN_FRAMES]: '17:',
  }),
  row(18, 'P', 'split at every byte, reads of 1 byte', 'the same frames', { [FRAMING]: '18:' }),
  row(19, 'P', 'no delimiter for 1 MB', 'dropped at 512 B, one error, link lives', {
    [FRAMING]: '19:',
  }),
  row(20, 'P', 'baud too low for the rate', 'refused at CONFIG with the computed load', {
    [FRAMING]: '20:',
    [SESSION]: '20:',
  }),
  row(21, 'V', 'input stops', 'zero twist ≤ 150 ms after the last valid frame', {
    [LINK_FAULTS]: '21:',
    [MACHINE]: 'fault test 21:',
    'test/hil/safety/hand-controller.test.ts': 'fault test 21:',
  }),
  row(22, 'V', 'TCP stalls for 400 ms, then a burst', 'discarded as stale, no motion', {
    [OPERATOR_INPUT]: '22:',
  }),
  row(23, 'V', 'client clock off by ±10 min', 'still stale after 100 ms', {
    [OPERATOR_INPUT]: '23:',
  }),
  row(
    24,
    'V',
    'pad removed with the stick deflected, repeated inputs',
    'HOLD; centre and press again',
    {
      [COMMANDS]: '24:',
      [MACHINE]: 'fault test 24:',
    },
  ),
  row(
    25,
    'V',
    'deadman released with the stick deflected',
    'zero command in the next set-point, which brakes at the limit of acceleration',
    {
      [LINK_FAULTS]: '25:',
      [MACHINE]: 'fault test 25:',
      'test/hil/safety/hand-controller.test.ts': 'fault test 25:',
    },
  ),
  row(
    26,
    'V',
    'two clients ask for authority, the holder is silent',
    'lease ends after 2 s; exactly one holder at every tick, 1e5 random schedules',
    {
      'test/server/operator/authority.test.ts': [
        'a silent holder loses',
        '100 000 random schedules',
      ],
    },
  ),
  row(27, 'V', 'a monitor sends input', 'rejected 4409; STOP from a monitor obeyed next tick', {
    [OPERATOR_INPUT]: '27:',
    [MACHINE]: 'fault test 27:',
    'test/server/access/role-matrix.test.ts': '46:',
  }),
  row(28, 'V', 'resume after a pause', 'first set-point within 0.5 mm of the measured pose', {
    [COMMANDS]: '28:',
    [MACHINE]: 'fault test 28:',
  }),
  row(
    29,
    'V',
    'restitution without compensation, 17 rows of the table',
    'within 0.5 % of the numeric column (sampled loop 1 %)',
    { [RESTITUTION]: 'without compensation:', 'test/hil/energy/prediction.test.ts': '29:' },
    'bench:restitution',
  ),
  row(
    30,
    'V',
    'delay of the integrator',
    'symplectic ≤ 0.01 ms, zero-order hold 0.50 ± 0.01; explicit Euler refused',
    {
      'test/hil/energy/prediction.test.ts': '30:',
      [RESTITUTION]: 'without delay the loop is exact',
      'test/config/bad-input.test.ts': '30:',
    },
  ),
  row(
    31,
    'V',
    'critical delay T_c, 20 random contacts',
    'e < 1 at 0.9 T_c, e > 1 at 1.1 T_c; held: decays at 0.98, grows at 1.02',
    { 'test/hil/energy/prediction.test.ts': '31:' },
  ),
  row(
    32,
    'V',
    'guard on: all rows, k −30 %, T one tick short, 5 % loss, 0.5 N noise; held 60 s',
    'e ≤ 1.0005 (with noise: from begin to end of the contact at the port, for noise moves a free mass before and after); peak ≤ 1.2 × ideal after 1 s',
    {
      [GUARD]: [
        'guard: e <= 1.0005 in every row',
        'guard over a wrong stiffness',
        'guard over noise of 0.5 N',
        'held contact for 60 s',
      ],
      [REMEDIES]: ['guard: ', 'guard on top of what is wrong', 'held by 20 N for 60 s'],
    },
    'bench:restitution',
  ),
  row(33, 'V', 'observer with the velocity at the start of the tick', 'fails test 32', {
    [GUARD]: 'an observer with the velocity at the start',
  }),
  row(
    34,
    'V',
    'model compensation, exact k and T, ωT ≤ 0.32',
    'e within 0.2 % (b = 0) and 3 % (b > 0)',
    {
      'test/hil/energy/compensation.test.ts': 'model prediction:',
      [REMEDIES]: 'model prediction:',
    },
    'bench:restitution',
  ),
  row(
    35,
    'V',
    'audit against energy, 50 random contacts with ωT ≤ 0.4; a run without contact',
    '≤ 2 % of E_in; 0 within 1e-9 J',
    {
      'test/hil/energy/audit.test.ts': [
        'created energy within 2 %',
        'no contact: nothing is created',
      ],
      'test/hil/energy/free-flight.long.test.ts': '35:',
    },
  ),
  row(
    36,
    'V',
    'delay estimator, 1 to 20 ms',
    'error ≤ 0.2 ms within 2 s; steps followed within 1 s',
    {
      'test/hil/energy/delay-estimator.test.ts': '36:',
      'test/hil/energy/delay-loop.test.ts': '36:',
    },
  ),
  row(
    37,
    'V',
    'accommodation: K_a k T, the lag of the arm and the period short beside T',
    '0.36: overshoot < 0.5 %; 0.5: 4 ± 1 %; ≥ 0.37 refused unless acknowledged',
    { 'test/hil/energy/fma-limit.long.test.ts': '37:' },
  ),
  row(
    38,
    'V',
    'free body in 6-DOF for 60 s; frames',
    'drift of momentum and energy < 1e-9 (energy in the step of the loop, which is of the second order: < (ω h)²/12 = 1.9e-7); round trips 1e-12',
    {
      'test/src/system/free-body.test.ts': '38:',
      'test/hil/energy/energy-6dof.long.test.ts': 'free flight:',
    },
  ),
  row(
    39,
    'V',
    'replay of a recording',
    'set-points equal bit for bit',
    {
      'test/hil/replay/replay.test.ts': [
        'a replay from the start',
        'so does a replay from every later STATE',
      ],
    },
    'test:recording',
  ),
  row(
    40,
    'W',
    'SIGKILL while recording',
    'readable; tail lost ≤ 1 s or 256 KB; recover closes it and counts',
    { 'test/wall/recorder-killed.test.ts': '40:' },
    'test:kill',
  ),
  row(41, 'W', 'disk full, disk of 2 MB/s', 'loop unaffected, drops counted; required: STOPPING', {
    [FILES]: '41:',
    'test/hil/recording/required.test.ts': '41:',
    'test/wall/recorder-lost.test.ts': '41:',
  }),
  row(42, 'W', 'slow viewer', '≤ 2 MB, newest only, then closed 4408; loop unaffected', {
    'test/server/telemetry/foxglove.test.ts': '42:',
    'test/server/access/slow-socket.test.ts': '42:',
  }),
  row(
    43,
    'W',
    'promtool on metrics and rules; a real Prometheus',
    'every alert fires and clears',
    {},
    'test:prometheus',
  ),
  row(44, 'W', 'Foxglove clients of both protocol names', 'all channels decoded', {
    'test/server/telemetry/foxglove.test.ts': '44:',
  }),
  row(
    45,
    'W',
    'origin and ticket missing, wrong, expired, reused; 1e4 bad attempts',
    '401/403 before the upgrade, audited; memory flat, a valid client ≤ 100 ms',
    { 'test/server/access/access.test.ts': '45:', 'test/flight/floods.test.ts': '45:' },
    'test:flight',
  ),
  row(46, 'V', 'every message × role × authority', 'exactly the allowed cells succeed', {
    'test/server/access/role-matrix.test.ts': '46:',
  }),
  row(
    47,
    'W',
    '10 MB message, 1e5 messages/s, deep nesting, bad extension types',
    'closed 4413/4429/4400; loop unaffected',
    { 'test/flight/floods.test.ts': '47:' },
    'test:flight',
    'test:fuzz',
  ),
  row(
    48,
    'V',
    'audit chain: any byte flipped; tail cut',
    'verify names the line; the cut is detected',
    {
      'test/server/audit/audit.test.ts': '48:',
    },
  ),
  row(
    49,
    'W',
    'SIGTERM in motion; SIGSTOP for 500 ms',
    'STOP category 1, files closed, exit 0 within 2 s; counted stall, HOLD',
    { [PROCESSES]: ['50, 49:', '49:'] },
  ),
  row(
    50,
    'W',
    'uncaught error in the loop, and in the I/O thread',
    'FAULT, robot at rest, process alive, cause shown; I/O: loop unaffected',
    {
      [LINK_FAULTS]: '50:',
      'test/hil/loop/tick-errors.test.ts': '50:',
      [PROCESSES]: '50, 49:',
      'test/server/access/access.test.ts': '50:',
    },
  ),
  row(
    51,
    'W',
    'fault injection',
    'refused without the flag; with it in metrics, recording and audit log',
    {
      'test/hil/faults/fault-injection.test.ts': '51:',
      'test/server/routes/faults.test.ts': '51:',
    },
  ),
  row(
    52,
    'S',
    '8 h with 0.5 % loss, a contact every 2 s, viewers coming and going',
    'memory < 1 MB/h after 10 min, 0 ticks unaccounted for, created energy ≤ 1 % of contact energy, all holds explained',
    { 'test/hil/energy/tapping.long.test.ts': '52:' },
    'soak',
    'soak:virtual',
  ),
  ...ATTACK_ROWS,
];
