/**
 * JSON Schema of the input files for editors: a quantity is a number or a text with a unit, and a
 * field with a default is optional. What occurs again, as a placement or a list of shapes, stands once, under `$defs`. The committed files in
 * `config/schema/` are the output of this module.
 */
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { FlightSchema } from './flight-schema.ts';
import { packageRoot } from './paths.ts';
import type { Schema } from './read.ts';
import { RobotSchema } from './robot-schema.ts';
import { ScenarioSchema } from './scenario-schema.ts';
import { SettingsSchema } from './settings.ts';
import { StudySchema } from './study-schema.ts';

/** Every exported schema: file name and text. */
export function jsonSchemaFiles(): { readonly file: string; readonly text: string }[] {
  const schemas: readonly { readonly name: string; readonly schema: TSchema }[] = [
    { name: 'settings', schema: SettingsSchema },
    { name: 'scenario', schema: ScenarioSchema },
    { name: 'robot', schema: RobotSchema },
    { name: 'flight', schema: FlightSchema },
    { name: 'study', schema: StudySchema },
  ];
  return schemas.map(({ name, schema }) => ({
    file: join(packageRoot(), 'config', 'schema', `${name}.schema.json`),
    text: `${JSON.stringify(
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...withParts(asWritten(schema as Schema)),
      },
      null,
      2,
    )}\n`,
  }));
}

/** Least characters of a part that stands under `$defs`. */
const LEAST_PART = 200;
/** Keys whose values are schemas: one, a list, or one for each name. */
const CHILDREN = new Set(['anyOf', 'items', 'prefixItems', 'properties']);

type Written = Record<string, unknown>;

/** The same with parts that occur again as references, numbered in the order of their use. */
function withParts(schema: Written): Written {
  const counts = new Map<string, number>();
  const count = (part: Written): void => {
    const text = JSON.stringify(part);
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    if (before === 0) childrenOf(part).forEach(count);
  };
  childrenOf(schema).forEach(count);
  const names = new Map<string, string>();
  const parts: Written = {};
  const shared = (part: Written): Written => {
    const text = JSON.stringify(part);
    if (text.length < LEAST_PART || (counts.get(text) ?? 0) < 2) return withChildren(part, shared);
    let name = names.get(text);
    if (name === undefined) {
      name = `part-${names.size + 1}`;
      names.set(text, name);
      parts[name] = null; // its place is that of its first use
      parts[name] = withChildren(part, shared);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const whole = withChildren(schema, shared);
  return names.size > 0 ? { ...whole, $defs: parts } : whole;
}

const isSchema = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function childrenOf(schema: Written): Written[] {
  const children: Written[] = [];
  withChildren(schema, (child) => {
    children.push(child);
    return child;
  });
  return children;
}

/** A copy with every child as `change` gives it. */
function withChildren(schema: Written, change: (child: Written) => Written): Written {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (!CHILDREN.has(key)) return [key, value];
      if (Array.isArray(value))
        return [key, value.map((child: unknown) => (isSchema(child) ? change(child) : child))];
      if (!isSchema(value)) return [key, value];
      if (key !== 'properties') return [key, change(value)];
      const named = Object.entries(value).map(([name, child]) => [
        name,
        isSchema(child) ? change(child) : child,
      ]);
      return [key, Object.fromEntries(named)];
    }),
  );
}

function asWritten(schema: Schema): Record<string, unknown> {
  const { unit, secret, required, properties, items, anyOf, description, ...rest } = schema;
  const result: Record<string, unknown> = { ...rest };
  if (secret === true) result['writeOnly'] = true;
  const note = [description, unit === undefined ? undefined : `Unit: ${unit}.`]
    .filter((text) => text !== undefined)
    .join(' ');
  if (note !== '') result['description'] = note;
  if (anyOf !== undefined) result['anyOf'] = anyOf.map(asWritten);
  if (properties !== undefined) {
    result['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, child]) => [name, asWritten(child)]),
    );
    const needed = (required ?? []).filter((name) => properties[name]?.default === undefined);
    if (needed.length > 0) result['required'] = needed;
  }
  if (Array.isArray(items)) {
    // draft 2020-12 writes a list of fixed length as `prefixItems`
    result['prefixItems'] = (items as readonly Schema[]).map(asWritten);
    result['items'] = false;
    delete result['additionalItems'];
  } else if (items !== undefined) {
    result['items'] = asWritten(items as Schema);
  }
  if (unit !== undefined) result['type'] = ['number', 'string'];
  return result;
}
