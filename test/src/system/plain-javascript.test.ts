/**
 * Wrong models as plain JavaScript makes them: every field of the models of all samples of pairs and laws and of scenarios with trees
 * and arms is left out, and replaced by each other type. It is refused by one BerthError that names the field and what was got, or the
 * field is in the list of those that may be so.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { checkModel, Random, type SystemModel } from '../../../src/index.ts';
import { combinations, randomScene } from '../../fixtures/samples.ts';

type Path = readonly (string | number)[];
type Holder = Record<string | number, unknown>;

const WRONG: readonly (readonly [string, unknown])[] = [
  ['left out', undefined],
  ['null', null],
  ['NaN', NaN],
  ['text', '5'],
  ['an object', {}],
  ['a list', []],
  ['true', true],
  ['a function', () => 5],
];

/** Fields that may be left out. */
const OPTIONAL =
  /[.](trees|cells|embedded|rollingLaw|relativeTolerance|absoluteTolerance|locateEvents|robot|beam|drive|spring|springs|friction|lower|upper|rateLimit|orbit|sway|axes|control|deflection|deflectionRate|centrifugalStiffening|damping|allowTension|method|normal|maximumPairs|relativeError|sharedImpactSpeed|spinScale|smoothing|contactRadius|extraCells)$/;
/** Fields that null is a value of, as the type of the model says. */
const NULLABLE = /[.](tool|robot[.].*[.]stiffness|path|correction|target)$/;
/** Of a body that no force moves: not read. */
const UNREAD = /[.]bodies\[\]\((fixed|prescribed|accommodated)\)[.](mass|inertia|rotationLocked)/;

/** Every field, named so that it comes once however many bodies, contacts and joints of its kind have it. */
function* fields(value: unknown, path: Path = [], name = ''): Generator<[Path, string]> {
  if (typeof value !== 'object' || value === null) return;
  if (ArrayBuffer.isView(value)) return; // its numbers can be of no other type
  const { kind, motion, law } = value as Holder;
  const variant = kind ?? motion ?? law;
  const here = typeof variant === 'string' ? `${name}(${variant})` : name;
  for (const [key, part] of Object.entries(value)) {
    const list = Array.isArray(value);
    const at = [...path, list ? Number(key) : key];
    const own = list ? `${name}[]` : `${here}.${key}`;
    yield [at, own];
    yield* fields(part, at, own);
  }
}

function at(model: SystemModel, path: Path): unknown {
  return path.reduce<unknown>((part, key) => (part as Holder)[key], model);
}

function replaced(model: SystemModel, path: Path, value: unknown): SystemModel {
  const copy = structuredClone(model);
  const holder = at(copy, path.slice(0, -1)) as Holder;
  const last = path[path.length - 1];
  if (value === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, last);
  else holder[last] = value;
  return copy;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return Number.isNaN(value) ? 'NaN' : typeof value;
}

/** What `checkModel` says: null when it accepts, the message of its BerthError, or why that is not one. */
function refusal(model: SystemModel): string | null {
  try {
    checkModel(model);
    return null;
  } catch (error) {
    if (!(error instanceof BerthError)) return `no BerthError: ${String(error)}`;
    if (error.field === null) return `no field: ${error.message}`;
    return /^Expected .*, got ./.test(error.message) ? error.message : `unclear: ${error.message}`;
  }
}

/** Tries every field that `seen` does not have yet. @returns what went wrong, and how many were tried */
function tryAll(models: readonly SystemModel[], seen: Set<string>): [string[], number] {
  const faults: string[] = [];
  let count = 0;
  for (const model of models) {
    for (const [path, name] of fields(model)) {
      if (seen.has(name) || UNREAD.test(name)) continue;
      seen.add(name);
      const right = at(model, path);
      for (const [what, wrong] of WRONG) {
        if (typeOf(wrong) === typeOf(right)) continue;
        if (wrong === undefined && OPTIONAL.test(name)) continue;
        if (wrong === null && NULLABLE.test(name)) continue;
        const said = refusal(replaced(model, path, wrong));
        count++;
        if (said === null) faults.push(`${name}: ${what} is accepted`);
        else if (!said.startsWith('Expected ')) faults.push(`${name}: ${what}: ${said}`);
      }
    }
  }
  return [faults, count];
}

const SCENE = { integrator: 'implicit-contact', approach: 0.5, gravity: 9.81, gap: 1e-4 } as const;
/** Scenarios that together have a tool, springs, cells, trees, and arms under different laws. */
const SCENARIOS = [
  'canadarm-berthing',
  'ball-in-cylinder-volumetric',
  'double-pendulum',
  'free-mass-on-spring',
  'free-flyer-capture',
  'kim-planar-controlled-contact',
];

test('every field of pairs and laws, left out or of another type, is refused by its name', (t) => {
  const random = new Random(19);
  const models = combinations()
    .filter(({ missing }) => missing.length === 0)
    .map((one) => randomScene(one, random, { ...SCENE, freeJ: true }));
  const [faults, count] = tryAll(models, new Set());
  assert.deepEqual(faults, []);
  assert.ok(count > 1000, `${count} tried`);
  t.diagnostic(`${count} wrong values refused`);
});

/** To look at the cells of an arm's bodies takes a hundred times as long as all else; other scenarios have some. */
function withoutCells(model: SystemModel): SystemModel {
  return {
    ...model,
    bodies: model.bodies.map((one) => ({ ...one, cells: [] })),
    contacts: model.contacts.filter(({ pair }) => pair.kind !== 'volumetric'),
  };
}

test('so is every field of bodies, trees, tools and arms of scenarios', (t) => {
  const seen = new Set<string>();
  let sum = 0;
  for (const name of SCENARIOS) {
    const model = compileScenario(loadScenario(name));
    const [faults, count] = tryAll([model.tool === null ? model : withoutCells(model)], seen);
    assert.deepEqual(faults, [], name);
    sum += count;
  }
  assert.ok(sum > 1000, `${sum} tried`);
  t.diagnostic(`${sum} wrong values refused`);
});

test('what is no model at all is refused as the model', () => {
  for (const [what, wrong] of WRONG.filter(([, value]) => typeOf(value) !== 'object')) {
    const said = refusal(wrong as SystemModel);
    assert.ok(
      said?.startsWith('Expected model to be an object, got ') === true,
      `${what}: ${said}`,
    );
  }
});
