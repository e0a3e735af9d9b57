/** `berth check`: is this settings, scenario, robot or flight file usable, and if not, where is it wrong? */
import { parseArgs } from 'node:util';
import { isMap, isScalar } from 'yaml';
import { MOST_TEXT_BYTES, fileErrorWords, readInput } from '../../config/input-file.ts';
import { armDoubts } from '../../config/arm-doubts.ts';
import { lawDoubts } from '../../config/law-doubts.ts';
import { pieceDoubts } from '../../config/piece-doubts.ts';
import { startDoubts } from '../../config/start-doubts.ts';
import { loadFlight } from '../../config/flight.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { secretFileWarnings } from '../../config/secret-files.ts';
import { MOST_URDF_BYTES } from '../../config/urdf-robot.ts';
import { loadRobot } from '../../config/robot.ts';
import { loadScenario, shownPath } from '../../config/scenario.ts';
import { ConfigError, YamlSource } from '../../config/yaml-source.ts';
import { compileScenario } from '../../config/compile.ts';
import { BERTH_ERRORS, BerthError } from '../../src/base/errors.ts';
import { makeSystem } from '../../src/system/system.ts';
import { checkSettings } from '../../hil/threads/check-settings.ts';
import { readTls } from '../../hil/access/tls.ts';
import { checkAddresses } from '../access/addresses.ts';
import { Peers, trustWarnings } from '../access/peers.ts';
import { checkAuditFile } from '../audit/audit-place.ts';
import { costLines, requirePace } from '../scenarios/pace.ts';
import { stepCosts } from '../scenarios/step-cost.ts';
import { checkEmulatedArm } from './emulated-arm.ts';
import { type Identified, identifiedDoubts, readIdentified } from './identify/identified.ts';
import { mergeWords } from './merge-words.ts';
import { meshWords } from './mesh-words.ts';
import { overlapWords } from './overlap-words.ts';

export const usage = `Usage: berth check [--time] [--period MS] [--identified FILE]… FILE…

Checks settings, scenario, robot (YAML or URDF) and flight files: fields, units, ranges and physics. Prints every complaint with
file, line and column and ends with exit code 2 when there is one.

  --time         of scenarios and settings: time a step on this machine, contact by contact, where each is dearest, against the
                 period; exit code 2 when the scenario does not hold it
  --period MS    period of the loop for scenario files, 0.5 to 10 (default 1; settings have their own)
  --identified FILE
                 of scenarios: run it, and warn of contacts whose parameters are not those that "berth identify -o FILE" found,
                 or that leave the forces, depths and speeds of its data; may be repeated`;

/** Runs the command. @returns exit code */
export function run(argv: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      time: { type: 'boolean', default: false },
      period: { type: 'string' },
      identified: { type: 'string', multiple: true, default: [] },
    },
  });
  const timing: Timing = {
    asked: values.time,
    period_s: periodOf(values.period),
    force_N: loadSettings().limits.force_N,
    identified: values.identified.map(readIdentified),
  };
  if (positionals.length === 0) throw new BerthError('BERTH_USAGE', 'expected a FILE to check');
  let code = 0;
  for (const file of positionals) {
    try {
      console.log(`${shownPath(file)}: ${checkFile(file, timing)}`);
    } catch (error) {
      const words = fileErrorWords(error); // a file that vanished meanwhile
      if (!(error instanceof BerthError) && words === null) throw error;
      const kind = error instanceof BerthError ? error.code : 'BERTH_MISSING_FILE';
      code = BERTH_ERRORS[kind].exit;
      const lines =
        error instanceof ConfigError
          ? error.issues.map((issue) => `${issue.where}: ${issue.message}`)
          : [words ?? (error as Error).message];
      for (const line of lines) console.error(line);
    }
  }
  return Promise.resolve(code);
}

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** A URDF file or one with `links` is a robot, one with `bodies` a scenario, one with `steps` a flight, any other one holds settings. */
function checkFile(file: string, timing: Timing): string {
  const isUrdf = /[.]urdf$/i.test(file);
  const text = readInput(file, 'FILE', isUrdf ? MOST_URDF_BYTES : MOST_TEXT_BYTES).toString();
  if (isUrdf) return robotWords(file);
  const { root } = new YamlSource(shownPath(file), text);
  // settings have a group of that name
  const named = isMap(root) && isScalar(root.get('robot', true));
  if (named || (isMap(root) && root.has('links'))) return robotWords(file);
  if (isMap(root) && root.has('steps')) return flightWords(file);
  if (isMap(root) && (root.has('bodies') || root.has('contacts') || root.has('title'))) {
    const scenario = loadScenario(/[/\\]/.test(file) ? file : `./${file}`);
    const { bodies, contacts } = scenario;
    const doubts = [...armDoubts(scenario), ...pieceDoubts(scenario), ...lawDoubts(scenario)];
    const model = compileScenario(scenario);
    const system = makeSystem(model);
    doubts.push(...startDoubts(scenario, system));
    doubts.push(...identifiedDoubts(timing.identified, scenario, model));
    for (const text of doubts) console.error(`warning: ${text}`);
    const overlaps = overlapWords(system);
    const meshes = meshWords(scenario, timing.period_s);
    if (timing.asked && meshes.doubts.length > 0) {
      throw new BerthError('BERTH_TOO_SLOW', meshes.doubts.join('\n'), { field: 'contacts' });
    }
    for (const text of meshes.doubts) console.error(`warning: ${text}`);
    const links = (model.trees ?? []).reduce((sum, tree) => sum + tree.links.length, 0);
    const counts = [
      counted(bodies.length, 'body', 'bodies'),
      ...(links > 0 ? [counted(links, 'link', 'links')] : []),
      counted(contacts.length, 'contact', 'contacts'),
    ].join(', ');
    const facts = [counts, ...mergeWords(scenario), ...overlaps, ...meshes.facts];
    const words = `scenario ${scenario.name} is usable: ${facts.join('; ')}`;
    return words + timeWords(/[/\\]/.test(file) ? file : `./${file}`, timing);
  }
  const settings = loadSettings(file);
  checkAddresses(settings);
  readTls('server.tls', settings.server.tls);
  readTls('robot.tls', settings.robot.tls);
  checkSettings(settings);
  checkEmulatedArm(settings);
  checkAuditFile(settings);
  new Peers(settings); // refuses what is no address
  const warnings = [...secretFileWarnings(file, settings), ...trustWarnings(settings)];
  for (const text of warnings) console.error(`warning: ${text}`);
  const words = `settings are usable: scenario ${settings.scenario}, mode ${settings.mode}`;
  return (
    words +
    timeWords(settings.scenario, {
      ...timing,
      period_s: settings.loop.period_s,
      force_N: settings.limits.force_N,
    })
  );
}

/** Whether steps are timed, and against which period; what was identified. */
interface Timing {
  readonly identified: readonly Identified[];
  readonly asked: boolean;
  readonly period_s: number;
  readonly force_N: number;
}

function periodOf(text: string | undefined): number {
  const period_ms = text === undefined ? 1 : Number(text);
  if (text !== '' && period_ms >= 0.5 && period_ms <= 10) return period_ms * 1e-3;
  const words = `Expected --period to be a number from 0.5 to 10, got "${text}"`;
  throw new BerthError('BERTH_USAGE', words, { field: 'period' });
}

/** Lines about the time of a step; none without --time. @throws BerthError where the period is not held */
function timeWords(scenario: string, { asked, period_s, force_N }: Timing): string {
  if (!asked) return '';
  const costs = stepCosts(scenario, period_s, force_N);
  requirePace(costs, 'berth serve --slow lengthens the period');
  return costLines(costs)
    .map((line) => `\n  ${line}`)
    .join('');
}

function robotWords(file: string): string {
  const { name, model, joints } = loadRobot(/[/\\]/.test(file) ? file : `./${file}`);
  const mass = model.links.reduce((sum, link) => sum + link.mass, 0);
  const frames = model.frames.map((frame) => frame.name).join(', ');
  const facts = [
    `${model.links.length} links`,
    `joints ${joints.map((joint) => joint.name).join(', ') || 'none'}`,
    `frames ${frames || 'none'}`,
    `${Number(mass.toPrecision(6))} kg`,
  ];
  return `robot ${name} is usable: ${facts.join('; ')}`;
}

function flightWords(file: string): string {
  const { name, scenario, steps } = loadFlight(/[/\\]/.test(file) ? file : `./${file}`);
  const goal = steps.find((step) => step.goal);
  const facts = [
    `steps ${steps.map((step) => step.name).join(', ')}`,
    `goal ${goal === undefined ? 'the end of the last one' : goal.name}`,
    ...(scenario === null ? [] : [`for scenario ${scenario}`]),
  ];
  return `flight ${name} is usable: ${facts.join('; ')}`;
}
