/**
 * Errors of the model in the words of its scenario file: with line and column, and with the names of the file. The model names its fields
 * without units (`contact NAME.normalLaw.smallVelocity`), the file with them (`contacts[0].normal_law.small_velocity_mps`).
 */
import { isMap, isSeq } from 'yaml';
import type { BerthError } from '../src/base/errors.ts';
import type { Scenario } from './scenario-schema.ts';
import { ConfigError, type YamlSource } from './yaml-source.ts';

type Path = readonly (string | number)[];

/** Adds to an error of the model the position of its field, and names it as the file does. */
export function located(source: YamlSource, scenario: Scenario, error: BerthError): ConfigError {
  const steps = modelPath(source, error.field ?? '');
  const path = filePath(scenario, steps);
  const field = inWords(path);
  return new ConfigError([
    {
      code: error.code,
      where: source.where(source.nodeAt(pathThatIsThere(source, path))),
      path: field,
      message: inFileNames(error.message, error.field ?? '', field),
    },
  ]);
}

const inWords = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^[.]/, '');

const snakeOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The name that a group of the file has for a field of the model: in snake case, with its unit; undefined for none. */
function keyOf(group: unknown, step: string): string | undefined {
  if (typeof group !== 'object' || group === null) return undefined;
  const snake = snakeOf(step);
  const keys = Object.keys(group);
  return keys.find((one) => one === snake) ?? keys.find((one) => one.startsWith(`${snake}_`));
}

/** Path of the file for steps of the model. What the scenario has no value of is in snake case. */
function filePath(scenario: Scenario, steps: readonly string[]): Path {
  const path: (string | number)[] = [];
  let value: unknown = scenario;
  for (const [depth, step] of steps.entries()) {
    if (Array.isArray(value)) {
      path.push(Number(step));
      value = (value as unknown[])[Number(step)];
      continue;
    }
    let key = keyOf(value, step);
    if (key === undefined && depth === 0) {
      key = keyOf(scenario.integration, step);
      if (key !== undefined) {
        path.push('integration');
        value = scenario.integration;
      }
    }
    path.push(key ?? snakeOf(step));
    value = key === undefined ? undefined : (value as Readonly<Record<string, unknown>>)[key];
  }
  return path;
}

/** As much of a path as the file has: a default has no place of its own. */
function pathThatIsThere(source: YamlSource, path: Path): (string | number)[] {
  const there: (string | number)[] = [];
  for (const step of path) {
    const node = source.nodeAt(there);
    const has = isSeq(node) || isMap(node) ? node.has(step) : false;
    if (!has) break;
    there.push(step);
  }
  return there;
}

/** A name of the model, and no part of the path of a file. */
const NAME_OF_MODEL =
  /(?<![/\\])\b[a-z]{2,}(?:[A-Z][a-z]+)+\b(?![\w.-]*[.](?:stl|obj|glb|gltf|field|json|yaml)\b)/g;

/** A sentence of the model with the names of the file; names in quotes are those of the user. */
function inFileNames(message: string, field: string, named: string): string {
  const sentence = field === '' ? message : message.replace(field, named);
  return sentence
    .replaceAll(/\bmotion (?=")/g, 'kind ')
    .replaceAll(/\bintegrator (?=[a-z\d-]+[, ])/g, 'integration.kind ')
    .split(/("[^"]*")/)
    .map((part) => (part.startsWith('"') ? part : part.replaceAll(NAME_OF_MODEL, snakeOf)))
    .join('');
}

/**
 * Path of a model's field in the file: `contact NAME.normalLaw.stiffness`, `body NAME.mass`, `link
 * NAME.mass` or `bodies[1].mass`.
 */
function modelPath(source: YamlSource, field: string): string[] {
  const chains = source.nodeAt(['chains']);
  const links = isSeq(chains) ? chains.items.map((_, i) => `chains.${i}.links`) : [];
  for (const [prefix, path] of [
    ['body ', 'bodies'],
    ['constraint ', 'constraints'],
    ['contact ', 'contacts'],
    ['grapple ', 'grapples'],
    ['tree ', 'chains'],
    ['tree ', 'trees'],
    ...links.map((list) => ['link ', list] as const),
  ] as const) {
    const list = path.split('.');
    const items = source.nodeAt(list.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
    if (!field.startsWith(prefix) || !isSeq(items)) continue;
    const rest = field.slice(prefix.length);
    for (const [i, item] of items.items.entries()) {
      const name = isMap(item) ? String(item.get('name')) : '';
      if (rest === name) return [...list, String(i)];
      if (rest.startsWith(`${name}.`)) {
        return [...list, String(i), ...stepsOf(rest.slice(name.length + 1))];
      }
    }
  }
  return stepsOf(field);
}

/** Names and indices of a path such as `cells[0].shape`. */
const stepsOf = (path: string): string[] => path.match(/[A-Za-z_]\w*|\d+/g) ?? [];
