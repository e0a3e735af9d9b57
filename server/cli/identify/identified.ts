/** What `berth identify -o` wrote, and how a scenario stands to it. */
import { parse } from 'yaml';
import { MOST_TEXT_BYTES, readInput } from '../../../config/input-file.ts';
import type { Scenario } from '../../../config/scenario.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { ContactReadout, CONTACT_READOUT } from '../../../src/contact/contact-readout.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { digits, type RangeName, type Span } from './findings.ts';

/** Values with intervals, and the range of the data. */
export interface Identified {
  readonly file: string;
  readonly parameters: ReadonlyMap<string, { readonly value: number; readonly span: Span }>;
  readonly range: Partial<Record<RangeName, Span>>;
}

const FORMAT = 'berth-identified-1';
type Table = Partial<Record<string, unknown>>;
const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null;
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** Reads a file of `berth identify -o`. @throws BerthError for any other one */
export function readIdentified(file: string): Identified {
  const refused = (text: string): BerthError =>
    new BerthError('BERTH_MISMATCH', `--identified is "${file}", ${text}`, {
      field: '--identified',
    });
  let content: unknown;
  try {
    content = parse(readInput(file, '--identified', MOST_TEXT_BYTES).toString());
  } catch (error) {
    if (error instanceof BerthError) throw error;
    throw refused('which is no YAML; allowed: a file of berth identify -o');
  }
  if (!isTable(content) || content['format'] !== FORMAT) {
    throw refused(`whose format is not ${FORMAT}; allowed: a file of berth identify -o`);
  }
  const { parameters, range } = content;
  const found = new Map<string, { value: number; span: Span }>();
  for (const [name, one] of Object.entries(isTable(parameters) ? parameters : {})) {
    const { value, low, high } = isTable(one) ? one : {};
    if (!isNumber(value) || !isNumber(low) || !isNumber(high))
      throw refused(`in which parameters.${name} has no value, low and high`);
    found.set(name, { value, span: [low, high] });
  }
  const spans: Partial<Record<RangeName, Span>> = {};
  for (const name of Object.keys(REACHED) as RangeName[]) {
    const span = isTable(range) ? range[name] : undefined;
    if (span === undefined) continue;
    if (!Array.isArray(span) || span.length !== 2 || !span.every(isNumber))
      throw refused(`in which range.${name} is no pair of numbers`);
    spans[name] = [span[0], span[1]];
  }
  return { file, parameters: found, range: spans };
}

const slip = (row: Float64Array): number =>
  Math.hypot(row[ContactReadout.slip_x], row[ContactReadout.slip_y], row[ContactReadout.slip_z]);
/** What a contact reaches in a row, by the name of its range, and how people say it. */
const REACHED: Readonly<Record<RangeName, readonly [string, (row: Float64Array) => number]>> = {
  force_N: ['a normal force of', (row) => row[ContactReadout.normalForce]],
  depth_m: ['a depth of', (row) => row[ContactReadout.penetration]],
  speed_mps: ['a sliding speed of', slip],
  impact_speed_mps: ['an impact speed of', (row) => row[ContactReadout.impactSpeed]],
  dwell_s: ['a time at rest of', (row) => row[ContactReadout.dwell]],
};
const unitOf = (name: string): string =>
  name.slice(name.lastIndexOf('_') + 1).replace('mps', 'm/s');

/** A value of a scenario that a procedure may have found. */
interface Given {
  readonly field: string;
  /** As `berth identify` names it. */
  readonly name: string;
  readonly given: number;
  /** Contact; −1 for what is none's. */
  readonly contact: number;
}

type Parameters = Identified['parameters'];
const AXES = ['x', 'y', 'z'];
const SLOPE = 'restitution.slope_s_per_m';

/** Values of a law, those of a restitution that falls among them, which is 1 at rest. */
function givenOf(law: object, field: string, contact: number): Given[] {
  return Object.entries(law).flatMap(([own, given]: [string, unknown]): Given[] => {
    const slope = isTable(given) && own === 'restitution' ? given['slope_s_per_m'] : undefined;
    if (isNumber(slope)) {
      return [
        { field: `${field}.${SLOPE}`, name: SLOPE, given: slope, contact },
        { field: `${field}.${own} at rest`, name: 'restitution_at_rest', given: 1, contact },
      ];
    }
    if (!isNumber(given)) return [];
    const name = own === 'restitution_slope_s_per_m' ? SLOPE : own;
    return [{ field: `${field}.${own}`, name, given, contact }];
  });
}

/** What the arm carries. */
function carried({ tool }: Scenario): Given[] {
  const payload = tool?.robot?.payload;
  if (payload === undefined) return [];
  const field = 'tool.robot.payload';
  const { mass_kg, center_m, moments_kg_m2 } = payload;
  const whole = { field: `${field}.mass_kg`, name: 'mass_kg', given: mass_kg, contact: -1 };
  return [
    whole,
    ...AXES.flatMap((axis, k) => [
      {
        field: `${field}.center_m[${k}]`,
        name: `center_${axis}_m`,
        given: center_m[k],
        contact: -1,
      },
      {
        ...{ field: `${field}.moments_kg_m2[${k}]`, name: `inertia_${axis}${axis}_kg_m2` },
        ...{ given: moments_kg_m2[k], contact: -1 },
      },
    ]),
  ];
}

/** What was found under a name. A restitution that falls is one number at the fastest impact, by the ends of both intervals. */
function foundAt(parameters: Parameters, name: string, speed: number) {
  const own = parameters.get(name);
  const [rest, slope] = ['restitution_at_rest', SLOPE].map((one) => parameters.get(one));
  if (own !== undefined || name !== 'restitution' || rest === undefined || slope === undefined)
    return own;
  const [least, most] = [
    rest.span[0] - slope.span[1] * speed,
    rest.span[1] - slope.span[0] * speed,
  ];
  return { value: rest.value - slope.value * speed, span: [least, most] as const };
}

/** Sentences about values that were identified otherwise, or on data of another range than the scenario comes to. */
export function identifiedDoubts(
  all: readonly Identified[],
  scenario: Scenario,
  model: SystemModel,
): string[] {
  const values = [
    ...scenario.contacts.flatMap((contact, k) =>
      (['normal_law', 'friction_law'] as const).flatMap((law) =>
        givenOf(contact[law] ?? {}, `contacts[${k}].${law}`, k),
      ),
    ),
    ...carried(scenario),
  ];
  const uses = values.flatMap((given) =>
    all
      .filter(({ parameters }) => foundAt(parameters, given.name, 0) !== undefined)
      .map((identified) => ({ ...given, ...identified })),
  );
  if (uses.length === 0) return [];
  const most = uses.some(({ contact }) => contact >= 0) ? mostReached(model) : [];
  return uses.flatMap(({ field, name, given, contact, file, range, parameters }) => {
    const reached = contact < 0 ? null : most[contact];
    const { value, span } = foundAt(parameters, name, reached?.impact_speed_mps ?? 0)!;
    const [low, high] = span;
    return [
      ...(given >= low && given <= high
        ? []
        : [
            `${field} is ${digits(given)}, and ${digits(value)} (${digits(low)} to ${digits(high)}) was identified in ${file}`,
          ]),
      ...(reached === null ? [] : rangeDoubts(field, file, range, reached)),
    ];
  });
}

function rangeDoubts(
  field: string,
  file: string,
  range: Identified['range'],
  most: Record<RangeName, number>,
): string[] {
  return Object.entries(range).flatMap(([name, [from, to]]) => {
    const reached = most[name as RangeName];
    const unit = unitOf(name);
    return reached === 0 || (reached >= from && reached <= to)
      ? []
      : [
          `${field} was identified in ${file} from ${digits(from)} to ${digits(to)} ${unit}, and the scenario comes to ${REACHED[name as RangeName][0]} ${digits(reached)} ${unit}`,
        ];
  });
}

/** The most that each contact comes to while the scenario runs by itself. */
function mostReached(model: SystemModel): Record<RangeName, number>[] {
  const system = makeSystem(model);
  const row = new Float64Array(CONTACT_READOUT.length);
  const most = model.contacts.map(
    () =>
      Object.fromEntries(Object.keys(REACHED).map((name) => [name, 0])) as Record<
        RangeName,
        number
      >,
  );
  for (
    let n = Math.ceil(model.duration / model.step);
    n > 0 && system.step(model.step) === 0;
    n--
  ) {
    for (const [k, own] of most.entries()) {
      system.readContact(k, row, 0);
      if (row[ContactReadout.active] === 0) continue;
      for (const name of Object.keys(own) as RangeName[])
        own[name] = Math.max(own[name], REACHED[name][1](row));
    }
  }
  return most;
}
