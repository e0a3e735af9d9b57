/** Whether a scenario holds its period on this machine, in words, with the remedy. */
import { extname } from 'node:path';
import { startThread } from '../../hil/os/start-thread.ts';
import { BerthError } from '../../src/base/errors.ts';
import { type Cost, STEP_SHARE, type StepCosts } from './step-cost.ts';

/** Periods that a loop may have, s: the shortest step between two, and the longest one. */
const PERIOD_STEP_S = 0.5e-3;
const LONGEST_S = 10e-3;

export const holdsPace = ({
  whole_s,
  period_s,
}: Pick<StepCosts, 'whole_s' | 'period_s'>): boolean => whole_s <= STEP_SHARE * period_s;

const ms = (time_s: number): string => `${Number((time_s * 1e3).toPrecision(2))} ms`;

/** One line for each contact, the dearest first, and one for the whole. */
export function costLines(costs: StepCosts): string[] {
  const { contacts, whole_s, period_s } = costs;
  const rows = [...contacts].sort((a, b) => b.step_s - a.step_s).map((one) => costLine(one, costs));
  const verdict = holdsPace(costs)
    ? 'holds its period'
    : `does not hold its period: at most ${STEP_SHARE * 100} % of it is for the step`;
  return [...rows, `whole step ${ms(whole_s)} of ${ms(period_s)}: ${verdict}`];
}

function costLine(cost: Cost, { period_s }: StepCosts): string {
  const by = cost.methods.map(([method]) => method).join(', ');
  const dear = cost.step_s > STEP_SHARE * period_s ? `: ${remedy(cost)}` : '';
  return `${cost.name}${by === '' ? '' : ` by ${by}`} ${ms(cost.step_s)} of ${ms(period_s)}${dear}`;
}

/** What makes a contact cheaper. */
function remedy({ methods }: Cost): string {
  const count = methods.reduce((sum, [, pairs]) => sum + pairs, 0);
  if (methods.some(([method]) => method === 'rays' || method === 'voxels')) {
    return 'make its cells of shapes with a closed form (sphere, box, bore) or of flat faces (box, mesh), or approximate cones, beams and boolean cells by meshes';
  }
  if (count > 1) return `use fewer or larger cells (there are ${count} pairs), or maximum_pairs`;
  return 'use a softer contact or a longer integration.step_s, which need fewer steps a period';
}

/** The shortest period that is long enough for what was measured, s; null when none is. */
export function longerPeriod({ whole_s, period_s }: StepCosts): number | null {
  const steps = Math.ceil(whole_s / STEP_SHARE / PERIOD_STEP_S - 1e-9);
  const longer_s = Math.max(period_s + PERIOD_STEP_S, steps * PERIOD_STEP_S);
  return longer_s > LONGEST_S + 1e-9 ? null : Number(longer_s.toFixed(6));
}

/** @throws BerthError when the scenario does not hold its period; `how` says what else can be done */
export function requirePace(costs: StepCosts, how: string): void {
  if (holdsPace(costs)) return;
  const text = `scenario: "${costs.scenario}" does not hold the period of the loop on this machine: ${costLines(costs).join('; ')}. ${how}`;
  throw new BerthError('BERTH_TOO_SLOW', text, { field: 'loop.period_s' });
}

/** Times a scenario in a thread of its own, and refuses one that does not hold the period. @throws BerthError */
export async function checkPace(
  scenario: string,
  period_s: number,
  force_N: number,
): Promise<void> {
  const entry = new URL(`./step-cost-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = startThread(entry, { workerData: { scenario, period_s, force_N } });
  const { costs } = await new Promise<{ readonly costs: StepCosts | null }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the timing thread ended with ${code}`)));
  });
  if (costs !== null) requirePace(costs, RUNNING);
}

/** Of a service that runs: its period is the robot's, too. */
const RUNNING =
  'The period of a running loop stays: start berth serve with this scenario and --slow, or with a longer loop.period_s';
