/**
 * The palettes of `config/materials/`: solids with their elastic constants, and pairs of solids
 * with their contact constants. Scenario files name materials; the compiler of a scenario looks up
 * their constants.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, type TSchema, Type } from 'typebox';
import { contactModulus } from '../src/contact/normal/hertz.ts';
import { BerthError } from '../src/base/errors.ts';
import { quantity, strict } from './fields.ts';
import { MOST_TEXT_BYTES, readInput } from './input-file.ts';
import { packageRoot, shownPath } from './paths.ts';
import { nearest, readBySchema } from './read.ts';
import { ConfigError, YamlSource } from './yaml-source.ts';

const positive = { exclusiveMinimum: 0 } as const;
const notNegative = { minimum: 0 } as const;

const Solid = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('elastic'),
      name: Type.String({ minLength: 1 }),
      density_kg_per_m3: quantity('kg/m^3', positive),
      youngs_modulus_N_per_m2: quantity('N/m^2', positive),
      poisson_ratio: Type.Number({ minimum: 0, maximum: 0.5 }),
      yield_strength_N_per_m2: Type.Optional(
        quantity('N/m^2', {
          ...positive,
          description: 'Of its grade; contacts say when their mean pressure is above it.',
        }),
      ),
      melting_temperature_K: Type.Optional(Type.Number(positive)),
      specific_heat_J_per_kg_K: Type.Optional(Type.Number(positive)),
      thermal_conductivity_W_per_m_K: Type.Optional(Type.Number(positive)),
      thermal_expansion_per_K: Type.Optional(Type.Number(notNegative)),
    },
    strict,
  ),
  Type.Object(
    { kind: Type.Literal('observer'), name: Type.String({ minLength: 1 }) },
    { ...strict, description: 'Seen, but without mass and without elastic response.' },
  ),
]);

const names = Type.Tuple([Type.String({ minLength: 1 }), Type.String({ minLength: 1 })], {
  description: 'Two solids, in either order.',
});

const ContactPair = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('elastic'),
      materials: names,
      restitution: Type.Number({ minimum: 0, maximum: 1 }),
      sliding_friction: Type.Number(notNegative),
      rolling_resistance: Type.Number(notNegative),
      small_velocity_mps: quantity('m/s', { ...positive, default: 0.01 }),
      small_angular_velocity_radps: quantity('rad/s', { ...positive, default: 0.01 }),
    },
    strict,
  ),
  Type.Object(
    { kind: Type.Literal('observer'), materials: names, alarm: Type.Boolean({ default: false }) },
    { ...strict, description: 'Begin of contact is reported, no force acts.' },
  ),
]);

/** Schema of `config/materials/solid.yaml`. */
export const SolidsSchema = Type.Object(
  { source: Type.String(), solids: Type.Array(Solid, { minItems: 1 }) },
  { ...strict, title: 'Berth solids' },
);
/** Schema of `config/materials/contact-pairs.yaml`. */
export const ContactPairsSchema = Type.Object(
  { source: Type.String(), pairs: Type.Array(ContactPair, { minItems: 1 }) },
  { ...strict, title: 'Berth contact pairs' },
);

/** Schema of a palette of the user: solids and pairs beside those of the package. */
const UserPaletteSchema = Type.Object(
  {
    source: Type.String({ default: '' }),
    solids: Type.Array(Solid, { default: [] }),
    pairs: Type.Array(ContactPair, { default: [] }),
  },
  { ...strict, title: 'Berth materials of a user' },
);

type Solids = Static<typeof SolidsSchema>;
type ContactPairs = Static<typeof ContactPairsSchema>;
/** A solid with an elastic response. */
export type ElasticSolid = Extract<Solids['solids'][number], { kind: 'elastic' }>;
/** Contact constants of a pair of elastic solids. */
export type ElasticPair = Omit<
  Extract<ContactPairs['pairs'][number], { kind: 'elastic' }>,
  'materials'
>;

/** A pair of which the touch is reported. */
type ObserverPair = Extract<ContactPairs['pairs'][number], { kind: 'observer' }>;

/** Names of two materials. */
export type MaterialNames = readonly [string, string];

/** Names of two materials that a law may take its numbers from. */
export const materialNames = Type.Optional(
  Type.Tuple([Type.String({ minLength: 1 }), Type.String({ minLength: 1 })], {
    description:
      'Names of the palette, in either order; numbers that are left out are those of their pair.',
  }),
);

/** Solids and pairs that can be looked up by name. */
export class Materials {
  readonly solids: Solids['solids'];
  readonly pairs: ContactPairs['pairs'];

  /** @throws BerthError for a duplicate name, a duplicate pair, or a pair of an unknown solid */
  constructor(solids: Solids, pairs: ContactPairs) {
    this.solids = solids.solids;
    this.pairs = pairs.pairs;
    unique('solid', this.names());
    unique('contact pair', this.pairNames());
    for (const pair of this.pairs) for (const name of pair.materials) this.find(name, 'materials');
  }

  /** Looks up an elastic solid. @throws BerthError naming `field`, the known names and the nearest one */
  solid(name: string, field: string): ElasticSolid {
    const solid = this.find(name, field);
    if (solid.kind === 'elastic') return solid;
    throw new BerthError(
      'BERTH_MISMATCH',
      `${field} names ${name}, which has no elastic response; allowed: ${this.elasticNames().join(', ')}`,
      { field },
    );
  }

  /** Contact modulus E* of two solids, N/m². @throws BerthError as `solid` */
  contactModulus(materials: MaterialNames, field: string): number {
    const a = this.solid(materials[0], field);
    const b = this.solid(materials[1], field);
    return contactModulus(
      a.youngs_modulus_N_per_m2,
      a.poisson_ratio,
      b.youngs_modulus_N_per_m2,
      b.poisson_ratio,
    );
  }

  /** Yield strength of the weaker one of two materials that have one, N/m²; undefined when neither does. */
  yieldStrength(materials: MaterialNames): number | undefined {
    const known = this.solids.flatMap((solid) =>
      solid.kind === 'elastic' && materials.includes(solid.name)
        ? (solid.yield_strength_N_per_m2 ?? [])
        : [],
    );
    return known.length > 0 ? Math.min(...known) : undefined;
  }

  /** The pair of two materials where it is listed as one that is only observed. */
  observer([a, b]: MaterialNames): ObserverPair | undefined {
    const listed = this.listed(a, b);
    return listed?.kind === 'observer' ? listed : undefined;
  }

  /** @throws BerthError naming `field` for a name that is no material */
  check(names: MaterialNames, field: string): void {
    for (const name of names) this.find(name, field);
  }

  /** Whether two materials have an elastic pair, listed or as a mean. */
  hasPair([a, b]: MaterialNames): boolean {
    const elastic = (x: string, y: string): boolean => this.listed(x, y)?.kind === 'elastic';
    return elastic(a, b) || (elastic(a, a) && elastic(b, b));
  }

  /**
   * Elastic pair of two materials in either order. An unlisted pair is the mean of the pairs of
   * each material with itself, where both are listed. @throws BerthError naming `field` and the
   * known pairs
   */
  pair(materials: MaterialNames, field: string): ElasticPair {
    const [a, b] = materials;
    this.solid(a, field);
    this.solid(b, field);
    const listed = this.listed(a, b);
    if (listed?.kind === 'elastic') return listed;
    const own = this.listed(a, a);
    const other = this.listed(b, b);
    if (own?.kind === 'elastic' && other?.kind === 'elastic') return mean(own, other);
    const alone = [own, other].map((pair, end) => (pair === undefined ? materials[end] : ''));
    const missing = [...new Set(alone.filter((name) => name !== ''))];
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `${field} is [${a}, ${b}], for which there is no contact pair, nor a mean since ${missing.join(' and ')} ` +
        `${missing.length > 1 ? 'have' : 'has'} no pair with itself; pairs: ${this.pairNames().join('; ')}`,
      { field },
    );
  }

  private listed(a: string, b: string): ContactPairs['pairs'][number] | undefined {
    return this.pairs.find(({ materials: [c, d] }) => (a === c && b === d) || (a === d && b === c));
  }

  private find(name: string, field: string): Solids['solids'][number] {
    const solid = this.solids.find((one) => one.name === name);
    if (solid !== undefined) return solid;
    const near = nearest(name.toLowerCase(), this.names().map(lower)).map(
      (low) => this.names().find((one) => lower(one) === low) ?? low,
    );
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}? ` : '';
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `${field} names "${name}", which is no material; ${hint}allowed: ${this.names().join(', ')}`,
      { field },
    );
  }

  private names(): string[] {
    return this.solids.map(({ name }) => name);
  }

  private elasticNames(): string[] {
    return this.solids.filter(({ kind }) => kind === 'elastic').map(({ name }) => name);
  }

  private pairNames(): string[] {
    return this.pairs.map(pairName);
  }
}

/**
 * What the pair of two named materials says; undefined when none are named, or when their pair is not listed and not `needed`.
 * @throws BerthError as `Materials.pair`
 */
export function pairOfMaterials(
  palette: Materials,
  names: MaterialNames | undefined,
  field: string,
  needed: boolean,
): ElasticPair | undefined {
  if (names === undefined) return undefined;
  for (const name of names) palette.solid(name, field);
  return needed || palette.hasPair(names) ? palette.pair(names, field) : undefined;
}

/** A number of a law that the file or the pair of materials gives. @throws BerthError when neither does */
export function numberOfPair(value: number | undefined, field: string): number {
  if (value !== undefined) return value;
  throw new BerthError(
    'BERTH_MISSING_FIELD',
    `${field} is missing; allowed: a number, or materials that have a contact pair`,
    { field },
  );
}

function pairName({ materials }: { readonly materials: readonly string[] }): string {
  return [...materials].sort().join(' with ');
}

function lower(name: string): string {
  return name.toLowerCase();
}

function mean(a: ElasticPair, b: ElasticPair): ElasticPair {
  const half = (x: number, y: number): number => 0.5 * (x + y);
  return {
    kind: 'elastic',
    restitution: half(a.restitution, b.restitution),
    sliding_friction: half(a.sliding_friction, b.sliding_friction),
    rolling_resistance: half(a.rolling_resistance, b.rolling_resistance),
    small_velocity_mps: half(a.small_velocity_mps, b.small_velocity_mps),
    small_angular_velocity_radps: half(
      a.small_angular_velocity_radps,
      b.small_angular_velocity_radps,
    ),
  };
}

function unique(what: string, list: readonly string[]): void {
  const twice = list.find((name, index) => list.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new BerthError('BERTH_DUPLICATE_NAME', `Two ${what}s are named "${twice}"`, {
    field: what,
  });
}

function open(file: string, schema: TSchema): unknown {
  const path = join(packageRoot(), 'config', 'materials', file);
  return readBySchema(
    new YamlSource(`config/materials/${file}`, readFileSync(path, 'utf8')),
    schema,
  );
}

let palette: Materials | null = null;

/** The palette of the package, read once. @throws BerthError with `file:line:column` for an unusable file */
export function materials(): Materials {
  palette ??= new Materials(
    open('solid.yaml', SolidsSchema) as Solids,
    open('contact-pairs.yaml', ContactPairsSchema) as ContactPairs,
  );
  return palette;
}

/**
 * The palette of the package with the solids and pairs of a file beside it.
 * @param file absolute path; undefined for the palette of the package alone
 * @throws BerthError with `file:line:column` for an unusable file, a name twice, and a pair of an unknown solid
 */
export function materialsWith(file: string | undefined): Materials {
  if (file === undefined) return materials();
  const text = readInput(file, 'materials_file', MOST_TEXT_BYTES).toString();
  const source = new YamlSource(shownPath(file), text);
  const own = readBySchema(source, UserPaletteSchema) as Static<typeof UserPaletteSchema>;
  const known = materials();
  const solids = [...known.solids];
  own.solids.forEach((solid, k) => {
    const twice = solids.some(({ name }) => name === solid.name);
    if (twice) refuse(source, ['solids', k, 'name'], duplicate('solid', solid.name));
    solids.push(solid);
  });
  const pairs = [...known.pairs];
  own.pairs.forEach((pair, k) => {
    pair.materials.forEach((name, end) => {
      const missing = !solids.some((solid) => solid.name === name);
      if (missing) refuse(source, ['pairs', k, 'materials', end], unknownSolid(name, solids));
    });
    const names = pairName(pair);
    const twice = pairs.some((one) => pairName(one) === names);
    if (twice) refuse(source, ['pairs', k, 'materials'], duplicate('contact pair', names));
    pairs.push(pair);
  });
  return new Materials({ source: own.source, solids }, { source: own.source, pairs });
}

function duplicate(what: string, name: string): BerthError {
  const text = `"${name}" is the name of a ${what} that there is already; allowed: a name of its own`;
  return new BerthError('BERTH_DUPLICATE_NAME', text);
}

function unknownSolid(name: string, solids: readonly { readonly name: string }[]): BerthError {
  const known = solids.map((one) => one.name).join(', ');
  return new BerthError('BERTH_UNKNOWN_NAME', `"${name}" is no material; allowed: ${known}`);
}

/** @throws ConfigError at a place of the file */
function refuse(
  source: YamlSource,
  path: (string | number)[],
  { code, message }: BerthError,
): never {
  const [list, index, ...rest] = path;
  const field = [`${list}[${index}]`, ...rest].join('.').replace(/[.](\d+)$/, '[$1]');
  const where = source.where(source.nodeAt(path));
  throw new ConfigError([{ code, where, path: field, message: `${field}: ${message}` }]);
}
