/** `berth identify`: parameters of a contact from measured data, with intervals. */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { BerthError } from '../../src/base/errors.ts';
import type { Triple } from '../../src/model/model.ts';
import { alignedLines } from './aligned-lines.ts';
import { numbersOf, readDelay, readLength, readNumber, readWhole, refusal } from './arguments.ts';
import type { Findings } from './identify/findings.ts';
import { PROCEDURES } from './identify/procedures.ts';
import { identificationPage } from './identify/report.ts';
import type { Interval, Scrutinized } from './identify/scrutinized.ts';
import { scrutinizeTogether } from './identify/team-work.ts';

export const usage = `Usage: berth identify FILE --procedure NAME [OPTIONS]

Parameters of a contact from a recording (MCAP) or a CSV file whose names have units, as force_N or place [um].
Procedures and the columns that each one needs (a recording has them):
  press              a slow press: place along the normal of the plate, force on the tool; stiffness and height of the plate
  drag               steady sliding at several speeds: speed, force of the load, friction; Coulomb and viscous friction
  drop               drops or taps from free motion: time, place, force; restitution, and its slope over speed with --slope
  tap                taps of an arm from free motion: time, place, rate (of place), force; restitution by the hysteresis of the force,
                     its slope over speed with --slope; stiffness, height of the plate, lag of the force
  tilt               a press: force along the normal, side_u and side_v across it; tilt of the plate, bias of the sensor
  breakaway          slides, rests and slow pulls (a recording), or breakaways after rests (CSV: dwell, force of the load,
                     friction); stiction, Coulomb friction, dwell time
  stick-slip         peaks of a stick-slip rig (CSV): speed of the plate, cycle, peak; dwell time, stiction from first peaks
  pre-sliding        strokes below breakaway: travel, force of the load, friction, speed where known; bristle stiffness, and
                     with speeds damping
  ring-down          the swing after a small tangential tap (CSV): time, travel; bristle stiffness and damping
  twist              twists under load to both sides: spin, force of the load, torque about the normal; friction of spin
  payload            a payload turned and shaken in free space: time, q_x to q_w, v, w, force, moment (each _x, _y, _z, base
                     frame); mass, centre, inertia; bias of the sensor, its gains with --mass and --center; --tared

  --exponent P       press, drop, tap: exponent of the law, 1 to 3 (default 1.5); press, tap: or free
  --slope            drop, tap: e = e0 - slope * speed, from three impacts or more
  --scenario NAME    stick-slip: scenario of the rig (default bowden-leben)
  --set PATH=VALUE   stick-slip: changes a field of it; may be repeated
  --load-per-mass A  ring-down: normal force over the mass that swings, m/s² (default 9.80665)
  --coulomb MU       twist: Coulomb friction, and
  --gyration LENGTH  the gyration radius of the contact ("5 mm"): give both for the spin factor
  --force-delay T    pre-sliding: how much older the force is than the travel, as 2ms, or =-500us (default 0)
  --gravity G        payload: along -z of the base frame, m/s² (default 9.80665)
  --mass KG          payload: its known mass, for gains of the force, and
  --center X,Y,Z     its centre from the tool point in the tool's frame, m, for gains of the moment
  --tared            payload: the sensor was tared in the base frame before the data begin, so that their weight is gone from them
                     (a tare within a recording is found by itself: the rows after it count)
  --axis AXIS        a recording: axis of the base frame along the normal of the plate, x, y or z (default z)
  --profile          profile intervals beside the linear ones: right where the model bends, and slower
  --hold-out         predict each contact, or fifth of the data, from the others, and say the error
  --workers N        threads that share differences, profiles and parts held out (default 1); the values do not depend on it
  --confidence C     of the intervals (default 0.95)
  -o, --output FILE  write values, intervals, the range of the data and their hash as YAML, for "berth check --identified"
  --report FILE      write one HTML page with plots, profile intervals and parts held out

Exit code 1: nothing could be identified.`;

const AXES = ['x', 'y', 'z'];
const MOST_WORKERS = 64;

/** Runs the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      procedure: { type: 'string' },
      exponent: { type: 'string', default: '1.5' },
      axis: { type: 'string', default: 'z' },
      scenario: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      slope: { type: 'boolean', default: false },
      'load-per-mass': { type: 'string', default: '9.80665' },
      coulomb: { type: 'string' },
      gyration: { type: 'string' },
      gravity: { type: 'string', default: '9.80665' },
      mass: { type: 'string' },
      center: { type: 'string' },
      tared: { type: 'boolean', default: false },
      'force-delay': { type: 'string', default: '0' },
      profile: { type: 'boolean', default: false },
      'hold-out': { type: 'boolean', default: false },
      confidence: { type: 'string', default: '0.95' },
      workers: { type: 'string', default: '1' },
      report: { type: 'string' },
      output: { type: 'string', short: 'o' },
    },
  });
  const [path, ...extra] = positionals;
  if (path === undefined || extra.length > 0)
    throw new BerthError('BERTH_USAGE', `expected one FILE, got ${positionals.length}`);
  const name = values.procedure ?? '';
  if (!Object.hasOwn(PROCEDURES, name))
    throw refusal('--procedure', name, Object.keys(PROCEDURES).join(', '));
  const axis = AXES.indexOf(values.axis);
  if (axis < 0) throw refusal('--axis', values.axis, AXES.join(', '));
  const exponent =
    values.exponent === 'free' ? null : readNumber('--exponent', values.exponent, 1, 3);
  const { slope, scenario, set: changes, tared } = values;
  const confidence = readNumber('--confidence', values.confidence, 0.5, 0.9999);
  const loadPerMass = readNumber('--load-per-mass', values['load-per-mass'], 1e-3, 1e6);
  const { coulomb, gyration, mass, center } = values;
  const choice = {
    exponent,
    slope,
    scenario,
    changes,
    loadPerMass,
    coulomb: coulomb === undefined ? null : readNumber('--coulomb', coulomb, 1e-3, 10),
    gyration: gyration === undefined ? null : readLength('--gyration', gyration),
    forceDelay: readDelay('--force-delay', values['force-delay']),
    gravity: readNumber('--gravity', values.gravity, 0, 100),
    mass: mass === undefined ? null : readNumber('--mass', mass, 1e-6, 1e6),
    center: center === undefined ? null : centerOf(center, mass),
    tared,
    confidence,
  };
  const { report } = values;
  const { findings, profiles, held, hash, rows } = await scrutinizeTogether(
    {
      ...{ path, procedure: name, axis, choice },
      profile: values.profile || report !== undefined,
      holdOut: values['hold-out'] || report !== undefined,
    },
    readWhole('--workers', values.workers, 1, MOST_WORKERS),
  );
  console.log(summary(findings, profiles, confidence).join('\n'));
  if (values['hold-out']) console.log(heldOutWords(held));
  const source = { file: basename(path), sha256: hash, rows };
  if (report !== undefined) {
    const page = identificationPage({
      ...{ procedure: name, source, confidence, findings, profiles, held },
    });
    writeFileSync(report, page);
  }
  if (values.output !== undefined) {
    const text = stringify({
      format: 'berth-identified-1',
      procedure: name,
      data: source,
      confidence,
      range: findings.range,
      ...((name === 'press' || name === 'tap') && exponent !== null ? { exponent } : {}),
      ...identified(findings, profiles),
    });
    writeFileSync(values.output, text);
  }
  return findings.parameters.every(({ refusal: why }) => why !== '') ? 1 : 0;
}

/** Three lengths. @throws BerthError for anything else, or without a mass */
function centerOf(text: string, mass: string | undefined): Triple {
  const [x, y, z, ...rest] = numbersOf(text);
  if (mass !== undefined && Number.isFinite(x + y + z) && rest.length === 0) return [x, y, z];
  throw refusal('--center', text, 'three numbers in m, such as 0,0,0.12, beside --mass');
}

/** Values with intervals, and reasons where there is none. */
function identified(
  { parameters }: Findings,
  profiles: readonly (Interval | null)[] | null,
): Record<string, unknown> {
  const having = parameters.filter(({ refusal: why }) => why === '');
  const lacking = parameters.filter(({ refusal: why }) => why !== '');
  return {
    parameters: Object.fromEntries(
      having.map((found) => {
        const { name, value, low, high } = found;
        const profile = profiles?.[parameters.indexOf(found)] ?? null;
        return [name, { value, low, high, ...(profile === null ? {} : { profile }) }];
      }),
    ),
    not_identified: Object.fromEntries(lacking.map(({ name, refusal: why }) => [name, why])),
  };
}

const digits = (value: number): string => value.toPrecision(5);

const words = ({ low, high }: Interval): string => `${digits(low)} to ${digits(high)}`;

/** What parts of the data say of each other. */
function heldOutWords(held: Scrutinized['held']): string {
  const errors = (held ?? []).map(({ error }) => error.toPrecision(3));
  return errors.length === 0
    ? 'held out: the data are one part'
    : `held out: each of ${errors.length} parts, predicted from the others, is off by ${errors.join(', ')} times the noise`;
}

function summary(
  { parameters, lines, identification }: Findings,
  profiles: readonly (Interval | null)[] | null,
  confidence: number,
): string[] {
  const rows = parameters.map((found, i) => {
    const { name, unit, value, refusal: why } = found;
    if (why !== '') return [name, '-', why, ...(profiles === null ? [''] : ['', ''])];
    const profile = profiles?.[i] ?? null;
    const beside = profiles === null ? [] : [profile === null ? '' : words(profile)];
    return [name, digits(value), words(found), ...beside, unit];
  });
  const head = [
    ...['parameter', 'value', `${100 * confidence} % interval`],
    ...(profiles === null ? ['unit'] : ['profile', 'unit']),
  ];
  const { correlation, correlated, outliers, residuals, converged } = identification;
  const { starts, agreeing, evolved } = identification;
  const out = [...alignedLines([head, ...rows], (column) => column === 1), ...lines];
  if (outliers > 0)
    out.push(`${outliers} of ${residuals.length} means weighed less (without outliers about 18 %)`);
  if (correlated)
    out.push(
      `residuals follow each other (correlation ${correlation.toFixed(2)}): the law may not fit; intervals are wider for it`,
    );
  if (starts > 1 && agreeing < 2) {
    const how = evolved ? 'no start but the evolution strategy' : `one of ${starts} starts alone`;
    out.push(`this minimum was found by ${how}: another may be less`);
  }
  if (!converged) out.push('the search did not come to its end: doubt the values');
  return out;
}
