/**
 * Time of a tick of 1 ms with an elastic face of 8, 16 and 32 points that push, with friction and without: µs, p50 and p99, most rounds of
 * the solver in a step, bytes left on the heap. Interleaved blocks in one process (`npm run bench:patch`).
 *
 * `held`: the pose is given, as a robot measures it, one step a tick. `free`: a block lies on its face, one step.
 * `impact`: a block that bounces again and again, touching for 0.35 ms, with the sub-steps that this takes.
 * With `--peers`, in the same turns: a block of the same face, modulus and mass at rest, its nodes solved for in full (peers/mujoco-flex.ts).
 */
import { loadavg } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseArgs } from 'node:util';
import { FACE_READOUT, FaceReadout } from '../src/system/system.ts';
import { elasticSystem, FACE } from '../test/fixtures/elastic-scenes.ts';
import { formatTable } from '../test/fixtures/table.ts';
import { loadMujocoFlex } from './peers/mujoco-flex.ts';

const TICK = 1e-3;
/** Ticks of a warm-up and of a block; an impact takes many steps in each. */
const WARM = { held: 1500, free: 1500, impact: 100 } as const;
const TICKS = { held: 1000, free: 1000, impact: 300 } as const;
const BLOCKS = 5;
/** Ticks of a measurement of the heap; most of them, until one is zero: rarely taken ways are compiled late. */
const WEIGHED = 500;
const WEIGHINGS = 60;
const MASS = 2;
const SPEED = 0.05;
/** Contact of 0.35 ms: ω = π/T. */
const OMEGA = Math.PI / 3.5e-4;
/** In flight for a tick. */
const BOUNCING = (2 * SPEED) / TICK;
const CROWDS: readonly (readonly [number, number])[] = [
  [4, 2],
  [4, 4],
  [8, 4],
];

const collect = ((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

type Kind = keyof typeof TICKS;

interface Run {
  readonly kind: Kind;
  readonly name: readonly string[];
  readonly tick: () => void;
  readonly face: Float64Array;
  readonly substeps: () => number;
  readonly best: { p50: number; p99: number; rounds: number; substeps: number; bytes: number };
  points: number;
}

/** Stiffness of a face of a modulus, from the depth at rest under 1 N. */
function stiffnessOf(points: readonly number[]): number {
  const system = elasticSystem({
    kind: 'prescribed',
    height: -1e-5,
    compliance: { ...FACE, points },
  });
  system.step(TICK);
  const row = new Float64Array(64);
  system.readEnergy(row, 0);
  const before = row[2];
  return (2 * before) / 1e-10;
}

function makeRun(
  kind: 'held' | 'free' | 'impact',
  points: readonly [number, number],
  coulomb: number,
): Run {
  const stiffness = stiffnessOf(points);
  // the stiffness goes with the modulus
  const scale = kind === 'impact' ? (OMEGA * OMEGA * MASS) / stiffness : 1;
  const compliance = { ...FACE, points, youngs_modulus_N_per_m2: 1e7 * scale };
  const gravity = kind === 'held' ? 0 : kind === 'free' ? 9.81 : BOUNCING;
  const system = elasticSystem({
    kind: kind === 'held' ? 'prescribed' : 'dynamic',
    mass: MASS,
    compliance,
    gravity,
    height: kind === 'impact' ? 1e-9 : (-MASS * 9.81) / stiffness,
    velocity: kind === 'impact' ? [0, 0, -SPEED] : [0, 0, 0],
    ...(coulomb > 0
      ? { friction: { kind: 'coulomb', stiction: coulomb, coulomb: 0.75 * coulomb } }
      : {}),
  });
  const body = new Float64Array(13);
  const face = new Float64Array(FACE_READOUT.length);
  let count = 0;
  const tick = (): void => {
    const angle = (2 * Math.PI * count++) / 100;
    if (kind === 'held') {
      system.readBody(1, body, 0);
      body[7] = 5e-3 * Math.cos(angle);
      body[8] = 2e-3 * Math.cos(2 * angle);
      body[9] = 1e-4 * Math.cos(3 * angle);
      system.setBodyMotion(1, body, 0);
    }
    if (system.step(TICK) !== 0) throw new Error(`${kind}: a step failed`);
  };
  return {
    kind,
    name: [kind, String(points[0] * points[1]), coulomb > 0 ? 'friction' : 'none'],
    tick,
    face,
    substeps: () => (system.readFaces(face, 0), system.substeps),
    best: { p50: Infinity, p99: Infinity, rounds: 0, substeps: 0, bytes: Infinity },
    points: 0,
  };
}

function block(run: Run): void {
  const ticks = TICKS[run.kind];
  const times: number[] = [];
  let rounds = 0;
  let substeps = 0;
  for (let k = 0; k < ticks; k++) {
    const from = process.hrtime.bigint();
    run.tick();
    const time = Number(process.hrtime.bigint() - from) / 1e3;
    const taken = run.substeps();
    // in flight a tick takes one step
    if (run.kind === 'impact' && taken === 1) continue;
    times.push(time);
    rounds = Math.max(rounds, run.face[FaceReadout.rounds]);
    substeps += taken;
    run.points = Math.max(run.points, run.face[FaceReadout.points]);
  }
  times.sort((a, b) => a - b);
  const { best } = run;
  if (times.length === 0) return;
  best.p50 = Math.min(best.p50, times[Math.floor(0.5 * times.length)]);
  best.p99 = Math.min(best.p99, times[Math.floor(0.99 * times.length)]);
  best.rounds = Math.max(best.rounds, rounds);
  best.substeps = substeps / times.length;
}

/** Bytes that a tick leaves on the heap, in the quietest of some windows. */
function weigh({ tick, best }: Run): void {
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < WEIGHED; k++) tick();
  const bytes = (process.memoryUsage().heapUsed - before) / WEIGHED;
  best.bytes = Math.min(best.bytes, Math.max(0, bytes));
}

/** Times of the blocks of a peer, as those of a run. */
interface PeerRun {
  readonly name: readonly string[];
  readonly step: () => void;
  readonly contacts: () => number;
  readonly speed: () => number;
  readonly best: { p50: number; p99: number };
}

async function makePeers(): Promise<PeerRun[]> {
  const { name, make } = await loadMujocoFlex();
  return [0.3, 0].flatMap((friction) =>
    CROWDS.map((points) => ({
      name: [name, String(points[0] * points[1]), friction > 0 ? 'friction' : 'none'],
      best: { p50: Infinity, p99: Infinity },
      ...make({
        points,
        size: [0.02, 0.02],
        height: 0.02,
        mass: MASS,
        modulus: FACE.youngs_modulus_N_per_m2,
        poisson: FACE.poisson_ratio,
        friction,
        step: TICK,
      }),
    })),
  );
}

function peerBlock({ step, best }: PeerRun): void {
  const times: number[] = [];
  for (let k = 0; k < TICKS.free; k++) {
    const from = process.hrtime.bigint();
    step();
    times.push(Number(process.hrtime.bigint() - from) / 1e3);
  }
  times.sort((a, b) => a - b);
  best.p50 = Math.min(best.p50, times[Math.floor(0.5 * times.length)]);
  best.p99 = Math.min(best.p99, times[Math.floor(0.99 * times.length)]);
}

const { values } = parseArgs({ options: { peers: { type: 'boolean', default: false } } });
const peers = values.peers ? await makePeers() : [];
const runs = (['held', 'free', 'impact'] as const).flatMap((kind) =>
  [0.3, 0].flatMap((coulomb) => CROWDS.map((points) => makeRun(kind, points, coulomb))),
);
for (const run of runs) for (let k = 0; k < WARM[run.kind]; k++) run.tick();
for (const { step } of peers) for (let k = 0; k < WARM.free; k++) step();
for (let b = 0; b < BLOCKS; b++) {
  for (const run of runs) block(run);
  for (const peer of peers) peerBlock(peer);
}
for (const run of runs) for (let b = 0; b < WEIGHINGS && run.best.bytes > 0; b++) weigh(run);
const rows = runs.map(({ name, points, best, face }) => [
  ...name,
  String(points),
  best.substeps.toFixed(1),
  best.p50.toFixed(1),
  best.p99.toFixed(1),
  String(best.rounds),
  best.bytes.toFixed(0),
  `${face[FaceReadout.unsettled]}, ${face[FaceReadout.unresolved]}`,
]);
console.log(
  formatTable(
    [
      'motion',
      'points',
      'law',
      'push',
      'sub-steps',
      'p50 µs',
      'p99 µs',
      'most rounds',
      'bytes',
      'unsettled, unresolved',
    ],
    rows,
  ),
);
if (peers.length > 0) {
  const header = [
    'engine, at rest',
    'points',
    'law',
    'push',
    'p50 µs',
    'p99 µs',
    '× free, p50',
    'm/s',
  ];
  const cells = peers.map(({ name, best, contacts, speed }) => {
    const own = runs.find(
      (run) => run.kind === 'free' && run.name[1] === name[1] && run.name[2] === name[2],
    );
    const ratio = own === undefined ? '–' : (best.p50 / own.best.p50).toFixed(1);
    const times = [best.p50.toFixed(1), best.p99.toFixed(1), ratio];
    return [...name, String(contacts()), ...times, speed().toExponential(0)];
  });
  console.log(`\n${formatTable(header, cells)}`);
}
console.log(`load ${loadavg()[0].toFixed(1)}`);
