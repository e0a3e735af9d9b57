/** `berth simulate`: a deterministic run of a scenario without hardware, as rows of numbers or as an MCAP file. */
import { contactKernels } from '../../config/contact-kernels.ts';
import { parseArgs } from 'node:util';
import { startDoubts } from '../../config/start-doubts.ts';
import { loadSystem } from '../../config/scenario.ts';
import { BerthError } from '../../src/base/errors.ts';
import { isAdaptive } from '../../src/system/integrator-kinds.ts';
import { readTime } from './arguments.ts';
import { overlapWords } from './overlap-words.ts';
import { type RowOutput, textOutput } from './run-rows.ts';
import { ContactWatch } from './contact-watch.ts';
import { RunSummary } from './run-summary.ts';
import { namesOf } from './table.ts';

export const usage = `Usage: berth simulate SCENARIO [OPTIONS]

Runs a scenario (a name from config/scenarios/ or a path) without hardware and prints rows of time, poses, twists, contact
forces, energies and states of the laws. The hash of the final state goes to stderr; equal runs have equal hashes. An MCAP file
has the topics of a recording that a simulation has (docs/recording.md), for Foxglove and ROS tools; equal runs give equal files.

  --set PATH=VALUE   change a field of the scenario, e.g. contacts.0.normal_law.restitution=0.5 (repeatable)
  --until TIME       length of the run (default: duration_s of the scenario)
  --every TIME       time between rows (default: 10ms)
  --format FORMAT    csv (default), json or mcap
  -o, --output FILE  write to a file instead of stdout; mcap needs one
  --summary          print peak, its time, mean and end of columns over every step, and whether the payload is seated, in place of the rows
                     (with -o both)
  --columns NAMES    columns of the summary: names with commas between, * for any letters (default: forces, penetrations, impact speeds)`;

/** What writes MCAP files: a run without one starts sooner. */
const recordings = () => import('../../hil/replay/simulation-file.ts');

/** Runs the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      set: { type: 'string', multiple: true },
      until: { type: 'string' },
      every: { type: 'string', default: '10ms' },
      format: { type: 'string', default: 'csv' },
      output: { type: 'string', short: 'o' },
      summary: { type: 'boolean', default: false },
      columns: { type: 'string', multiple: true },
    },
  });
  const [name, ...extra] = positionals;
  if (name === undefined || extra.length > 0) {
    throw new BerthError('BERTH_USAGE', `expected one SCENARIO, got ${positionals.length}`);
  }
  const { format, output } = values;
  if (format !== 'csv' && format !== 'json' && format !== 'mcap') {
    throw new BerthError('BERTH_USAGE', `--format is "${format}"; allowed: csv, json, mcap`);
  }
  if (format === 'mcap' && output === undefined) {
    throw new BerthError('BERTH_USAGE', '--format mcap writes to a file: name it with -o FILE');
  }

  if (values.columns !== undefined && !values.summary) {
    const text = `--columns is "${values.columns.join(',')}"; allowed: with --summary`;
    throw new BerthError('BERTH_USAGE', text, { field: '--columns' });
  }

  const changes = values.set ?? [];
  const { scenario, system } = loadSystem(name, changes, contactKernels());
  const summary = values.summary ? new RunSummary(system, scenario, namesOf(values.columns)) : null;
  const dt = system.model.step;
  const until =
    values.until === undefined ? system.model.duration : readTime('--until', values.until);
  const stride = Math.round(readTime('--every', values.every) / dt);
  if (stride < 1) {
    throw new BerthError(
      'BERTH_USAGE',
      `--every is ${values.every}; allowed: the step of the scenario (${dt} s) or more`,
    );
  }
  const steps = Math.round(until / dt);

  const out: RowOutput | null =
    summary !== null && output === undefined
      ? null
      : format === 'mcap'
        ? await (await recordings()).createSimulationFile(output ?? '', system, {
            scenario: system.model.name,
            changes,
            interval_s: stride * dt,
          })
        : textOutput(system, output, format === 'json');
  const watch = new ContactWatch(system, (words) => console.error(words));
  for (const text of startDoubts(scenario, system)) console.error(`warning: ${text}`);
  let failed = 0;
  let redundant = 0;
  let inside: readonly string[] = [];
  let crossed: readonly string[] = [];
  let overlapError = 0;
  for (let n = 0; ; n++) {
    if (n % stride === 0 || n === steps) {
      for (let k = 0; k < system.contactCount; k++) {
        overlapError = Math.max(overlapError, system.overlapError(k));
      }
      await out?.row();
    }
    summary?.take();
    watch.note();
    if (n === steps) break;
    failed = system.step(dt);
    if (failed !== 0) break;
    redundant += system.redundantRows;
    inside = system.penetrations;
    crossed = system.crossings;
    if (inside.length + crossed.length > 0) break;
  }
  await out?.end();
  for (const line of summary?.lines() ?? []) console.log(line);
  for (const words of overlapWords(system)) console.error(words);
  if (overlapError > 0) {
    console.error(
      `largest estimate of the relative error of an overlap, at the rows: ${overlapError.toExponential(1)}`,
    );
  }
  if (system.exhaustedPairs > 0) {
    console.error(
      `berth simulate: pairs touched without a force, as all maximum_pairs of a contact were in use (${system.exhaustedPairs} over all sub-steps); give it more`,
    );
  }
  if (system.standInPoses > 0) {
    console.error(
      `berth simulate: the place of a contact of free form was not found at ${system.standInPoses} poses, and a stand-in took its place: flat or parallel features may have touched along a line or an area`,
    );
  }
  if (inside.length > 0) {
    console.error(
      `berth simulate: bodies of facets are inside of each other at ${system.time} s, in contact ${inside.join(', ')}: give it a thicker standoff_m, more stiffness or a shorter step`,
    );
    return 1;
  }
  if (crossed.length > 0) {
    console.error(
      `berth simulate: bodies moved through each other in the step before ${system.time} s, in contact ${crossed.join(', ')}: give it a shorter step_s or more maximum_substeps`,
    );
    return 1;
  }
  if (system.constraintReleases + system.constraintLandings > 0) {
    console.log(
      `constraints: parted ${system.constraintReleases} times, met ${system.constraintLandings} times`,
    );
  }
  if (redundant > 0) {
    console.error(
      `berth simulate: rows of constraints that others held already pushed nothing (${redundant} over all steps): the mechanism passed a singular place`,
    );
  }
  if (failed !== 0 && system.lostConstraint >= 0) {
    const name = system.model.constraints?.[system.lostConstraint].name;
    console.error(
      `berth simulate: constraint "${name}" lost its point of contact at ${system.time} s: its surfaces have no common normal there, or end`,
    );
    return 1;
  }
  if (failed !== 0) {
    const why = isAdaptive(system.model.integrator)
      ? 'no step meets the tolerance, or the state became infinite or undefined,'
      : 'the state became infinite or undefined';
    console.error(`berth simulate: ${why} at ${system.time} s`);
    return 1;
  }
  console.error(`final state ${system.hash()} at ${system.time.toFixed(6)} s`);
  return 0;
}
