/**
 * Time of the sums over samples in a distance field: µs for one pose, p50 and p99, and ns a sample. A plate of 2 mm lies 0.5 mm deep in a block with cells of
 * 1 mm and turns: its lower face is pressed, the upper one is read and does not push.
 */
import { SampledPair } from '../src/contact/sampled/sampled-pair.ts';
import { READ } from '../src/contact/sampled/sample-sums.ts';
import { KINEMATICS } from '../src/contact/pair.ts';
import { rotationOf } from '../src/math/quaternion.ts';
import { Dynamics } from '../src/system/dynamics.ts';
import { body, system } from '../test/fixtures/models.ts';
import {
  boxField,
  FOUNDATION,
  pairOf,
  trianglesOf,
} from '../test/fixtures/sampled-contact-models.ts';
import { boxSurface } from '../src/shapes/faceted-shapes.ts';
import { formatTable } from '../test/fixtures/table.ts';

const WARM = 200;
const POSES = 1000;

const field = boxField([0.2, 0.2, 0.03], 1e-3);
const plate = trianglesOf(boxSurface([0.1, 0.1, 2e-3]));
const rows = [600, 1800, 3500, 7000].map((count) => {
  const model = pairOf(plate, field, count);
  const pair = new SampledPair(model);
  const laws = { normalLaw: FOUNDATION, frictionLaw: { kind: 'none' } } as const;
  const contact = { name: 'c', bodyI: 'plate', bodyJ: 'block', pair: model, ...laws };
  const bodies = [body('plate', 'dynamic', { position: [0, 0, 0.05] }), body('block', 'fixed')];
  const [i, j] = new Dynamics(system({ bodies, contacts: [contact] })).parts;
  const kinematics = new Float64Array(KINEMATICS);
  i.state[2] = 0.0155;
  const times: number[] = [];
  for (let n = 0; n < WARM + POSES; n++) {
    i.state[5] = 1e-4 * n;
    i.state[6] = Math.sqrt(1 - i.state[5] * i.state[5]);
    rotationOf(i.rotation, i.state, 3);
    const from = process.hrtime.bigint();
    pair.compute(i, j, kinematics);
    if (n >= WARM) times.push(Number(process.hrtime.bigint() - from) / 1e3);
  }
  times.sort((a, b) => a - b);
  const read = pair.sampling.whole[READ];
  const [p50, p99] = [0.5, 0.99].map((part) => times[Math.floor(part * times.length)]);
  return [String(read), p50.toFixed(1), p99.toFixed(1), ((1e3 * p50) / read).toFixed(1)];
});
console.log(formatTable(['samples read', 'p50 µs', 'p99 µs', 'ns a sample'], rows));
