/**
 * Reads YAML nodes by a schema: fills defaults, converts units and collects all errors with their
 * positions. It supports the schemas of this folder: objects, lists, fixed-length lists, unions of
 * words, unions of objects distinguished by `kind`, a number or an object in its place, numbers (with `unit`), strings and booleans.
 */
import type { TSchema } from 'typebox';
import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { JOINT_UNITS } from './fields.ts';
import { readQuantity } from './units.ts';
import { ConfigError, type ConfigIssue, showNode, type YamlSource } from './yaml-source.ts';

/** The part of JSON Schema used here. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly const?: string | number | boolean;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | readonly Schema[];
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  /** SI unit of a number; absent for plain numbers. */
  readonly unit?: string;
  /** Whether messages must not contain the value. */
  readonly secret?: boolean;
}

/** @throws ConfigError with every error */
export function readBySchema(source: YamlSource, schema: TSchema): unknown {
  const reader = new Reader(source);
  const value = reader.read(source.root, schema, '');
  if (reader.issues.length > 0) throw new ConfigError(reader.issues);
  return value;
}

/** Largest number of errors kept; a file with more is of another kind. */
const MOST_ISSUES = 100;
/** Largest number of values in a file, aliases counted each time; real files have some hundred. */
const MOST_VALUES = 200_000;
/** Length up to which a name is compared with known ones. */
const LONGEST_NAME = 64;

class Reader {
  readonly issues: ConfigIssue[] = [];
  private values = 0;
  private readonly source: YamlSource;

  constructor(source: YamlSource) {
    this.source = source;
  }

  read(raw: Node | null, schema: Schema, path: string): unknown {
    if (++this.values > MOST_VALUES) {
      const message = `the file has more than ${MOST_VALUES} values`;
      throw new ConfigError([
        { code: 'BERTH_YAML', where: this.source.where(raw), path: '', message },
      ]);
    }
    const node = this.source.resolve(raw);
    if (schema.anyOf !== undefined) return this.union(node, schema, schema.anyOf, path);
    if (schema.const !== undefined) return this.words(node, [schema.const], schema, path);
    switch (schema.type) {
      case 'object':
        return this.object(node, schema, path);
      case 'array':
        return this.list(node, schema, path);
      case 'number':
      case 'integer':
        return this.number(node, schema, path);
      default:
        return this.scalar(node, schema, path);
    }
  }

  private object(node: Node | null, schema: Schema, path: string): unknown {
    const empty = node === null || (isScalar(node) && node.value === null);
    if (!empty && !isMap(node)) {
      this.wrong(node, schema, path, 'a group of fields');
      return;
    }
    const properties = schema.properties ?? {};
    const result: Record<string, unknown> = {};
    const seen = new Map<string, Pair<Node, Node | null>>();
    for (const pair of empty ? [] : (node as YAMLMap<Node, Node | null>).items) {
      const name = isScalar(pair.key) ? String(pair.key.value) : '';
      if (Object.hasOwn(properties, name)) seen.set(name, pair);
      else this.unknown(name, pair.key, Object.keys(properties), path);
    }
    for (const [name, child] of Object.entries(properties)) {
      const at = join(path, name);
      const pair = seen.get(name);
      if (pair !== undefined) {
        if (pair.value === null) this.wrong(pair.key, child, at, allowed(child), 'empty');
        else result[name] = this.read(pair.value, child, at);
      } else if (child.default !== undefined) {
        result[name] = defaults(child);
      } else if (schema.required?.includes(name) === true) {
        this.complain({
          code: 'BERTH_MISSING_FIELD',
          where: this.source.where(node),
          path: at,
          message: `${at} is missing; allowed: ${allowed(child)}`,
        });
      }
    }
    return result;
  }

  private complain(issue: ConfigIssue): void {
    if (this.issues.length < MOST_ISSUES) this.issues.push(issue);
  }

  private unknown(given: string, key: Node, known: readonly string[], path: string): void {
    if (this.issues.length >= MOST_ISSUES) return;
    const name = given.length <= LONGEST_NAME ? given : `${given.slice(0, LONGEST_NAME)}…`;
    const near = nearest(name, known);
    const hint =
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : `allowed: ${known.length > 0 ? known.join(', ') : 'no fields'}`;
    const at = join(path, name);
    this.complain({
      code: 'BERTH_UNKNOWN_FIELD',
      where: this.source.where(key),
      path: at,
      message: `${at} is not a known field; ${hint}`,
    });
  }

  private list(node: Node | null, schema: Schema, path: string): unknown {
    if (!isSeq(node)) {
      this.wrong(node, schema, path, allowed(schema));
      return;
    }
    const items = schema.items as Schema | readonly Schema[];
    const fixed = Array.isArray(items) ? (items as readonly Schema[]) : null;
    if (fixed !== null && node.items.length !== fixed.length) {
      this.wrong(node, schema, path, allowed(schema));
      return;
    }
    if (node.items.length < (schema.minItems ?? 0)) {
      this.wrong(node, schema, path, `a list of at least ${schema.minItems ?? 0}`);
      return;
    }
    return node.items.map((item, i) =>
      this.read(item as Node | null, fixed?.[i] ?? (items as Schema), `${path}[${i}]`),
    );
  }

  private union(
    node: Node | null,
    schema: Schema,
    variants: readonly Schema[],
    path: string,
  ): unknown {
    if (variants.every((variant) => variant.const !== undefined)) {
      const words = variants.map((variant) => variant.const);
      return this.words(node, words, schema, path);
    }
    const plain = variants.find(({ type }) => type === 'number');
    if (plain !== undefined) return this.numberOrGroup(node, plain, schema, variants, path);
    const kinds = variants.map((variant) => String(variant.properties?.['kind']?.const));
    if (!isMap(node)) {
      this.wrong(node, schema, path, `a group of fields with kind ${kinds.join(', ')}`);
      return;
    }
    const kindNode = this.source.resolve((node.get('kind', true) as Node | undefined) ?? null);
    const kind = isScalar(kindNode) ? String(kindNode.value) : undefined;
    const variant = variants[kind === undefined ? -1 : kinds.indexOf(kind)];
    if (variant !== undefined) return this.object(node, variant, path);
    const at = join(path, 'kind');
    if (kindNode !== null) {
      this.wrong(kindNode, schema, at, kinds.join(', '));
      return;
    }
    this.complain({
      code: 'BERTH_MISSING_FIELD',
      where: this.source.where(node),
      path: at,
      message: `${at} is missing; allowed: ${kinds.join(', ')}`,
    });
    return undefined;
  }

  /** A number, or a group of fields in its place. */
  private numberOrGroup(
    node: Node | null,
    plain: Schema,
    schema: Schema,
    variants: readonly Schema[],
    path: string,
  ): unknown {
    const group = variants.find(({ type }) => type === 'object');
    if (isMap(node) && group !== undefined) return this.object(node, group, path);
    if (isScalar(node)) return this.number(node, plain, path);
    this.wrong(node, schema, path, allowed(schema));
    return undefined;
  }

  private words(
    node: Node | null,
    words: readonly unknown[],
    schema: Schema,
    path: string,
  ): unknown {
    if (isScalar(node) && words.includes(node.value)) return node.value;
    this.wrong(node, schema, path, words.join(', '));
    return undefined;
  }

  private number(node: Node | null, schema: Schema, path: string): unknown {
    if (!isScalar(node)) {
      this.wrong(node, schema, path, allowed(schema));
      return;
    }
    let value = node.value;
    if (typeof value === 'string') {
      if (schema.unit === JOINT_UNITS && isJointValue(value)) return value;
      const result = readQuantity(value, schema.unit === JOINT_UNITS ? 'rad' : (schema.unit ?? ''));
      if (!result.ok) {
        this.wrong(node, schema, path, result.reason, undefined, 'BERTH_UNIT');
        return undefined;
      }
      value = result.value;
    }
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      this.wrong(node, schema, path, allowed(schema));
      return;
    }
    const inside =
      value >= (schema.minimum ?? -Infinity) &&
      value <= (schema.maximum ?? Infinity) &&
      value > (schema.exclusiveMinimum ?? -Infinity) &&
      value < (schema.exclusiveMaximum ?? Infinity) &&
      (schema.type !== 'integer' || Number.isInteger(value));
    if (inside) return value;
    this.wrong(node, schema, path, allowed(schema));
    return undefined;
  }

  private scalar(node: Node | null, schema: Schema, path: string): unknown {
    const value = isScalar(node) ? node.value : undefined;
    const fits =
      typeof value === schema.type &&
      (typeof value !== 'string' || value.length >= (schema.minLength ?? 0));
    if (fits) return value;
    this.wrong(node, schema, path, allowed(schema));
    return undefined;
  }

  private wrong(
    node: Node | null,
    schema: Schema,
    path: string,
    what: string,
    shown = schema.secret === true ? 'not shown' : showNode(node),
    code: ConfigIssue['code'] = 'BERTH_PARAMETER_RANGE',
  ): undefined {
    const subject = path === '' ? 'the file' : path;
    this.complain({
      code,
      where: this.source.where(node),
      path,
      message: `${subject} is ${shown}; allowed: ${what}`,
    });
    return undefined;
  }
}

/** Whether a text is an angle or a length. */
const isJointValue = (text: string): boolean =>
  readQuantity(text, 'rad').ok || readQuantity(text, 'm').ok;

/** Default of a schema; groups consist of the defaults of their fields. */
export function defaults(schema: Schema): unknown {
  if (schema.type !== 'object' || schema.properties === undefined) {
    return structuredClone(schema.default);
  }
  const result: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(schema.properties)) {
    if (child.default !== undefined) result[name] = defaults(child);
  }
  return result;
}

/** Allowed values of a schema, in words. */
export function allowed(schema: Schema): string {
  if (schema.anyOf !== undefined) {
    const [first, second] = schema.anyOf;
    if (first.type === 'number')
      return `${allowed(first)}, or a group of ${Object.keys(second.properties ?? {}).join(', ')}`;
    return schema.anyOf
      .map((one) => String(one.const ?? one.properties?.['kind']?.const))
      .join(', ');
  }
  if (schema.const !== undefined) return String(schema.const);
  switch (schema.type) {
    case 'object':
      return 'a group of fields';
    case 'array':
      return Array.isArray(schema.items)
        ? `a list of ${schema.items.length}, each ${allowed((schema.items as readonly Schema[])[0])}`
        : 'a list';
    case 'number':
    case 'integer': {
      const noun = schema.type === 'integer' ? 'a whole number' : 'a number';
      const suffix = schema.unit === undefined ? '' : ` in ${schema.unit} or with a unit`;
      return [noun + suffix, ...bounds(schema)].join(', ');
    }
    case 'boolean':
      return 'true or false';
    default:
      return schema.minLength === undefined
        ? 'text'
        : `text of ${schema.minLength} or more characters`;
  }
}

function bounds(schema: Schema): string[] {
  const unit = schema.unit === undefined ? '' : ` ${schema.unit}`;
  const parts: string[] = [];
  if (schema.exclusiveMinimum !== undefined) parts.push(`above ${schema.exclusiveMinimum}${unit}`);
  if (schema.minimum !== undefined) parts.push(`at least ${schema.minimum}${unit}`);
  if (schema.exclusiveMaximum !== undefined) parts.push(`below ${schema.exclusiveMaximum}${unit}`);
  if (schema.maximum !== undefined) parts.push(`at most ${schema.maximum}${unit}`);
  return parts;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Known names close to a mistyped one, closest first, at most three. */
export function nearest(name: string, known: readonly string[]): string[] {
  const limit = Math.max(2, Math.floor(name.length / 3));
  return known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(
      ({ candidate, distance }) =>
        distance <= limit || (name.length > 2 && candidate.startsWith(`${name}_`)),
    )
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}
