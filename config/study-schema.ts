/** What-if studies: a scenario, what varies in it, how the points are chosen, and what is asked of each run. docs/studies.md explains each field. */
import { type Static, Type } from 'typebox';
import { quantity, strict } from './fields.ts';

const name = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
  description: 'A column of the table: letters, digits and _.',
});
const positive = { exclusiveMinimum: 0 } as const;
const runs = Type.Integer({ minimum: 1, maximum: 1_000_000 });

/** Where one dispersion takes its values from: exactly one of these. */
const distributions = {
  uniform: Type.Optional(Type.Object({ low: Type.Number(), high: Type.Number() }, strict)),
  log_uniform: Type.Optional(
    Type.Object({ low: Type.Number(positive), high: Type.Number() }, strict),
  ),
  normal: Type.Optional(
    Type.Object(
      {
        mean: Type.Number(),
        deviation: Type.Number(positive),
        low: Type.Optional(Type.Number()),
        high: Type.Optional(Type.Number()),
      },
      strict,
    ),
  ),
  choice: Type.Optional(
    Type.Array(Type.Union([Type.Number(), Type.String(), Type.Boolean()]), {
      minItems: 1,
      maxItems: 10_000,
    }),
  ),
} as const;

const Dispersion = Type.Object(
  {
    name,
    fields: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      maxItems: 64,
      description:
        'Fields of the scenario that get the value, as for --set; linked when there are several.',
    }),
    ...distributions,
    cases: Type.Optional(
      Type.Array(
        Type.Object(
          { name: Type.String({ minLength: 1, maxLength: 64 }), set: Type.Array(Type.String()) },
          strict,
        ),
        {
          minItems: 1,
          maxItems: 1000,
          description: 'In place of fields: names, each with the changes that it stands for.',
        },
      ),
    ),
    levels: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'Of a grid; a choice has its values.',
      }),
    ),
  },
  { ...strict, description: 'One quantity that varies, in the SI unit of its fields.' },
);

const Design = Type.Union([
  Type.Object(
    { kind: Type.Literal('grid') },
    { ...strict, description: 'Every combination of levels.' },
  ),
  Type.Object(
    { kind: Type.Literal('random'), runs },
    { ...strict, description: 'Independent points.' },
  ),
  Type.Object(
    { kind: Type.Literal('latin-hypercube'), runs },
    { ...strict, description: 'One point in each of equal intervals of each dispersion.' },
  ),
  Type.Object(
    { kind: Type.Literal('sobol'), runs },
    { ...strict, description: 'A scrambled sequence of Sobol, best with a power of two.' },
  ),
  Type.Object(
    {
      kind: Type.Literal('morris'),
      trajectories: Type.Integer({ minimum: 1, maximum: 100_000 }),
      levels: Type.Integer({ minimum: 2, maximum: 1000, default: 4 }),
    },
    { ...strict, description: 'Screening: each trajectory moves each dispersion once.' },
  ),
  Type.Object(
    { kind: Type.Literal('saltelli'), pairs: Type.Integer({ minimum: 2, maximum: 100_000 }) },
    {
      ...strict,
      description:
        'For indices of Sobol: pairs times (dispersions + 2) runs; pairs best a power of two.',
    },
  ),
  Type.Object(
    {
      kind: Type.Literal('subset'),
      quantity: name,
      runs: Type.Integer({
        minimum: 100,
        maximum: 100_000,
        multipleOf: 10,
        description: 'Of a level; a level after the first has a tenth of them already.',
      }),
      levels: Type.Integer({ minimum: 1, maximum: 20, default: 8 }),
    },
    {
      ...strict,
      description: 'How rarely a quantity leaves its limit: levels come ever nearer to it.',
    },
  ),
]);

const Stop = Type.Object(
  {
    least_runs: Type.Integer({
      minimum: 8,
      maximum: 1_000_000,
      default: 32,
      description: 'Looks come after this number of runs, twice, four times … of it.',
    }),
    when: Type.Array(
      Type.Object(
        {
          quantity: name,
          of: Type.Union([Type.Literal('mean'), Type.Literal('within')], {
            description: 'Its mean, or the share of runs within its limit.',
          }),
          half_width: Type.Number({ ...positive, description: 'Of the interval, at most.' }),
        },
        strict,
      ),
      { minItems: 1, maxItems: 64 },
    ),
  },
  { ...strict, description: 'Ends the study early, when all these intervals are narrow enough.' },
);

/** A column that goes beyond a value: it was not before. */
const Turn = Type.Object(
  {
    column: Type.String({ minLength: 1 }),
    above: Type.Optional(Type.Number()),
    below: Type.Optional(Type.Number()),
  },
  { ...strict, description: 'A column that goes above or below a value, and was not before.' },
);

const Quantity = Type.Object(
  {
    name,
    of: Type.Union(
      [
        Type.Literal('peak'),
        Type.Literal('mean'),
        Type.Literal('end'),
        Type.Literal('least'),
        Type.Literal('most'),
        Type.Literal('time_of_peak'),
        Type.Literal('time_to'),
        Type.Literal('at'),
      ],
      {
        description:
          'peak is furthest from zero, with its sign; time_to is the first time above or below a value; at is the value at the first step of when.',
      },
    ),
    column: Type.String({ minLength: 1, description: 'A column of berth simulate.' }),
    above: Type.Optional(Type.Number({ description: 'With time_to.' })),
    below: Type.Optional(Type.Number({ description: 'With time_to.' })),
    when: Type.Optional(Turn),
    limit: Type.Optional(
      Type.Object(
        { least: Type.Optional(Type.Number()), most: Type.Optional(Type.Number()) },
        { ...strict, description: 'What a good run keeps; a run without the value keeps none.' },
      ),
    ),
  },
  { ...strict, description: 'One number of each run.' },
);

export const StudySchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64 }),
    title: Type.String({ default: '' }),
    scenario: Type.String({
      minLength: 1,
      description: 'A name, or a file relative to the study.',
    }),
    set: Type.Array(Type.String(), {
      default: [],
      description: 'Fields that are the same in all runs, as for --set.',
    }),
    until_s: Type.Optional(
      quantity('s', { ...positive, description: 'Default: duration_s of the scenario.' }),
    ),
    end_when: Type.Array(Turn, {
      default: [],
      maxItems: 64,
      description: 'A run ends with the first step of one of these, and at until_s at the latest.',
    }),
    seed: Type.Integer({ minimum: 0, maximum: 4_294_967_295, default: 1 }),
    design: Design,
    vary: Type.Array(Dispersion, { minItems: 1, maxItems: 64 }),
    correlations: Type.Array(
      Type.Object(
        { between: Type.Tuple([name, name]), value: Type.Number({ minimum: -1, maximum: 1 }) },
        { ...strict, description: 'Correlation of the normal scores of two dispersions.' },
      ),
      { default: [] },
    ),
    quantities: Type.Array(Quantity, { minItems: 1, maxItems: 64 }),
    stop: Type.Optional(Stop),
  },
  { ...strict, $id: 'berth-study' },
);

export type StudyFile = Static<typeof StudySchema>;
export type StudyDispersion = Static<typeof Dispersion>;
export type StudyQuantity = Static<typeof Quantity>;
export type StudyTurn = Static<typeof Turn>;
export type StudyDesign = Static<typeof Design>;
export type StudyStop = Static<typeof Stop>;
