/** Two elastic blocks that meet: impulse, rebound, force and energy with and without friction. */
import { type BlockResult, type BlockRun, runBlocks } from '../fem-two-blocks.ts';
import { reducedBlocks } from '../reduced-block-figures.ts';
import {
  atMost,
  curve,
  type Curve,
  type Figure,
  independent,
  type ValidationCase,
} from '../case.ts';
import { referenceRows } from '../reference-data.ts';

const ROWS = referenceRows('kim-contact', 'blocks', [
  'static',
  'sliding',
  'tangential',
  'impulse',
  'duration',
  'peak',
  'rebound',
]);

export const femTwoBlocksCase: ValidationCase = {
  name: 'fem-two-blocks',
  title: 'Impact of two elastic blocks, with friction and without',
  source: 'Kim 1999, chapters 2 and 4; the bodies are of an independent computation',
  description:
    'A crowned block of 2.3 kg meets one of 50 kg at 0.1 m/s, both free in the plane and elastic (E = 70 MPa), with Lagrange multipliers ' +
    'at the nodes and steps of 50 µs. Without friction, with friction that holds, and with friction that slides; and with ' +
    'the coordinates reduced to the contact edge and every third node. Then by points without mass on rigid blocks with few modes, as the loop ' +
    'has elastic faces, in steps of 50 µs to 1 ms.',
  equation:
    'M q̈ + K q + c + Pᵀλ = 0, g_n ≥ 0, λ_n ≤ 0, λ_n g_n = 0; |λ_t| ≤ μ_s |λ_n| sticking, λ_t = ± μ_d |λ_n| sliding; Newmark, α = δ = ½.',
  tolerances:
    'Impulse and rebound 1 %, duration 3 % (two steps), peak 2 %: another program with the same method differs in the frame of the ' +
    'bodies and in what it does in the first step. Momentum within the limit of the forces of a step, 1e-4. Energy: the first touch of ' +
    'a node with mass takes 0.5 %, as in the other program; then E* holds without friction within 0.1 %. ' +
    'Reduced: impulse and rebound 1 %, force and duration 4 %, what the left out inertia costs there too. Points without mass: the printed digits of ' +
    'another program of this method; against the elastic bodies impulse 2 %, rebound 4 %; with friction the range of that program over its steps.',
  run() {
    const figures: Figure[] = [];
    const curves: Curve[] = [];
    const results: BlockResult[] = [];
    for (const row of ROWS) {
      const run: BlockRun = {
        step: 5e-5,
        project: true,
        friction: { static: row.static, sliding: row.sliding },
        tangential: row.tangential,
      };
      const result = runBlocks(run);
      results.push(result);
      const name =
        row.static === 0
          ? 'no friction'
          : `friction ${row.static}/${row.sliding}, ${row.tangential} m/s`;
      figures.push(
        independent(`${name}: impulse`, 'N s', result.impulse[1], row.impulse, 0.01 * row.impulse),
        independent(
          `${name}: rebound`,
          'm/s',
          result.velocity[1],
          row.rebound,
          -0.01 * row.rebound,
        ),
        independent(
          `${name}: duration`,
          'ms',
          1e3 * result.duration,
          row.duration,
          0.03 * row.duration,
        ),
        independent(`${name}: largest force`, 'N', result.peak, row.peak, 0.02 * row.peak),
        atMost(`${name}: change of momentum`, '1', result.momentumError, 1e-4),
        atMost(`${name}: tension, or friction beyond the cone`, '1', result.coneError, 1e-9),
        atMost(`${name}: gain of energy`, '1', result.energyChange, 0),
        atMost(`${name}: steps that did not settle`, '1', result.unsettled, 0),
        atMost(`${name}: rounds of a step in contact`, '1', result.rounds, 3.5),
      );
      if (row.static === 0) {
        figures.push(
          independent(`${name}: change of energy`, '%', 100 * result.energyChange, -0.57, 0.1),
          atMost(
            `${name}: change of E* after the first touch`,
            '1',
            Math.abs(result.monitorChange),
            1e-3,
          ),
        );
      } else if (row.tangential > 0.05) {
        const ratio = result.impulse[0] / result.impulse[1];
        figures.push(independent(`${name}: F_t/F_n`, '1', -ratio, 0.149, 0.002));
        figures.push(
          independent(`${name}: change of energy`, '%', 100 * result.energyChange, -20.5, 1),
        );
      } else {
        figures.push(
          independent(`${name}: impulse along x`, 'N s', -result.impulse[0], 0.0453, 0.0005),
          independent(
            `${name}: velocity along x after it`,
            'm/s',
            result.velocity[0],
            0.0003,
            0.0005,
          ),
        );
      }
      curves.push(curve(name, result.time, result.force));
    }
    const reduced = runBlocks({
      step: 5e-5,
      project: true,
      friction: { static: 0, sliding: 0 },
      tangential: ROWS[0].tangential,
      masters: 3,
    });
    const near = (
      quantity: string,
      unit: string,
      computed: number,
      reference: number,
      part: number,
    ): Figure =>
      independent(`Guyan: ${quantity}`, unit, computed, reference, part * Math.abs(reference));
    figures.push(
      near('impulse', 'N s', reduced.impulse[1], ROWS[0].impulse, 0.01),
      near('rebound', 'm/s', reduced.velocity[1], ROWS[0].rebound, 0.01),
      near('largest force', 'N', reduced.peak, ROWS[0].peak, 0.04),
      near('duration', 'ms', 1e3 * reduced.duration, ROWS[0].duration, 0.04),
    );
    curves.push(curve('no friction, Guyan', reduced.time, reduced.force));
    const massless = reducedBlocks(results[ROWS.findIndex((row) => row.static === 0)]);
    return {
      figures: [...figures, ...massless.figures],
      plots: [
        {
          title: 'Normal force between the blocks',
          xLabel: 'time, ms',
          yLabel: 'force, N',
          curves,
        },
        {
          title: 'Normal force: elastic bodies, and points without mass with modes',
          xLabel: 'time, ms',
          yLabel: 'force, N',
          curves: massless.curves,
        },
      ],
    };
  },
};
