/** `berth serve`: the loop, the emulated robot when asked for, the web face, and on the embedded settings a demo flight. */
import { randomBytes } from 'node:crypto';
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { armDoubts } from '../../config/arm-doubts.ts';
import { defaultSettingsFile, isGiven, loadSettings } from '../../config/load-settings.ts';
import { secretFileWarnings } from '../../config/secret-files.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { Settings } from '../../config/settings.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { startRuntime } from '../../hil/threads/runtime.ts';
import { usesTls } from '../../hil/access/tls.ts';
import { LOOP_MODES } from '../../hil/contract/codes.ts';
import { BerthError } from '../../src/base/errors.ts';
import { checkAddresses, isLoopback } from '../access/addresses.ts';
import { buildApp } from '../app.ts';
import { checkPace, costLines, holdsPace, longerPeriod, requirePace } from '../scenarios/pace.ts';
import { stepCosts, wholeCost } from '../scenarios/step-cost.ts';
import { trustWarnings } from '../access/peers.ts';
import { becomeTry, type ProfileName } from '../../config/profiles.ts';
import { listeningPort } from '../access/upgrade.ts';
import { readWhole } from './arguments.ts';
import { BerthChild } from './child.ts';
import { checkEmulatedArm } from './emulated-arm.ts';
import { endWithInput } from './end-with-input.ts';
import { askedProfile, lookAtMachine, tryNote } from './profile.ts';
import { placeRobot, ptyPath, startRobot } from './robot-child.ts';
import { untilSignal } from './until-signal.ts';

export const usage = `Usage: berth serve [SETTINGS.yaml] [options]

Runs the loop with its web face. Without a settings file the embedded default runs: the emulated
robot with the battery box, and a demo flight: the box is inserted, again and again.

  --config FILE             the same as SETTINGS.yaml
  --port N                  server.port (0: any free port)
  --mode MODE               ${LOOP_MODES.join(', ')}
  --scenario NAME           scenario to load
  --serial PATH             robot on a serial port; PATH "pty" puts the emulated robot on a pseudo terminal
  --no-emulate              do not start the emulated robot; mode simulation then runs without any
  --truth-file FILE         the emulated robot has a hidden truth of plate and force sensor, and writes it to FILE for later
                            (berth emulate --truth-file); with --seed N, another truth for each
  --payload-residual KG,X,Y,Z[,…]
                            hangs on its force sensor (berth emulate --payload-residual)
  --robot                   with these: wait for a robot all the same
  --no-fly, --demo          leave the demo flight out, or fly it with your own settings too;
                            a robot of your own is never flown by it; in virtual mode the demo
                            has energy.compensation model unless your settings choose another
  --profile NAME            full: 1 kHz; try: 4 ms and wider limits, for a busy machine; auto (default): try where a
                            look of a second says that the machine does not hold 1 kHz. Not with a settings file
                            or a robot of your own: these are never changed
  --slow                    where this machine is too slow for the scenario, lengthen loop.period_s and say so
                            (without it such a scenario is refused)
  --child                   end when standard input closes
  --allow-fault-injection   permit POST /api/faults`;

/** The demo stays on a plateau long enough for a visitor to look round, s; an insertion is flown again and again. */
const DEMO_HOLD_S = 86_400;
const DEMO_SEATED_S = 15;
/** Measurements of the step before a scenario is refused. */
const MEASUREMENTS = 3;
/** Name of the emulated robot among the children. */
const ROBOT = 'berth emulate';
/** Ten times the share of an ordinary thread where processors are short. */
const OPERATORS_NICE = -10;

/** Options of a command line. */
export interface Options {
  readonly settings: Settings;
  readonly demo: boolean;
  /** The demo compensates its delay by the model: the settings file chooses no compensation. */
  readonly compensateVirtual: boolean;
  readonly pty: boolean;
  /** Lengthen the period where the scenario needs it. */
  readonly slow: boolean;
  /** Profile of the embedded settings; null: the settings are those of a file. */
  readonly profile: ProfileName | 'auto' | null;
  /** Options of the emulated robot about its hidden truth. */
  readonly bench: readonly string[];
  /** End when standard input closes. */
  readonly child: boolean;
  /** Settings file. */
  readonly file: string;
}

/** Settings and flags of a command line. @throws BerthError */
export function readOptions(argv: string[]): Options {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      port: { type: 'string' },
      mode: { type: 'string' },
      scenario: { type: 'string' },
      serial: { type: 'string' },
      'no-emulate': { type: 'boolean', default: false },
      robot: { type: 'boolean', default: false },
      'no-fly': { type: 'boolean', default: false },
      demo: { type: 'boolean', default: false },
      slow: { type: 'boolean', default: false },
      profile: { type: 'string' },
      'truth-file': { type: 'string' },
      'payload-residual': { type: 'string' },
      seed: { type: 'string' },
      child: { type: 'boolean', default: false },
      'allow-fault-injection': { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 1 || (positionals.length === 1 && values.config !== undefined)) {
    throw new BerthError('BERTH_USAGE', 'At most one settings file can be given.');
  }
  const path = positionals.at(0) ?? values.config;
  const settings = structuredClone(loadSettings(path));
  if (values.port !== undefined) {
    const port = Number(values.port);
    if (values.port === '' || !Number.isInteger(port) || port < 0 || port > 65535) {
      const text = `--port must be a whole number from 0 to 65535, got "${values.port}".`;
      throw new BerthError('BERTH_USAGE', text, { field: 'server.port' });
    }
    settings.server.port = port;
  }
  if (values.mode !== undefined) {
    const mode = LOOP_MODES.find((name) => name === values.mode);
    if (mode === undefined) {
      const text = `--mode must be one of ${LOOP_MODES.join(', ')}, got "${values.mode}".`;
      throw new BerthError('BERTH_USAGE', text, { field: 'mode' });
    }
    settings.mode = mode;
  }
  if (values.scenario !== undefined) settings.scenario = values.scenario;
  const pty = values.serial === 'pty';
  if (values.serial !== undefined) {
    settings.robot.transport = 'serial';
    settings.robot.serial_path = values.serial;
    settings.robot.emulate = pty; // a real port has a real robot
  }
  if (values['no-emulate']) settings.robot.emulate = false;
  if (pty && !settings.robot.emulate) {
    throw new BerthError('BERTH_USAGE', '--serial pty needs the emulated robot.');
  }
  const asked =
    values.robot ||
    values.serial !== undefined ||
    (path !== undefined && isGiven(path, ['robot', 'transport']));
  if (settings.mode === 'simulation' && !settings.robot.emulate && !asked) {
    settings.robot.transport = 'none'; // the model needs no robot, and would wait for one for ever
  }
  if (values.robot && settings.robot.transport === 'none') {
    const text =
      '--robot waits for a robot, and robot.transport is none; name one: websocket or serial.';
    throw new BerthError('BERTH_USAGE', text, { field: 'robot.transport' });
  }
  if (settings.robot.transport === 'none') settings.robot.emulate = false;
  if (values['allow-fault-injection']) settings.allow_fault_injection = true;
  checkAddresses(settings);
  checkEmulatedArm(settings);
  const real = settings.robot.transport !== 'none' && !settings.robot.emulate;
  const { seed, 'truth-file': truth, 'payload-residual': payload } = values;
  if (seed !== undefined) readWhole('--seed', seed, 0, 0xffff_ffff);
  if ((truth ?? seed ?? payload) !== undefined && !settings.robot.emulate) {
    const text =
      '--truth-file, --payload-residual and --seed are of the emulated robot, and none is started here.';
    throw new BerthError('BERTH_USAGE', text, { field: '--truth-file' });
  }
  const profile = askedProfile(values.profile, path !== undefined, !real);
  if (profile === 'try') becomeTry(settings);
  if (values.demo && real) {
    const text = '--demo flies the emulated robot only; fly yours by hand or with berth fly.';
    throw new BerthError('BERTH_USAGE', text, { field: 'robot.emulate' });
  }
  const demo = !values['no-fly'] && (values.demo || (path === undefined && !real));
  checkOwnClients(settings, demo);
  const chosen = path !== undefined && isGiven(path, ['energy', 'compensation']);
  const compensateVirtual = demo && !chosen;
  return {
    settings,
    demo,
    compensateVirtual,
    pty,
    slow: values.slow,
    profile,
    bench: [
      ...(truth === undefined ? [] : ['--truth-file', truth]),
      ...(payload === undefined ? [] : ['--payload-residual', payload]),
      ...(seed === undefined ? [] : ['--seed', seed]),
    ],
    child: values.child,
    file: path ?? defaultSettingsFile(),
  };
}

/** The emulated robot and the demo have no certificate of their own. @throws BerthError */
function checkOwnClients({ server, robot }: Settings, demo: boolean): void {
  const why = 'is required; allowed with';
  if (robot.emulate && robot.transport === 'websocket' && asksForCertificate(robot.tls)) {
    const text = `robot.tls.client_certificates ${why} robot.emulate true: none, optional`;
    throw new BerthError('BERTH_MISMATCH', text, { field: 'robot.tls.client_certificates' });
  }
  if (demo && asksForCertificate(server.tls)) {
    const text = `server.tls.client_certificates ${why} the demo flight: none, optional; leave it out with --no-fly`;
    throw new BerthError('BERTH_MISMATCH', text, { field: 'server.tls.client_certificates' });
  }
}

const asksForCertificate = (tls: Settings['server']['tls']): boolean =>
  usesTls(tls) && tls.client_certificates === 'required';

function listenError(error: unknown, { host, port }: Settings['server']): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const field = { field: 'server.port', cause: error };
  if (code === 'EADDRINUSE') {
    const text = `server.port: ${port} on ${host} is in use; choose another with --port N (0: any free port)`;
    return new BerthError('BERTH_PORT_IN_USE', text, field);
  }
  if (code === 'EACCES') {
    const text = `server.port: ${port} on ${host} may not be opened by this user; choose one above 1023`;
    return new BerthError('BERTH_PORT_IN_USE', text, field);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    const text = `server.host: ${host} is not an address of this machine`;
    return new BerthError('BERTH_USAGE', text, { field: 'server.host', cause: error });
  }
  return error;
}

/**
 * SIGHUP: certificates, and the keys of the settings file; all else needs a start. What cannot be used is reported, and nothing
 * ends.
 */
async function readAgain(app: FastifyInstance, settings: Settings, file: string): Promise<void> {
  try {
    const fresh = loadSettings(file);
    for (const text of await app.reload(fresh)) app.log.info(text);
    for (const text of warningsOf(settings, file)) app.log.warn(text);
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    app.log.error(`settings read again: ${error.message}; nothing is changed`);
  }
}

const warningsOf = (settings: Settings, file: string): string[] => [
  ...secretFileWarnings(file, settings),
  ...trustWarnings(settings),
];

/**
 * This thread serves operators, whose input must not be older than its life, before ordinary programs of the machine. The loop and
 * the robot's link, which run already, have a class of their own. Where it is not granted it is one among others.
 */
function preferOperators(): void {
  try {
    setPriority(0, OPERATORS_NICE);
  } catch {
    // needs CAP_SYS_NICE, as the real-time class does; `berth doctor` checks that
  }
}

/** Refuses a scenario that this machine is too slow for, or lengthens the period. @throws BerthError */
function keepPace(settings: Settings, slow: boolean): void {
  const { loop, scenario } = settings;
  const { force_N } = settings.limits;
  const { period_s } = loop;
  let whole_s = Infinity;
  // the shortest of some: other work of the machine takes cache and clock rate, too
  for (let n = 0; n < MEASUREMENTS; n++) {
    whole_s = Math.min(whole_s, wholeCost(scenario, period_s, force_N));
    if (holdsPace({ whole_s, period_s })) return;
  }
  // the contacts by themselves are for the words
  const first = stepCosts(scenario, period_s, force_N, whole_s);
  let costs = first;
  // a longer period may take more sub-steps
  for (let longer = longerPeriod(costs); slow && longer !== null; longer = longerPeriod(costs)) {
    costs = stepCosts(scenario, longer, force_N);
    if (!holdsPace(costs)) continue;
    const text = `loop.period_s is ${longer * 1e3} ms in place of ${period_s * 1e3} ms (--slow)`;
    console.error(`berth: ${text}: ${costLines(first).join('; ')}`);
    loop.period_s = longer;
    return;
  }
  const how = slow
    ? 'No period up to 10 ms is long enough'
    : 'With --slow the period is lengthened; "berth check --time" tells more';
  requirePace(costs, how);
}

/** Run the command. */
export async function run(argv: string[]): Promise<number> {
  const options = readOptions(argv);
  const { settings, demo, compensateVirtual, pty, slow, bench, file, profile: asked } = options;
  const busy = asked === 'auto' ? await lookAtMachine(settings) : null;
  if (busy !== null) becomeTry(settings);
  const profile = asked === 'auto' ? (busy === null ? 'full' : 'try') : asked;
  keepPace(settings, slow);
  let reload = (): void => undefined;
  const signal = untilSignal(() => reload());
  if (options.child) endWithInput('SIGTERM');
  const children: BerthChild[] = [];
  // proves the emulated robot of this run; no other process has it
  const runKey = settings.robot.emulate ? randomBytes(24).toString('base64url') : '';
  let stopping = false;
  let runtime: Runtime | null = null;
  let closeApp = (): Promise<void> => Promise.resolve();
  let noteStrayError: (error: unknown) => void = () => undefined;
  try {
    if (pty) {
      const robot = startRobot(settings, ['--pty'], bench, runKey);
      children.push(robot);
      settings.robot.serial_path = await ptyPath(robot);
    }
    // a service that cannot listen reports that, and not what it had begun
    const early = [...warningsOf(settings, file), ...armDoubts(loadScenario(settings.scenario))];
    if (busy !== null) early.unshift(tryNote(busy));
    let report: ((note: string) => void) | null = null;
    const onNote = (note: string): void => {
      if (report === null) early.push(note);
      else report(note);
    };
    runtime = await startRuntime(settings, {
      onNote,
      runKey,
      // the delay of 4 ms creates energy in a contact, with the demo and without it
      compensateVirtual: compensateVirtual || profile === 'try',
    });
    preferOperators();
    const app = await buildApp({
      settings,
      runtime,
      ...(profile === null ? {} : { profile }),
      loadHelp: {
        checkPace: (scenario) =>
          checkPace(scenario, settings.loop.period_s, settings.limits.force_N),
        placeRobot: async (scenario) => {
          const robot = children.find(({ name }) => name === ROBOT);
          if (robot !== undefined) await placeRobot(robot, scenario);
        },
      },
    });
    closeApp = () => app.close();
    reload = () => void readAgain(app, settings, file);
    await app
      .listen({ host: settings.server.host, port: settings.server.port })
      .catch((error: unknown) => {
        throw listenError(error, settings.server);
      });
    report = (note) => app.log.warn(note);
    early.forEach(report);
    if (settings.robot.emulate && !pty) {
      children.push(startRobot(settings, ['--ws', runtime.robotAddress], bench, runKey));
    }
    const host = isLoopback(settings.server.host) ? 'localhost' : settings.server.host;
    const port = listeningPort(app);
    const robot = runtime.robotAddress === '' ? 'no robot' : `robot at ${runtime.robotAddress}`;
    console.log(`Berth runs ${runtime.scenario} in ${runtime.mode} mode, ${robot}`);
    if (profile === 'try')
      console.log(
        `  profile try   ${settings.loop.period_s * 1e3} ms period and wider limits, for a busy machine`,
      );
    const scheme = usesTls(settings.server.tls) ? 'https' : 'http';
    const address = `${scheme}://${host}:${port}`;
    console.log(`  console       ${address}/`);
    console.log(`  metrics, API  ${address}/metrics  ${address}/openapi.json`);
    console.log(
      demo
        ? '  A demo flight starts now; leave it out with --no-fly. Ctrl-C stops everything.'
        : `  Fly it with: berth fly --url ${address}   Ctrl-C stops everything.`,
    );
    if (settings.allow_fault_injection) console.log('  FAULT INJECTION IS ON');
    if (demo) children.push(startDemo(settings, `${scheme}://127.0.0.1:${port}`));
    for (const child of children) {
      void child.ended.then((code) => {
        if (code !== 0 && !stopping) app.log.error({ code }, `${child.name} ended`);
      });
    }
    // a running loop must not end because of an error in the thread of its pages and sockets
    noteStrayError = (err) => app.log.error({ err }, 'error outside the loop, which runs on');
    process.on('uncaughtException', noteStrayError);
    await signal;
    stopping = true;
    console.log('berth: stopping');
    return 0;
  } finally {
    // The robot must still be there when the category-1 stop is sent; the rest need not wait for it.
    const robots = children.filter(({ name }) => name === ROBOT);
    const others = children.filter((child) => !robots.includes(child));
    await Promise.all([runtime?.close(), closeApp(), ...others.map((child) => child.end())]);
    await Promise.all(robots.map((child) => child.end()));
    process.off('uncaughtException', noteStrayError);
  }
}

function startDemo(settings: Settings, url: string): BerthChild {
  const { operator, supervisor } = settings.server.keys;
  const inserts = loadScenario(settings.scenario).insertion !== undefined;
  const stay = inserts
    ? ['--hold', String(DEMO_SEATED_S), '--repeat']
    : ['--hold', String(DEMO_HOLD_S)];
  const { certificate } = settings.server.tls;
  const trust = certificate === '' ? [] : ['--ca', certificate];
  const emulated = settings.robot.emulate ? ['--emulated'] : []; // without it there is no robot at all
  const flight = new BerthChild(
    'fly',
    ['--url', url, ...trust, ...stay, '--persist', '--yield', ...emulated],
    {
      BERTH_KEY: operator ?? supervisor ?? '',
    },
  );
  flight.lines.on('line', (line) => console.log(line));
  return flight;
}
