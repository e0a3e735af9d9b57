/**
 * A box in a receptacle in Berth and in two engines that run in JavaScript, in one run (`npm run bench:peers-volumetric`): the battery
 * box and its work-site, let go 1 mm over the floor, and the drop of the scenario. Cost by interleaved rounds. Beside it what contact
 * at points does not have, bench/peers/cell-shows.ts.
 */
import { parseArgs } from 'node:util';
import { compileScenario } from '../config/compile.ts';
import { loadScenario } from '../config/scenario.ts';
import {
  cuttingTable,
  dwellTable,
  norm,
  part,
  spinTable,
  steps,
  text,
} from './peers/cell-shows.ts';
import { BERTH_CELLS, BERTH_CELLS_STIFF } from './peers/cells-berth.ts';
import { loadMujocoCells } from './peers/cells-mujoco.ts';
import { loadRapierCells } from './peers/cells-rapier.ts';
import type { CellEngine, CellScene } from './peers/cells.ts';
import { BODY, POSITION, ROTATION, VELOCITY } from './peers/engine.ts';
import { type Candidate, digits, medianTimes } from './rounds.ts';
import { formatTable } from '../test/fixtures/table.ts';

const STEP = 1e-3;
const FRICTION = 0.3;
/** MuJoCo's coefficient of friction about the normal, m: set by hand. */
const TORSION = 0.01;
const FIRST = 20;
const state = new Float64Array(BODY);

const drop = compileScenario(loadScenario('battery-box-drop'));
const [payload, site] = drop.bodies;
const [xx, yy, zz] = payload.inertia;
const RECEPTACLE: CellScene = {
  step: STEP,
  gravity: drop.gravity,
  mass: payload.mass,
  moments: [xx, yy, zz],
  cells: payload.cells ?? [],
  ground: site.cells ?? [],
  position: [-1e-3, 0, 0],
  orientation: [0, 0, 0, 1],
  velocity: [0, 0, 0],
  spin: [0, 0, 0],
  friction: FRICTION,
  stiction: FRICTION,
};
/** The drop of the scenario: 0.35 m, turned and off the middle. */
const DROP: CellScene = {
  ...RECEPTACLE,
  position: payload.position,
  orientation: payload.orientation,
};

function receptacleRow(engine: CellEngine): string[] {
  const run = engine.make(RECEPTACLE);
  steps(run, 1, state);
  const at = part(state, POSITION, 3);
  steps(run, 1, state);
  const moved = norm(part(state, POSITION, 3).map((value, a) => value - at[a]));
  const depth = state[POSITION];
  const speed = norm(part(state, VELOCITY, 3));
  const contacts = `${run.contacts()} ${engine.unit}`;
  run.free();
  const fall = engine.make(DROP);
  steps(fall, 3, state);
  const tilt = 2 * Math.asin(Math.min(1, norm(part(state, ROTATION, 3))));
  const seated = state[POSITION] * 1e3;
  fall.free();
  return [
    engine.name,
    contacts,
    text(depth),
    text(moved),
    text(speed),
    `${seated.toFixed(2)} mm, ${((tilt * 180) / Math.PI).toFixed(2)}°`,
  ];
}

/** At rest: time of one step, µs, by interleaved rounds. */
function restTimes(engines: readonly CellEngine[], rounds: number): number[] {
  const candidates = engines.map((engine): Candidate => {
    const run = engine.make(RECEPTACLE);
    for (let n = 0; n < 1000; n++) run.step();
    return {
      name: engine.name,
      first: FIRST,
      run: (count) => {
        for (let n = 0; n < count; n++) run.step();
        run.read(state);
        return state[POSITION];
      },
    };
  });
  return medianTimes(candidates, rounds).map((time) => time / 1000);
}

/** The whole drop: mean time of its steps, µs, the median of drops in turns. */
function dropTimes(engines: readonly CellEngine[], drops: number): number[] {
  const times: number[][] = engines.map(() => []);
  for (let n = 0; n < drops; n++) {
    engines.forEach((engine, k) => {
      const run = engine.make(DROP);
      const start = performance.now();
      steps(run, 3, state);
      times[k].push((performance.now() - start) / 3);
      run.free();
    });
  }
  return times.map((list) => list.sort((p, q) => p - q)[Math.floor(list.length / 2)]);
}

function costTable(engines: readonly CellEngine[], quick: boolean): string {
  const columns = [restTimes(engines, quick ? 21 : 101), dropTimes(engines, quick ? 1 : 5)];
  const rows = engines.map(({ name }, k) => [
    name,
    ...columns.flatMap((times) => [digits(times[k]), digits(times[k] / times[0])]),
  ]);
  return formatTable(
    ['engine', 'at rest, µs a step', 'ratio', 'drop of 3 s, µs a step', 'ratio'],
    rows,
  );
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const engines = [
  BERTH_CELLS,
  BERTH_CELLS_STIFF,
  await loadRapierCells(),
  await loadMujocoCells(null),
  await loadMujocoCells(TORSION),
];
const main = engines.slice(0, -1);
const { cells, ground } = RECEPTACLE;
console.log(`Step 1 ms. Battery box: ${cells.length} cells, work-site: ${ground.length} cells.\n`);
for (const { name, contact } of engines) console.log(`- ${name}: ${contact}.`);
const head = ['box in receptacle', 'in contact', 'depth after 2 s, m', 'drift in 1 s, m'];
const rest = ['speed, m/s', 'drop: x and tilt after 3 s'];
console.log(`\n${formatTable([...head, ...rest], main.map(receptacleRow))}`);
console.log(`\n${costTable(main, values.quick)}`);
console.log(`\n${cuttingTable(main)}`);
console.log(`\n${spinTable(engines)}`);
console.log(`\n${dwellTable(main)}`);
