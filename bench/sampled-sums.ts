/**
 * Time of the sums over samples in a distance field (`npm run bench:sampled`): µs for one pose, p50 and p99, and ns a sample, by the kernel and by
 * the reference modules, in turns. A plate of 2 mm in a block with cells of 1 mm turns at every pose: 0.5 mm deep its lower face is pressed and
 * the upper one is read and does not push; 3 mm deep both are pressed.
 */
import { loadavg } from 'node:os';
import { contactKernels } from '../config/contact-kernels.ts';
import { KINEMATICS } from '../src/contact/pair.ts';
import { AREA, READ, SUMS } from '../src/contact/sampled/sample-slots.ts';
import { SampledPair } from '../src/contact/sampled/sampled-pair.ts';
import { rotationOf } from '../src/math/quaternion.ts';
import type { SampledPairModel } from '../src/index.ts';
import { boxSurface } from '../src/shapes/faceted-shapes.ts';
import { Dynamics } from '../src/system/dynamics.ts';
import { body, system } from '../test/fixtures/models.ts';
import {
  boxField,
  FOUNDATION,
  pairOf,
  trianglesOf,
} from '../test/fixtures/sampled-contact-models.ts';
import { formatTable } from '../test/fixtures/table.ts';

const WARM = 300;
const POSES = 1500;
/** Poses of a turn. */
const TURN = 50;

const kernels = contactKernels();
if (kernels === null) throw new Error('The kernels are not built: npm run build:test');
const field = boxField([0.2, 0.2, 0.03], 1e-3);
const plate = trianglesOf(boxSurface([0.1, 0.1, 2e-3]));

/** One pair that turns. */
class Turning {
  readonly times: number[] = [];
  readonly pair: SampledPair;
  readonly #bodies: Dynamics['parts'];
  readonly #kinematics: Float64Array = new Float64Array(KINEMATICS);
  #pose = 0;

  constructor(model: SampledPairModel, depth: number, follows: boolean) {
    this.pair = new SampledPair(model);
    if (follows) this.pair.follow(kernels!);
    const contact = {
      name: 'c',
      bodyI: 'plate',
      bodyJ: 'block',
      pair: model,
      normalLaw: FOUNDATION,
      frictionLaw: { kind: 'none' },
    } as const;
    const bodies = [body('plate', 'dynamic', { position: [0, 0, 0.05] }), body('block', 'fixed')];
    this.#bodies = new Dynamics(system({ bodies, contacts: [contact] })).parts;
    this.#bodies[0].state[2] = 0.016 - depth;
  }

  run(count: number): void {
    const [i, j] = this.#bodies;
    for (let n = 0; n < count; n++) {
      i.state[5] = 1e-4 * this.#pose++;
      i.state[6] = Math.sqrt(1 - i.state[5] * i.state[5]);
      rotationOf(i.rotation, i.state, 3);
      const from = process.hrtime.bigint();
      this.pair.compute(i, j, this.#kinematics);
      if (this.#pose > WARM) this.times.push(Number(process.hrtime.bigint() - from) / 1e3);
    }
  }

  row(words: string): string[] {
    const times = this.times.sort((a, b) => a - b);
    const { whole, sums } = this.pair.sampling;
    let area = 0;
    for (let o = 0; o < sums.length; o += SUMS) area += sums[o + AREA];
    const [p50, p99] = [0.5, 0.99].map((part) => times[Math.floor(part * times.length)]);
    return [
      words,
      String(whole[READ]),
      `${((100 * area) / 0.01).toFixed(0)} %`,
      p50.toFixed(1),
      p99.toFixed(1),
      ((1e3 * p50) / whole[READ]).toFixed(1),
    ];
  }
}

const cases = [5e-4, 3e-3].flatMap((depth) =>
  [600, 1800, 3500, 7000].flatMap((count) => {
    const model = pairOf(plate, field, count);
    return [true, false].map((follows) => ({
      words: `${1e3 * depth} mm deep, ${follows ? 'kernel' : 'reference'}`,
      turning: new Turning(model, depth, follows),
    }));
  }),
);
for (let n = 0; n < WARM + POSES; n += TURN) for (const { turning } of cases) turning.run(TURN);
console.log(`Load ${loadavg()[0].toFixed(1)}.\n`);
console.log(
  formatTable(
    ['', 'samples read', 'pressed, of a face', 'p50 µs', 'p99 µs', 'ns a sample'],
    cases.map(({ words, turning }) => turning.row(words)),
  ),
);
