/**
 * Cost of a step of a simulated arm (`npm run bench:arm`). Arms: the Canadarm2 class with seven
 * flexible joints and two booms of two modes in each plane, alone and with all work of a tick, pressing on a plate. A
 * battery box on an arm of the Dextre class, pressed into its work-site. The two arms as one of fourteen joints, and the
 * Dextre class on a floating spacecraft. It also shows how the cost grows with links and modes, part by part. Interleaved
 * rounds time every step on the virtual clock: by the wall, and in processor time, which excludes other processes. The
 * processor time is judged.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileScenario } from '../config/compile.ts';
import { loadRobot } from '../config/robot.ts';
import { loadScenario } from '../config/scenario.ts';
import { makeSystem } from '../src/index.ts';
import { Tree } from '../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../src/multibody/tree/tree-layout.ts';
import type { TreeLinkModel, TreeModel } from '../src/model/tree-model.ts';
import { digits } from './rounds.ts';
import { formatTable } from '../test/fixtures/table.ts';

const USAGE = 'Usage: node dist/bench/arm-step.js [--quick]';
/** Largest p99 of a step with a seven-joint flexible arm and its contacts, ms. */
const PASS_MS = 0.35;
const JUDGED = 'Canadarm2 class, half-sphere on its plate';
const STEPS = 200;
const HEAP_STEPS = 10_000;
/** Bytes a step that late compilation may leave, 50 kB in a block; one boxed double in every step would be 16. */
const LEFT_OVER = 5;
/** Steps in touch after which a contact counts as lasting, and steps from there that are run again and again. */
const SETTLED = 300;
const WINDOW = 500;

interface Subject {
  readonly name: string;
  readonly freedoms: number;
  readonly run: () => void;
}

const collect = ((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

const quantile = (times: Float64Array, q: number): number => times[Math.floor(q * times.length)];

function treeOf(model: TreeModel): Tree {
  const { positions, rates } = treeFreedoms(model);
  return new Tree(model, new Float64Array(positions + rates));
}

/** The tree alone, its rotors held by a spring to where they were, so that it moves for ever. */
function treeSubject(name: string, model: TreeModel): Subject {
  const tree = treeOf(model);
  const tau = new Float64Array(tree.n);
  const timing = Float64Array.of(1e-3);
  const start = tree.state.slice();
  let left = 0;
  return {
    name,
    freedoms: tree.n,
    run(): void {
      if (left === 0) {
        tree.state.set(start);
        for (let k = 0; k < tree.n; k++) tree.u[k] = 0.01;
        tree.refresh();
        left = 1000;
      }
      left -= 1;
      tree.step(tau, timing);
    },
  };
}

/** A scenario from where its payload has come to touch; back to there when it has gone on for a while. */
function scenarioSubject(name: string, scenario: string, overrides: readonly string[]): Subject {
  const model = compileScenario(loadScenario(scenario, overrides));
  const system = makeSystem(model);
  const arm = model.tool?.robot;
  if (arm == null) throw new Error(`${scenario} has no arm`);
  const contact = new Float64Array(64);
  let inTouch = 0;
  for (let n = 0; inTouch < SETTLED && n < 60_000; n++) {
    if (system.step(1e-3) !== 0) throw new Error(`${name}: a step was not finite`);
    system.readContact(0, contact, 0);
    inTouch = contact[3] > 0 ? inTouch + 1 : 0;
  }
  if (inTouch < SETTLED) throw new Error(`${name}: no lasting contact`);
  const start = system.state.slice();
  let left = WINDOW;
  let touched = 0;
  return {
    name,
    freedoms: treeFreedoms(arm.tree).rates,
    run(): void {
      left -= 1;
      if (left === 0) {
        if (touched < 0.9 * WINDOW) throw new Error(`${name}: ${touched} steps in contact`);
        touched = 0;
        left = WINDOW;
        system.restore(start);
      }
      system.step(1e-3);
      system.readContact(0, contact, 0);
      if (contact[3] > 0) touched += 1;
    },
  };
}

/** Times of every step, ms, sorted. */
interface Times {
  readonly wall: Float64Array;
  readonly processor: Float64Array;
}

function measure(subjects: readonly Subject[], rounds: number): Times[] {
  const all = subjects.map(() => ({
    wall: new Float64Array(rounds * STEPS),
    processor: new Float64Array(rounds * STEPS),
  }));
  for (const one of subjects) for (let n = 0; n < 4000; n++) one.run();
  for (let round = 0; round < rounds; round++) {
    subjects.forEach((one, i) => {
      for (let n = 0; n < STEPS; n++) {
        const before = process.cpuUsage();
        const start = performance.now();
        one.run();
        all[i].wall[round * STEPS + n] = performance.now() - start;
        const { user, system } = process.cpuUsage(before);
        all[i].processor[round * STEPS + n] = (user + system) / 1000;
      }
    });
  }
  for (const { wall, processor } of all) {
    wall.sort();
    processor.sort();
  }
  return all;
}

/** Bytes that a step leaves on the heap, in the quietest of five blocks. */
function heapBytes({ run }: Subject): number {
  let least = Number.POSITIVE_INFINITY;
  for (let block = 0; block < 5; block++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < HEAP_STEPS; n++) run();
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / HEAP_STEPS);
    if (least < 0.5) break;
  }
  return Math.max(0, least);
}

/** A serial arm of flexible joints across each other; the first `beams` links are beams with `modes` modes in each plane. */
function serialArm(joints: number, beams: number, modes: number): TreeModel {
  const links = Array.from({ length: joints }, (_, i): TreeLinkModel => {
    const beam = {
      length: 1,
      bendingStiffness: [5e4, 5e4],
      modes: [modes, modes],
      damping: 0.01,
      centrifugalStiffening: false,
    } as const;
    return {
      name: `link-${i}`,
      parent: i - 1,
      position: i === 0 || i <= beams ? [0, 0, 0] : [1, 0, 0],
      orientation: [0, 0, 0, 1],
      joint: {
        kind: 'revolute',
        axis: [[0, 0, 1] as const, [0, 1, 0] as const, [1, 0, 0] as const][i % 3],
        position: 0.2 + 0.1 * i,
        rate: 0.01,
        drive: { rotorInertia: 1, stiffness: 1e4, damping: 10, effortLimit: Infinity },
      },
      mass: 20,
      center: [0.5, 0, 0],
      inertia: [0.1, 1.7, 1.7, 0, 0, 0],
      ...(i < beams ? { beam } : {}),
    };
  });
  const upright = [0, 0, 0, 1] as const;
  return { name: 'serial', position: [0, 0, 0], orientation: upright, links, frames: [] };
}

/** Shortest mean of many calls, us; all in turn. */
function shortest(calls: readonly (() => void)[], rounds: number): number[] {
  const count = 200;
  const best = calls.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds + 5; round++) {
    calls.forEach((call, i) => {
      const start = performance.now();
      for (let n = 0; n < count; n++) call();
      best[i] = Math.min(best[i], (1000 * (performance.now() - start)) / count);
    });
  }
  return best;
}

function growthRow(joints: number, beams: number, modes: number, rounds: number): string[] {
  const tree = treeOf(serialArm(joints, beams, modes));
  const { n } = tree;
  const matrix = new Float64Array(n * n);
  const out = new Float64Array(n);
  const tau = new Float64Array(n);
  const step = treeSubject('', tree.model);
  const [mass, bias, forward, bodies, whole] = shortest(
    [
      (): void => tree.computeMassMatrix(matrix),
      (): void => tree.computeBias(out),
      (): void => {
        tree.refresh(); // else the factors of before would do
        tree.forwardDynamics(tau, out);
      },
      (): void => tree.articulatedBody(tau, out),
      (): void => step.run(),
    ],
    rounds,
  );
  const [kinematics] = shortest([(): void => tree.refresh()], rounds);
  const factors = Math.max(0, forward - kinematics - mass - bias);
  const share = (part: number): string => `${digits(part)} (${Math.round((200 * part) / whole)} %)`;
  return [
    String(joints),
    `${beams} × 2 × ${modes}`,
    String(n),
    digits(whole),
    share(kinematics),
    share(mass),
    share(factors),
    share(bias),
    digits(bodies),
  ];
}

function main(): void {
  let quick = false;
  try {
    quick = parseArgs({ options: { quick: { type: 'boolean' } } }).values.quick === true;
  } catch {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const rounds = quick ? 20 : 100;
  const robot = 'tool.robot.name=canadarm2-class';
  const payload = ['mass_kg=500', 'moments_kg_m2=[100, 100, 100]'];
  const seven = (): Subject[] => [
    treeSubject('Canadarm2 class, tree alone', loadRobot('canadarm2-class').model),
    scenarioSubject(JUDGED, 'half-sphere-on-plate', [
      robot,
      ...payload.map((one) => `tool.robot.payload.${one}`),
    ]),
    scenarioSubject('Dextre class, battery box in its work-site', 'dextre-battery-box', []),
  ];
  const others = (): Subject[] => [
    scenarioSubject(
      'Dextre class on Canadarm2 class, unit on its plate',
      'dextre-on-canadarm2',
      [],
    ),
    scenarioSubject('Dextre class floating, tool on a station', 'free-flyer-capture', []),
  ];
  let failed = false;
  const us = (ms: number): string => digits(1000 * ms);
  const rowsOf = (subjects: readonly Subject[]): string[][] => {
    const measured = measure(subjects, rounds);
    return subjects.map((one, i) => {
      const { wall, processor } = measured[i];
      const bytes = heapBytes(one);
      const p99 = quantile(processor, 0.99);
      if ((one.name === JUDGED && !(p99 <= PASS_MS)) || !(bytes < LEFT_OVER)) failed = true;
      return [
        one.name,
        String(one.freedoms),
        us(quantile(processor, 0.5)),
        us(p99),
        us(quantile(wall, 0.5)),
        us(quantile(wall, 0.99)),
        us(wall[wall.length - 1]),
        bytes.toFixed(2),
      ];
    });
  };
  // one after the other: once a third scenario with an arm has run in the process, steps of the first two box doubles
  const rows = rowsOf(seven());
  rows.push(...rowsOf(others()));
  const load = loadavg()[0].toFixed(1);
  console.log(`${rounds * STEPS} steps of 1 ms, us; load of the machine ${load}\n`);
  const columns = ['processor p50', 'p99', 'wall p50', 'p99', 'largest', 'bytes a step'];
  console.log(formatTable(['arm', 'rates', ...columns], rows));
  console.log('\nSerial arms, us: a step has two of each part; in brackets their share of it\n');
  const grown = [
    [3, 0, 0],
    [7, 0, 0],
    [14, 0, 0],
    [7, 2, 1],
    [7, 2, 2],
    [7, 2, 4],
    [7, 7, 1],
    [7, 7, 2],
  ].map(([joints, beams, modes]) => growthRow(joints, beams, modes, quick ? 5 : 30));
  const parts = ['kinematics', 'mass matrix', 'factors and solution', 'bias'];
  console.log(
    formatTable(
      ['joints', 'beams × planes × modes', 'rates', 'step', ...parts, 'articulated bodies'],
      grown,
    ),
  );
  const verdict = failed ? 'FAILED' : 'passed';
  console.log(
    `\n${JUDGED}: p99 of processor time at most ${1000 * PASS_MS} us, and 0 bytes a step: ${verdict}`,
  );
  if (failed) process.exitCode = 1;
}

main();
