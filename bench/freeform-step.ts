/**
 * Time of a contact of free form that is followed, of a search of all faces, of a row of a constraint, and of the step of a scene: µs, p50 and p99, best of blocks, with
 * bytes of heap a call. Bodies sway along closed paths, so that each call has a new pose; the kinds are measured in turn in one process.
 */
import { makeConstraint, rowsOf } from '../src/constraints/make-constraint.ts';
import { FreeformPair } from '../src/contact/freeform/freeform-pair.ts';
import { KINEMATICS } from '../src/contact/pair.ts';
import { rotationOf } from '../src/math/quaternion.ts';
import type { SystemModel } from '../src/model/model.ts';
import { makeSystem } from '../src/system/system.ts';
import { contactKernels } from '../config/contact-kernels.ts';
import { BODY_STATE, RigidBody } from '../src/multibody/body.ts';
import { camFollower } from '../server/validation/cam-models.ts';
import { inBowl, onPlate, plateOnPlate, ringInBowl } from '../test/fixtures/freeform-models.ts';
import { mechanismsAndContacts } from '../test/fixtures/freeform-scene.ts';
import { formatTable } from '../test/fixtures/table.ts';

const CALLS = 4000;
const BLOCKS = 5;

interface Run {
  readonly name: string;
  /** What one call counts for: rows of a constraint. */
  readonly parts: number;
  /** Puts the bodies where they are at call k, which is not timed. */
  readonly place: (k: number) => void;
  readonly call: () => void;
  readonly times: Float64Array[];
  bytes: number;
  /** [sub-steps, steps] of a system. */
  readonly substeps: [number, number];
}

/** A contact of a model whose first body sways by a tenth of a millimetre, or by `sway`, and turns with it. */
function contactRun(name: string, model: SystemModel, searches: boolean, sway = 1e-4): Run {
  const [spec] = model.contacts;
  if (spec.pair.kind !== 'freeform') throw new Error(`${name} has no contact of free form`);
  const pair = new FreeformPair(spec.pair);
  const out = new Float64Array(KINEMATICS);
  const poseOf = (k: 0 | 1): { readonly state: Float64Array; readonly rotation: Float64Array } => {
    const { position, orientation } = model.bodies[k];
    const state = new Float64Array(BODY_STATE);
    state.set([...position, ...orientation]);
    const rotation = new Float64Array(9);
    rotationOf(rotation, state, 3);
    return { state, rotation };
  };
  const [i, j] = [poseOf(0), poseOf(1)];
  const { position } = model.bodies[0];
  return {
    name: `${name}, ${searches ? 'searched' : 'followed'}`,
    parts: 1,
    place(k) {
      const angle = (2 * Math.PI * k) / 1000;
      i.state[0] = position[0] + sway * Math.cos(angle);
      i.state[1] = position[1] + sway * Math.sin(2 * angle);
      i.state[3] = sway * Math.sin(angle);
      i.state[4] = sway * Math.cos(3 * angle);
      i.state[6] = Math.sqrt(1 - i.state[3] ** 2 - i.state[4] ** 2 - i.state[5] ** 2);
      rotationOf(i.rotation, i.state, 3);
    },
    call: searches ? () => pair.search.find() : () => pair.compute(i, j, out),
    times: [],
    bytes: 0,
    substeps: [0, 0],
  };
}

/** A constraint of the driven cam: gap, J and Q at each call, the cam farther by some degrees: 1.8° are a millisecond at 300 rpm. */
function rowRun(name: string, index: number, degrees: number): Run {
  const model = camFollower(false);
  const bodies = model.bodies.map(
    (one) => new RigidBody(one, new Float64Array(BODY_STATE), new Float64Array(BODY_STATE)),
  );
  const constraint = (model.constraints ?? [])[index];
  const partOf = (of: string | null): RigidBody | null =>
    bodies[model.bodies.findIndex((one) => one.name === of)] ?? null;
  const made = makeConstraint(
    constraint,
    partOf(constraint.first.body),
    partOf(constraint.second.body),
    new Float64Array(1),
    new Float64Array(4),
  );
  const rows = rowsOf(constraint);
  const gaps = new Float64Array(rows);
  const jacobian = new Float64Array(12 * rows);
  const [cam] = bodies;
  return {
    name: `${name}, a row`,
    parts: rows,
    place(k) {
      const half = (Math.PI / 360) * degrees * k;
      cam.state[5] = Math.sin(half);
      cam.state[6] = Math.cos(half);
      cam.refresh();
    },
    call() {
      made.writeGaps(gaps, 0);
      made.writeRows(jacobian, gaps, 0);
      made.writeCurvature(gaps, 0);
    },
    times: [],
    bytes: 0,
    substeps: [0, 0],
  };
}

/** Steps of 1 ms of a system of rows and contacts: ten and twenty of them are the budget of a tick. By itself each kind counts by its number. */
function sceneRun(rows: number, contacts: number): Run {
  const system = makeSystem(mechanismsAndContacts(rows, contacts), contactKernels());
  const kind = contacts === 0 ? `${rows} sliding rows, a row` : `${contacts} contacts, a contact`;
  const run: Run = {
    name: `step of ${rows * contacts === 0 ? kind : `${rows} sliding rows and ${contacts} contacts`}`,
    parts: rows * contacts === 0 ? rows + contacts : 1,
    place: () => undefined,
    call() {
      if (system.step(1e-3) !== 0) throw new Error('a step of the scene failed');
      run.substeps[0] += system.substeps;
      run.substeps[1] += 1;
    },
    times: [],
    bytes: 0,
    substeps: [0, 0],
  };
  return run;
}

function block(run: Run, kept: boolean): void {
  const times = new Float64Array(CALLS);
  for (let k = 0; k < CALLS; k++) {
    run.place(k);
    const from = process.hrtime.bigint();
    run.call();
    times[k] = Number(process.hrtime.bigint() - from) / 1e3 / run.parts;
  }
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < CALLS; k++) {
    run.place(k);
    run.call();
  }
  const bytes = (process.memoryUsage().heapUsed - before) / CALLS;
  if (!kept) return;
  run.times.push(times.sort());
  run.bytes = run.times.length === 1 ? bytes : Math.min(run.bytes, bytes);
}

const contacts: readonly (readonly [string, SystemModel])[] = [
  ['ball on a plane', onPlate(false)],
  ['ball in a rational bowl', inBowl()],
  ['rational ring in a bowl', ringInBowl()],
];
const runs = [
  ...contacts.map(([name, model]) => contactRun(name, model, false)),
  contactRun('corner of a plate on a plate', plateOnPlate(), false, 0.01),
  ...contacts.map(([name, model]) => contactRun(name, model, true)),
  rowRun('cam of 200 points and tip by 0.1°', 2, 0.1),
  rowRun('cam of 200 points and tip by 1.8°', 2, 1.8),
  rowRun('hinge', 0, 0.1),
  ...[5, 10, 20, 40].map((contacts) => sceneRun(0, contacts)),
  ...[5, 10, 20, 40].map((count) => sceneRun(count, 0)),
  sceneRun(10, 20),
];
for (const run of runs) block(run, false);
for (let b = 0; b < BLOCKS; b++) for (const run of runs) block(run, true);
const rows = runs.map(({ name, times, bytes, substeps: [substeps, steps] }) => {
  const best = (part: number): string =>
    Math.min(...times.map((of) => of[Math.floor(part * CALLS)])).toFixed(2);
  const each = steps === 0 ? '' : (substeps / steps).toFixed(2);
  return [name, best(0.5), best(0.99), Math.max(0, bytes).toFixed(0), each];
});
console.log(formatTable(['kind', 'p50 µs', 'p99 µs', 'bytes', 'sub-steps'], rows));
