/**
 * JSON Schema of the input files for editors: a quantity is a number or a text with a unit, and a
 * field with a default is optional. The committed files in `config/schema/` are the output of this
 * module.
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
      { $schema: 'https://json-schema.org/draft/2020-12/schema', ...asWritten(schema as Schema) },
      null,
      2,
    )}\n`,
  }));
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
