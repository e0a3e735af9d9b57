/**
 * What comes out of the same scenes in Berth and in other engines (`npm run bench:peers`): a bouncing ball against the closed form, a
 * box on the level and on a slope, the battery box in its work-site and its drop, and what contact at points does not have. Times are
 * in `npm run bench:step -- --peers`.
 */
import { loadCannon } from './peers/cannon.ts';
import { ballTable, boxTable } from './peers/ball-shows.ts';
import { berthCells } from './peers/berth-cells.ts';
import { berthPoints } from './peers/berth-points.ts';
import {
  cuttingTable,
  dwellTable,
  norm,
  part,
  spinTable,
  steps,
  text,
} from './peers/cell-shows.ts';
import { BODY, type Engine, POSITION, ROTATION, VELOCITY } from './peers/engine.ts';
import { loadMujocoEngine } from './peers/mujoco.ts';
import { loadPeer, PEER_NAMES } from './peers/peers.ts';
import { BALL, BOX_LEVEL, BOX_SLOPE, RECEPTACLE, RECEPTACLE_DROP } from './step/free-scenes.ts';
import { formatTable } from '../test/fixtures/table.ts';

/** MuJoCo's coefficient of friction about the normal, m: set by hand. */
const TORSION = 0.01;
const state = new Float64Array(BODY);

function receptacleRow(engine: Engine): string[] {
  const run = engine.make(RECEPTACLE);
  steps(run, 1, state);
  const at = part(state, POSITION, 3);
  steps(run, 1, state);
  const moved = norm(part(state, POSITION, 3).map((value, a) => value - at[a]));
  const depth = state[POSITION];
  const speed = norm(part(state, VELOCITY, 3));
  const count = run.contacts();
  run.free();
  const fall = engine.make(RECEPTACLE_DROP);
  steps(fall, 3, state);
  const tilt = 2 * Math.asin(Math.min(1, norm(part(state, ROTATION, 3))));
  const seated = state[POSITION] * 1e3;
  fall.free();
  return [
    engine.name,
    count < 0 ? '–' : `${count} ${engine.unit}`,
    text(depth),
    text(moved),
    text(speed),
    `${seated.toFixed(2)} mm, ${((tilt * 180) / Math.PI).toFixed(2)}°`,
  ];
}

const loaded: Engine[] = [];
for (const name of PEER_NAMES) {
  const peer = await loadPeer(name);
  if (peer === null) console.log(`- ${name}: absent, its package is not installed.`);
  else loaded.push(peer);
}
const points = [berthPoints('Berth', 1e6), berthPoints('Berth, stiff', 1e8)];
const exact = [
  berthPoints('Berth, error-controlled', 1e6, 'dormand-prince'),
  berthPoints('Berth, stiff, error-controlled', 1e8, 'dormand-prince'),
];
const relaxed = loaded.some(({ name }) => name === 'cannon-es') ? [await loadCannon(100)] : [];
const cells = [berthCells('Berth', 8e6), berthCells('Berth, stiff', 1e9)];
const torsion = loaded.some(({ name }) => name.startsWith('MuJoCo'))
  ? [await loadMujocoEngine(TORSION)]
  : [];

for (const { name, contact } of [
  ...points,
  ...exact,
  ...cells,
  ...loaded,
  ...relaxed,
  ...torsion,
]) {
  console.log(`- ${name}: ${contact}.`);
}
console.log(`\n${ballTable([...points, ...exact, ...loaded, ...relaxed], BALL)}`);
console.log(`\n${boxTable('box, level', [...points, ...loaded], BOX_LEVEL)}`);
console.log(`\n${boxTable('box, slope of 10 deg', [...points, ...loaded], BOX_SLOPE)}`);
const both = [...cells, ...loaded];
const head = ['box in receptacle', 'in contact', 'depth after 2 s, m', 'drift in 1 s, m'];
const rest = ['speed, m/s', 'drop: x and tilt after 3 s'];
console.log(`\n${formatTable([...head, ...rest], both.map(receptacleRow))}`);
console.log(`\n${cuttingTable(both)}`);
console.log(`\n${spinTable([...both, ...torsion])}`);
console.log(`\n${dwellTable(both)}`);
