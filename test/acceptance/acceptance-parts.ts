/**
 * What `npm run acceptance` runs: all that takes long or needs the machine to itself. One line a part: its program, and its arguments
 * for the whole run and for the quick one.
 */

/** One program of the acceptance run. */
export interface AcceptancePart {
  readonly name: string;
  readonly what: string;
  /** Under the folder of the built program. */
  readonly program: string;
  readonly full: readonly string[];
  readonly quick: readonly string[];
  /** Longest time it may take, min: beyond twice what it takes on a busy machine. */
  readonly limit_min: number;
  /** It compares with another checkout, which `--against` names; without one it is skipped. */
  readonly compares?: true;
}

type Arguments = readonly string[];

/** Key of the robot link where frames carry tags. */
const LINK_KEY = 'acceptance-link-4c81f0d2';

function part(
  name: string,
  limit_min: number,
  what: string,
  program: string,
  full: Arguments = [],
  quick: Arguments = full,
): AcceptancePart {
  return { name, what, program, full, quick, limit_min };
}

/** Parts in their order: the quickest first. */
export const ACCEPTANCE_PARTS: readonly AcceptancePart[] = [
  part('wall', 30, 'stops and faults on the wall clock', 'test/run.js', ['wall/']),
  part(
    'newcomer',
    20,
    'the first hour of a person who has only the repository',
    'test/ops/newcomer.js',
  ),
  part('flight', 80, 'insertions over sockets, floods, two loop workers', 'test/run.js', [
    'flight/',
  ]),
  part('page', 60, 'flights from the page in Chromium, its frame rate', 'test/run.js', [
    'browser/flight',
    'browser/frame-rate',
  ]),
  part(
    'portable',
    60,
    'the same bits on Node 20 to 26, x64 and arm64',
    'test/portable/portable-entry.js',
    [],
    ['x64-20', 'x64-26'],
  ),
  part(
    'setpoints',
    60,
    'random flights on the virtual clock, every SETPOINT differenced',
    'test/hil/safety/setpoint-flights-entry.js',
    ['--flights', '10000'],
    ['--flights', '100'],
  ),
  part(
    'loop',
    20,
    'both modes over each link',
    'test/acceptance/soak-loop.js',
    [],
    ['--seconds', '15'],
  ),
  part(
    'recording',
    20,
    'a flight, recorded and replayed',
    'test/acceptance/record-and-replay.js',
    ['--seconds', '60'],
    ['--seconds', '20'],
  ),
  part(
    'fuzz',
    40,
    'fuzzers of every decoder',
    'test/fuzz/fuzz-entry.js',
    ['--seconds', '600'],
    ['--seconds', '60'],
  ),
  part(
    'attack',
    30,
    'hostile robots, operators, HTTP and files',
    'test/attack/attack-entry.js',
    [],
    ['--quick'],
  ),
  part(
    'kill',
    60,
    'kill −9 of service, robot and pilot',
    'test/acceptance/kill-tests.js',
    ['--count', '200'],
    ['--count', '12'],
  ),
  part(
    'replug',
    30,
    'the robot unplugged',
    'test/acceptance/replug.js',
    ['--count', '100'],
    ['--count', '20'],
  ),
  part(
    'drops',
    90,
    'random drops and impacts of all pairs and laws, one to ten bodies, trees',
    'test/acceptance/drops.js',
    ['--drops', '100000'],
    ['--drops', '2000'],
  ),
  part(
    'study',
    180,
    'studies whose workers and whose Redis are killed, one table',
    'test/acceptance/study-kills.js',
    ['--runs', '10000', '--kills', '200'],
    ['--runs', '300', '--kills', '6'],
  ),
  part(
    'draws',
    90,
    'the long draws with all their samples',
    'test/acceptance/draws.js',
    [],
    ['facet-draws.long'],
  ),
  part(
    'restitution',
    120,
    'restitution over a socket',
    'test/acceptance/restitution.js',
    [],
    ['--quick'],
  ),
  part(
    'contact',
    20,
    'contact at a period of 10 ms over a socket',
    'test/acceptance/hardware-contact.js',
  ),
  part(
    'virtual-soak',
    60,
    'hours of the loop on the virtual clock',
    'test/acceptance/virtual-soak.js',
    ['--hours', '8'],
    ['--hours', '2'],
  ),
  part(
    'soak',
    100,
    'the service, faults injected, memory watched',
    'test/acceptance/soak.js',
    ['--minutes', '60'],
    ['--minutes', '10'],
  ),
  part('volumetric', 30, 'cost of cell pairs', 'bench/volumetric-step.js', [], ['--quick']),
  part(
    'watched',
    30,
    'cost of watching and recording',
    'bench/watched-loop.js',
    [],
    ['--seconds', '8', '--rounds', '2'],
  ),
  part(
    'redundant',
    30,
    'release of one and two loop workers',
    'bench/redundant-release.js',
    ['--stops', '14'],
    ['--seconds', '8', '--rounds', '1', '--stops', '14'],
  ),
  part(
    'latency',
    30,
    'STATE to SETPOINT',
    'bench/loop-latency.js',
    [],
    ['--seconds', '8', '--rounds', '2'],
  ),
  {
    ...part(
      'latency-compare',
      30,
      'STATE to SETPOINT of another checkout and, with tags, of this one',
      'bench/latency-compare.js',
      ['--key', LINK_KEY],
      ['--key', LINK_KEY, '--seconds', '4', '--rounds', '2'],
    ),
    compares: true,
  },
];
