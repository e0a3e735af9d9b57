/**
 * Random drops and impacts: `npm run acceptance -- --only drops`, or this program with `--drops N [--seed 0] [--workers 2]`. Every pair,
 * normal, friction and rolling law in turn, one to ten bodies, trees (test/fixtures/drop-scenes.ts), in several processes.
 *
 * After every step the state is finite. Momentum of bodies that nothing else acts on stays, to rounding. Energy of motion, height, springs
 * and bristles never rises by more than `CREATED` of what there
 * was and what a fall for the time of the drop gives, or by an amount that goes with the step: steps of 1 ms see a contact some ten times. Islands, and those of them that Newton's method left to sweeps, are
 * counted by kind of law. Ends with 1 when a drop fails, and names it by its seed, or when the share of sweeps is above `MOST_SWEPT`.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contactKernels } from '../../config/contact-kernels.ts';
import { NewtonCount } from '../../src/integrate/contact-newton.ts';
import { ENERGY_READOUT, EnergyReadout, makeSystem } from '../../src/system/system.ts';
import { type Drop, makeDrop } from '../fixtures/drop-scenes.ts';
import { formatTable } from '../fixtures/table.ts';

/** Energy that a drop may gain by its steps of 1 ms, as a part of its energy of motion and fall. */
const CREATED = 0.02;
/**
 * One that gains more is run again with steps so many times shorter, and then shorter still, until it gains at most `LEFT` of it: the error of
 * a step, and no source. Twice, as the sub-steps of an impact already are some eight.
 */
const FINER: readonly number[] = [8, 64];
const LEFT = 0.5;
/** Change of momentum, as a part of the sum of all |m v|: rounding of forty steps. */
const MOMENTUM = 1e-12;
/** Largest share of islands that are swept. */
const MOST_SWEPT = 1e-3;
const STEP_s = 1e-3;
const GRAVITY = 9.81;
/** Energy of a drop without motion and gravity. */
const LEAST_J = 1e-6;
const PIECE = 100;
const TOLD = 5000;

/** What a group of drops has come to. */
interface Sums {
  drops: number;
  steps: number;
  islands: number;
  evaluations: number;
  slopes: number;
  swept: number;
  /** Drops that were run again with finer steps. */
  refined: number;
  /** Largest energy gained and momentum changed, as parts, with their seeds. */
  created: [part: number, seed: number];
  momentum: [part: number, seed: number];
}

interface Piece {
  readonly drops: number;
  readonly groups: Readonly<Record<string, Sums>>;
  readonly failures: readonly string[];
}

const none = (): Sums => ({
  drops: 0,
  steps: 0,
  islands: 0,
  evaluations: 0,
  slopes: 0,
  swept: 0,
  refined: 0,
  created: [0, -1],
  momentum: [0, -1],
});

function add(into: Sums, more: Sums): void {
  for (const key of [
    'drops',
    'steps',
    'islands',
    'evaluations',
    'slopes',
    'swept',
    'refined',
  ] as const) {
    into[key] += more[key];
  }
  for (const key of ['created', 'momentum'] as const) {
    if (more[key][0] > into[key][0]) into[key] = more[key];
  }
}

/** Groups that a drop counts for. */
function groupsOf({ what, laws }: Drop): string[] {
  return [
    'all',
    what === 'heap' ? `heap of ${laws.pair.cells === undefined ? 'balls' : 'cells'}` : what,
    `pair law ${laws.pair.model.kind}`,
    `normal law ${laws.normalLaw.kind}`,
    `friction law ${laws.frictionLaw.kind}`,
    `rolling law ${laws.rollingLaw?.kind ?? 'none'}`,
  ];
}

const KERNELS = contactKernels();

/** Runs a drop, with steps shorter by a factor. @returns its sums, and why it fails; '' when it does not */
function run(drop: Drop, finer = 1): [Sums, string] {
  const { seed } = drop;
  const step_s = STEP_s / finer;
  const model = { ...drop.model, step: step_s };
  const system = makeSystem(model, KERNELS);
  const sums = { ...none(), drops: 1 };
  const energy = new Float64Array(ENERGY_READOUT.length);
  const state = new Float64Array(13);
  const momentum = (): [sum: number[], size: number] => {
    const sum = [0, 0, 0];
    let size = 0;
    model.bodies.forEach(({ mass, motion }, index) => {
      if (motion !== 'dynamic') return;
      system.readBody(index, state, 0);
      for (let k = 0; k < 3; k++) sum[k] += mass * state[7 + k];
      size += mass * Math.sqrt(state[7] ** 2 + state[8] ** 2 + state[9] ** 2);
    });
    return [sum, size];
  };
  const [first, size] = momentum();
  system.readEnergy(energy, 0);
  const scale = energy[EnergyReadout.kinetic] + fallOf(drop) + LEAST_J;
  let failure = '';
  for (let n = 0; n < drop.steps * finer && failure === ''; n++) {
    sums.steps++;
    if (system.step(step_s) !== 0) failure = `not finite in step ${n}`;
    else if (!system.state.every(Number.isFinite)) failure = `a state is not a number in step ${n}`;
    system.readEnergy(energy, 0);
    // K + U + springs + bristles − what came from outside − that at the start
    const gained = (energy[EnergyReadout.balance] - energy[EnergyReadout.dissipated]) / scale;
    if (gained > sums.created[0]) sums.created = [gained, seed];
  }
  if (drop.isFree) {
    const [last] = momentum();
    const off = Math.max(...last.map((p, k) => Math.abs(p - first[k]))) / size;
    sums.momentum = [off, seed];
    if (off > MOMENTUM) failure ||= `momentum changed by ${off}`;
  }
  const counts = system.solverCounts;
  if (counts !== null) {
    sums.islands = counts[NewtonCount.islands];
    sums.evaluations = counts[NewtonCount.evaluations];
    sums.slopes = counts[NewtonCount.slopes];
    sums.swept = counts[NewtonCount.swept];
  }
  return [sums, failure];
}

/** Energy that a fall for the time of a drop gives, J. */
function fallOf({ model, steps }: Drop): number {
  const speed = GRAVITY * steps * STEP_s;
  const links = (model.trees ?? []).flatMap((tree) => tree.links.map(({ mass }) => mass));
  const bodies = model.bodies.map(({ mass, motion }) => (motion === 'dynamic' ? mass : 0));
  return 0.5 * speed * speed * [...bodies, ...links].reduce((sum, mass) => sum + mass, 0);
}

/** Runs a drop, and again with finer steps where it has gained energy. */
function judge(drop: Drop): [Sums, string] {
  const [sums, failure] = run(drop);
  const gained = sums.created[0];
  if (failure !== '' || gained <= CREATED) return [sums, failure];
  sums.refined = 1;
  const percent = (part: number): string => `${(100 * part).toPrecision(3)} %`;
  let left = gained;
  for (const finer of FINER) {
    const [again, worse] = run(drop, finer);
    if (worse !== '') return [sums, worse];
    left = again.created[0];
    if (left <= LEFT * gained) return [sums, ''];
  }
  return [sums, `${percent(gained)} of its energy created, ${percent(left)} with finer steps`];
}

/** The drops of one process, printed piece by piece. */
function work(first: number, last: number, every: number): void {
  let groups: Record<string, Sums> = {};
  let failures: string[] = [];
  let drops = 0;
  const tell = (): void => {
    console.log(JSON.stringify({ drops, groups, failures } satisfies Piece));
    groups = {};
    failures = [];
    drops = 0;
  };
  for (let seed = first; seed < last; seed += every) {
    const drop = makeDrop(seed);
    const [sums, failure] = judge(drop);
    const groupNames = groupsOf(drop);
    for (const name of groupNames) add((groups[name] ??= none()), sums);
    if (failure !== '')
      failures.push(`drop ${seed} (${groupNames.slice(1).join(', ')}): ${failure}`);
    if (++drops === PIECE) tell();
  }
  tell();
}

/** Starts processes that share the seeds, and adds up what they print. */
async function share(
  first: number,
  last: number,
  workers: number,
): Promise<[Map<string, Sums>, string[]]> {
  const groups = new Map<string, Sums>();
  const failures: string[] = [];
  let done = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, k) => {
      const child = spawn(
        process.execPath,
        [
          ...process.execArgv,
          fileURLToPath(import.meta.url),
          ...['--work', '--seed', `${first + k}`, '--last', `${last}`, '--workers', `${workers}`],
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      for await (const line of createInterface({ input: child.stdout })) {
        const piece = JSON.parse(line) as Piece;
        for (const [name, sums] of Object.entries(piece.groups)) {
          const into = groups.get(name) ?? none();
          add(into, sums);
          groups.set(name, into);
        }
        failures.push(...piece.failures);
        for (const failure of piece.failures) console.log(failure);
        const before = done;
        done += piece.drops;
        if (Math.floor(before / TOLD) < Math.floor(done / TOLD)) {
          const { islands, swept } = groups.get('all') ?? none();
          console.log(
            `${done} drops, ${failures.length} failed, ${swept} of ${islands} islands swept`,
          );
        }
      }
      const code = await ended;
      if (code !== 0) failures.push(`a process of drops ended with ${code}`);
    }),
  );
  return [groups, failures];
}

function report(groups: ReadonlyMap<string, Sums>): string {
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sums]) => [
      name,
      String(sums.drops),
      String(sums.islands),
      (sums.evaluations / Math.max(1, sums.islands)).toFixed(2),
      (sums.slopes / Math.max(1, sums.islands)).toFixed(2),
      `${sums.swept}, ${((100 * sums.swept) / Math.max(1, sums.islands)).toFixed(3)} %`,
      `${(100 * sums.created[0]).toPrecision(2)} % (${sums.created[1]})`,
      String(sums.refined),
      `${sums.momentum[0].toExponential(0)} (${sums.momentum[1]})`,
    ]);
  const head = [
    'group',
    'drops',
    'islands',
    'evaluations',
    'matrices',
    'swept',
    'energy created (seed)',
    'run again finer',
    'momentum changed (seed)',
  ];
  return formatTable(head, rows);
}

const { values } = parseArgs({
  options: {
    drops: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '0' },
    last: { type: 'string' },
    workers: { type: 'string', default: '2' },
    work: { type: 'boolean', default: false },
  },
});
const first = Number(values.seed);
if (values.work) work(first, Number(values.last), Number(values.workers));
else {
  const began = performance.now();
  const [groups, failures] = await share(
    first,
    first + Number(values.drops),
    Number(values.workers),
  );
  console.log(report(groups));
  const all = groups.get('all') ?? none();
  const part = all.swept / Math.max(1, all.islands);
  const kept = failures.length === 0 && part <= MOST_SWEPT && all.drops === Number(values.drops);
  console.log(
    `${all.drops} drops of ${all.steps} steps in ${((performance.now() - began) / 60_000).toFixed(1)} min: ${failures.length} failed, ` +
      `${(100 * part).toFixed(4)} % of ${all.islands} islands swept (limit ${100 * MOST_SWEPT} %): ${kept ? 'kept' : 'NOT kept'}`,
  );
  process.exitCode = kept ? 0 : 1;
}
