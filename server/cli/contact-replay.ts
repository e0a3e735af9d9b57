/** `berth replay --contact`: the contact of a recording computed again from the measured motion, with the recorded laws or others. */
import { statSync } from 'node:fs';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { Column } from '../../hil/contract/columns.ts';
import { stringifyExact } from '../../hil/recording/exact-json.ts';
import type { Recording } from '../../hil/recording/read-recording.ts';
import { CONTACT_RECORDS, ContactReplay } from '../../hil/replay/contact-replay.ts';
import { MotionPrediction } from '../../hil/replay/motion-prediction.ts';
import { createSimulationFile } from '../../hil/replay/simulation-file.ts';
import { WrenchDifference } from '../../hil/replay/wrench-difference.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { LineOutput } from './line-output.ts';
import { ParquetOutput } from './parquet-output.ts';

/** What to compute and where it goes. */
export interface ContactChoice {
  /** Scenario in place of that of the recording. */
  readonly scenario: string | undefined;
  /** Changed fields, `path=value`. */
  readonly changes: readonly string[];
  /** Distance of the predicted motion from the recorded one that still counts as the same, m; null for no prediction. */
  readonly bound_m: number | null;
  /** First tick of the prediction. */
  readonly from: number;
  readonly format: string;
  readonly output: string | undefined;
}

const FORMATS = ['csv', 'parquet', 'mcap'];
const PARTS = ['force_x_N', 'force_y_N', 'force_z_N', 'moment_x_Nm', 'moment_y_Nm', 'moment_z_Nm'];
const COLUMNS = [
  'tick',
  'sim_time_s',
  ...PARTS.map((part) => `model_${part}`),
  ...PARTS.map((part) => `replayed_${part}`),
  ...PARTS.map((part) => `measured_${part}`),
];

/** Takes one tick. */
interface Output {
  row(row: readonly number[]): Promise<void> | void;
  close(): Promise<void>;
}

/** Runs the command. @returns exit code: 1 when nothing could be computed, or the wrench of the same laws differs */
export async function replayContact(
  path: string,
  recording: Recording,
  choice: ContactChoice,
): Promise<number> {
  checkOutput(path, choice);
  const { facts } = recording;
  const { settings, mode } = facts;
  const model = modelOf(recording, choice);
  const { period_s } = settings.loop;
  const replay = new ContactReplay({ recorded: facts.model, model, mode, period_s });
  const { bound_m, from } = choice;
  const prediction = bound_m === null ? null : new MotionPrediction(model, period_s, bound_m, from);
  const out = await outputOf(replay, model, choice, period_s);
  const difference = new WrenchDifference();
  const measured = new WrenchDifference();
  const { modelWrench } = replay.tool;
  for await (const record of recording.records({ ...ALL, kinds: CONTACT_RECORDS })) {
    if (!replay.take(record)) continue;
    const { row } = replay;
    const tick = row[Column.tick];
    prediction?.take(row, replay.system.state);
    const recorded = row.subarray(Column.model_force_x_N, Column.model_force_x_N + 6);
    const sensed = row.subarray(Column.measured_force_x_N, Column.measured_force_x_N + 6);
    difference.take(tick, modelWrench, recorded);
    measured.take(tick, modelWrench, sensed);
    await out?.row([tick, row[Column.sim_time_s], ...recorded, ...modelWrench, ...sensed]);
  }
  await out?.close();
  const same = model === facts.model;
  console.log(
    summary(recording, choice, replay, difference, mode === 'hardware' ? measured : null),
  );
  if (prediction !== null) console.log(evidence(prediction));
  if (difference.pairs === 0) return 1;
  return same && difference.differing > 0 ? 1 : 0;
}

const ALL = { from: 0n, to: 2n ** 63n };

/** The model whose contacts are computed: that of the run itself where nothing is changed. @throws BerthError */
function modelOf({ facts }: Recording, { scenario, changes }: ContactChoice): SystemModel {
  if (scenario === undefined && changes.length === 0) return facts.model;
  const name = scenario ?? facts.scenario;
  if (scenario === undefined) checkScenario(name, facts.model);
  return compileScenario(loadScenario(name, changes));
}

/** What is changed must be what was run. @throws BerthError */
function checkScenario(name: string, recorded: SystemModel): void {
  const own = compileScenario(loadScenario(name));
  const place = firstDifference(plain(own), plain(recorded), 'model');
  if (place === '') return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `--set changes fields of scenario "${name}", but the recording is not of what this build compiles from it: ${place} differs; name the scenario that it is of: --scenario FILE`,
    { field: '--scenario' },
  );
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** A model as it is written, without typed arrays and fields that are left out. */
const plain = (model: SystemModel): unknown => JSON.parse(stringifyExact(model));

/** Path of the first value that differs; '' for equal ones. An empty list is as good as none: older recordings have none. */
function firstDifference(a: unknown, b: unknown, path: string): string {
  if ((a === undefined && isEmpty(b)) || (b === undefined && isEmpty(a))) return '';
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return Object.is(a, b) ? '' : path;
  const [own, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  for (const key of new Set([...own.keys(), ...other.keys()])) {
    const place = firstDifference(own.get(key), other.get(key), `${path}.${key}`);
    if (place !== '') return place;
  }
  return '';
}

function checkOutput(path: string, { format, output }: ContactChoice): void {
  if (!FORMATS.includes(format)) {
    const text = `--format is "${format}"; allowed: ${FORMATS.join(', ')}`;
    throw new BerthError('BERTH_USAGE', text, { field: '--format' });
  }
  const there = output === undefined ? undefined : statSync(output, { throwIfNoEntry: false });
  const file = statSync(path);
  if (there === undefined || there.ino !== file.ino || there.dev !== file.dev) return;
  const text = `--output is "${output ?? ''}", which is FILE; allowed: another file`;
  throw new BerthError('BERTH_USAGE', text, { field: '--output' });
}

async function outputOf(
  replay: ContactReplay,
  model: SystemModel,
  { changes, format, output }: ContactChoice,
  interval_s: number,
): Promise<Output | null> {
  if (output === undefined) return null;
  if (format === 'parquet') return new ParquetOutput(output, COLUMNS);
  if (format === 'csv') {
    const out = new LineOutput(output);
    out.line(COLUMNS.join(','));
    return { row: (row) => out.line(row.join(',')), close: () => out.close() };
  }
  const facts = { scenario: model.name, changes, interval_s };
  const file = await createSimulationFile(output, replay.system, facts);
  return { row: () => file.row(), close: () => file.end() };
}

const amount = (value: number): string => value.toPrecision(4);

/** What came of it, for people. */
function summary(
  { facts, closed }: Recording,
  { scenario, changes }: ContactChoice,
  replay: ContactReplay,
  difference: WrenchDifference,
  measured: WrenchDifference | null,
): string {
  const { pairs, differing, first } = difference;
  const seconds = (pairs * facts.settings.loop.period_s).toFixed(3);
  const lines = [
    `contact of ${facts.scenario}, mode ${facts.mode}: ${pairs} ticks (${seconds} s) driven by the measured motion`,
  ];
  if (scenario !== undefined) lines.push(`scenario ${scenario}`);
  for (const change of changes) lines.push(`set ${change}`);
  if (pairs === 0) {
    lines.push('Nothing to compute: there is no STATE record with moving ticks after it');
  } else if (differing === 0) {
    lines.push(`wrench of the model: ${pairs} ticks bit-equal to the recorded one`);
  } else {
    lines.push(
      `wrench of the model: ${differing} ticks differ from the recorded one, tick ${first} first`,
      ...figures(difference),
    );
  }
  if (measured !== null && pairs > 0) {
    lines.push('wrench of the sensor, against the replayed one:', ...figures(measured));
  }
  if (replay.failed > 0) lines.push(`${replay.failed} steps of the model failed`);
  if (replay.gaps > 0) lines.push(`${replay.gaps} gaps in the recording passed over`);
  if (replay.skipped > 0) lines.push(`${replay.skipped} ticks before a STATE record skipped`);
  if (!closed) lines.push('The file was not closed: it ends with its last whole chunk');
  return lines.join('\n');
}

/** How long the recording is evidence. */
function evidence({ ticks, largest_m, first, first_s, bound_m }: MotionPrediction): string {
  if (ticks === 0) return 'motion not predicted: the arm does not move after the tick';
  const until =
    first < 0
      ? 'the recording is evidence to its end'
      : `the recording is no evidence from tick ${first} on (${first_s.toFixed(3)} s of model time)`;
  return [
    `motion predicted for ${ticks} ticks: at most ${amount(largest_m)} m from the recorded set-point, allowed ${amount(bound_m)} m`,
    `  ${until}`,
  ].join('\n');
}

function figures({ largest, largestAt, rms, touching, peaks }: WrenchDifference): string[] {
  return [
    `  largest: ${amount(largest.force_N)} N (tick ${largestAt}), ${amount(largest.moment_Nm)} N m`,
    `  rms of ${touching} ticks in contact: ${amount(rms.force_N)} N, ${amount(rms.moment_Nm)} N m`,
    `  peak force: ${amount(peaks[1])} N recorded, ${amount(peaks[0])} N replayed`,
  ];
}
