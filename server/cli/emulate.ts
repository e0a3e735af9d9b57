/** `berth emulate`: the emulated ground robot as a process of its own. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { compileScenario } from '../../config/compile.ts';
import { inertiaFault } from '../../config/robot-checks.ts';
import { loadScenario } from '../../config/scenario.ts';
import { drawTruth, inTruth } from '../../hil/emulator/bench-truth.ts';
import { FORCE_DELAY_MOST_S } from '../../hil/emulator/force-delay.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_NOISE,
  type EmulatorOptions,
  type Impairment,
  scaleNoise,
} from '../../hil/emulator/options.ts';
import { runEmulator } from '../../hil/emulator/process.ts';
import type { EmulatorPlace, EmulatorTransport } from '../../hil/emulator/process-options.ts';
import type { PayloadResidual } from '../../hil/emulator/residual-payload.ts';
import { STREAM_DELAY_MOST_S } from '../../hil/emulator/setpoint-stream.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { tlsOptions } from '../client/node-tls.ts';
import { numbersOf } from './arguments.ts';
import { emulatedArm } from './emulated-arm.ts';
import { readTrust, TRUST_OPTIONS } from './trust.ts';

export const usage = `berth emulate [--ws URL | --serial PATH | --pty] [options]

  A ground robot without hardware: follows set-points, measures its pose and the force on its tool,
  and stops by itself when set-points stop. Ends on SIGTERM or SIGINT with exit code 0.

  --ws URL          WebSocket of the loop (default ws://127.0.0.1:7411/robot; wss:// with TLS); reconnects for ever
  --ca FILE         what is trusted of a wss:// loop, PEM: a root, or its own certificate (default: the system's roots)
  --certificate FILE, --certificate-key FILE
                    certificate of this robot and its key, where robot.tls.client_certificates asks for one
  --serial PATH     serial port, with --baud N (default 2000000)
  --pty             make a pseudo terminal and print its path (needs the optional package koffi)
  --protocol P      binary or msgpack, WebSocket only (default binary)
  --key K           pre-shared key of the robot link (or the environment variable BERTH_ROBOT_KEY)
  --scenario S      start pose, and the geometry of the wall (default battery-box-insertion)
  --wall W          what the tool touches: half-sphere (the contacts of the scenario) or none (default half-sphere)
  --tracking T      second-order (an arm) or ideal (a pure delay, without dynamics or limits; default second-order)
  --arm R           six joints that carry the tool: name or file of a robot (default smt-class), or none
  --bandwidth HZ    natural frequency of set-point tracking, 0.1 to 500 (default 50)
  --damping Z       damping ratio of it, 0.1 to 10 (default 1)
  --delay MS        from receiving to applying a set-point, 0 to 50, ideal to 200 (default 1)
  --force-delay MS  age of the force when it is measured, 0 to 50 (default 0)
  --force-age MS    age that is told of it, 0 to 50 (default the truth)
  --period MS       cycle of the controller, 0.5 to 10 (default 1)
  --noise F         factor on all measurement noise, 0 for an exact robot (default 1)
  --loss R          share of frames lost in each direction, 0 to 1 (default 0)
  --duplicate R     share delivered twice
  --reorder R       share overtaken by later ones, by up to 50 ms
  --latency MS      added to every frame in each direction, 0 to 200; --jitter MS adds up to that much more
  --truth-file FILE draw what is wrong with the bench from the seed, height, tilt and stiffness of the plate, bias, gain and filter of
                    the force sensor, a residual payload, and write it to FILE (YAML) for a comparison with what "berth identify" finds
  --payload-residual KG,X,Y,Z[,XX,YY,ZZ,XY,XZ,YZ]
                    hangs on the force sensor, and the bench does not compensate it: mass, centre from the tool point, m, inertia
                    about the centre, kg m² (default 0), in the frame of the tool; in place of that of --truth-file
  --seed N          of all random numbers (default 1)
  --priority P      SCHED_FIFO priority to ask for, 0 to 90 (default 60; 0 asks for none)
  --child           end when standard input closes; a line {"scenario": S} there puts the robot where S begins
  --quiet           no status lines`;

/** Longest delay of an arm that follows: what it has received and not yet applied. */
const DELAY_MOST_S = 0.05;

function number(
  values: Partial<Record<string, string | boolean>>,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number {
  const text = values[name];
  if (text === undefined) return fallback;
  const value = Number(text);
  if (text !== '' && value >= least && value <= most) return value;
  throw new BerthError(
    'BERTH_USAGE',
    `--${name} must be a number from ${least} to ${most}, got "${text}"`,
    { field: name },
  );
}

function choice<T extends string>(text: string, name: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found !== undefined) return found;
  throw new BerthError(
    'BERTH_USAGE',
    `--${name} must be one of ${allowed.join(', ')}, got "${text}"`,
    { field: name },
  );
}

function parse(argv: string[]) {
  return parseArgs({
    args: argv,
    options: {
      ws: { type: 'string' },
      serial: { type: 'string' },
      pty: { type: 'boolean', default: false },
      baud: { type: 'string' },
      protocol: { type: 'string', default: 'binary' },
      key: { type: 'string' },
      ...TRUST_OPTIONS,
      scenario: { type: 'string', default: 'battery-box-insertion' },
      wall: { type: 'string', default: 'half-sphere' },
      tracking: { type: 'string', default: 'second-order' },
      arm: { type: 'string', default: 'smt-class' },
      bandwidth: { type: 'string' },
      damping: { type: 'string' },
      delay: { type: 'string' },
      'force-delay': { type: 'string' },
      'force-age': { type: 'string' },
      period: { type: 'string' },
      noise: { type: 'string' },
      loss: { type: 'string' },
      duplicate: { type: 'string' },
      reorder: { type: 'string' },
      latency: { type: 'string' },
      jitter: { type: 'string' },
      'truth-file': { type: 'string' },
      'payload-residual': { type: 'string' },
      seed: { type: 'string' },
      priority: { type: 'string' },
      child: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
    },
  }).values;
}

type Values = ReturnType<typeof parse>;

function transportOf(values: Values): EmulatorTransport {
  const named = [values.ws !== undefined, values.serial !== undefined, values.pty];
  if (named.filter(Boolean).length > 1) {
    throw new BerthError(
      'BERTH_USAGE',
      '--ws, --serial and --pty exclude each other; give one of them',
    );
  }
  const protocol = choice(values.protocol, 'protocol', ['binary', 'msgpack'] as const);
  if (values.pty) return { kind: 'pty' };
  if (values.serial !== undefined) {
    const baud = number(values, 'baud', 2_000_000, 9600, 12_000_000);
    return { kind: 'serial', path: values.serial, baud };
  }
  const url = values.ws ?? 'ws://127.0.0.1:7411/robot';
  if (!/^wss?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new BerthError('BERTH_USAGE', `--ws must be a ws:// or wss:// address, got "${url}"`, {
      field: 'ws',
    });
  }
  const trust = readTrust(values);
  const tls = trust === undefined ? {} : tlsOptions(trust);
  return { kind: 'websocket', url, protocol, tls };
}

const seedOf = (values: Values): number => number(values, 'seed', 1, 0, 0xffff_ffff);

/** The tool's body at the start of a scenario, and what the wall is made of. */
function placeOf(values: Values, scenario: string): EmulatorPlace {
  const wall = choice(values.wall, 'wall', ['half-sphere', 'none'] as const);
  const model: SystemModel = compileScenario(loadScenario(scenario));
  const payload = model.tool?.payload;
  const body = model.bodies.find((one) => one.name === payload);
  // a scenario without a tool moves nothing: the robot stands at the origin and only answers
  if (payload === undefined || body === undefined) {
    return { position: [0, 0, 0], orientation: [0, 0, 0, 1], wall: null };
  }
  return {
    position: body.position,
    orientation: body.orientation,
    wall: wall === 'none' ? null : { ...wallOf(values, model), payload },
  };
}

/** The wall where it is in truth, and how much it yields. */
function wallOf(
  values: Values,
  model: SystemModel,
): Omit<NonNullable<EmulatorPlace['wall']>, 'payload'> {
  if (values['truth-file'] === undefined) return { model };
  const truth = drawTruth(seedOf(values));
  return { model: inTruth(model, truth), plateStiffness: truth.plate_stiffness_N_per_m };
}

/** What hangs on the sensor. @throws BerthError for what is no body */
function payloadOf(text: string): PayloadResidual {
  const values = numbersOf(text);
  const [mass_kg, x, y, z, ...moments] = values;
  const inertia = moments.length === 0 ? [0, 0, 0, 0, 0, 0] : moments;
  const refused = (why: string): BerthError =>
    new BerthError('BERTH_USAGE', `--payload-residual ${why}, got "${text}"`, {
      field: 'payload-residual',
    });
  if (!values.every(Number.isFinite) || values.length < 4 || inertia.length !== 6)
    throw refused('must be 4 or 10 numbers: kg, three in m, six in kg m²');
  if (!(mass_kg > 0)) throw refused('must have a mass above 0');
  const fault = inertiaFault(inertia);
  if (fault !== null) throw refused(fault);
  const [xx, yy, zz, xy, xz, yz] = inertia;
  return { mass_kg, center_m: [x, y, z], inertia_kgm2: [xx, yy, zz, xy, xz, yz] };
}

/** Errors of the force sensor, and what hangs on it; the truth is written where it is asked for. */
function sensorOf(values: Values): Pick<EmulatorOptions, 'sensor' | 'payload'> {
  const { 'truth-file': file, 'payload-residual': residual } = values;
  const given = residual === undefined ? null : payloadOf(residual);
  if (file === undefined) return { sensor: null, payload: given };
  const drawn = drawTruth(seedOf(values));
  const truth = { ...drawn, payload: given ?? drawn.payload };
  writeFileSync(file, stringify({ format: 'berth-truth-1', seed: seedOf(values), ...truth }));
  return truth;
}

/** The arm of an ideal robot has nothing to do. @throws BerthError for a robot that the emulator cannot be */
function armOf(values: Values, tracking: EmulatorOptions['tracking']): EmulatorOptions['arm'] {
  return tracking === 'ideal' ? null : emulatedArm(values.arm);
}

function robotOf(values: Values): Omit<EmulatorOptions, 'link'> {
  const impairment: Impairment = {
    loss: number(values, 'loss', 0, 0, 1),
    duplicate: number(values, 'duplicate', 0, 0, 1),
    reorder: number(values, 'reorder', 0, 0, 1),
    latency_s: number(values, 'latency', 0, 0, 200) * 1e-3,
    jitter_s: number(values, 'jitter', 0, 0, 200) * 1e-3,
  };
  const tracking = choice(values.tracking, 'tracking', ['second-order', 'ideal'] as const);
  const delayMost_s = tracking === 'ideal' ? STREAM_DELAY_MOST_S : DELAY_MOST_S;
  const { sensor, payload } = sensorOf(values);
  const forceDelay_ms = number(values, 'force-delay', 0, 0, 1e3 * FORCE_DELAY_MOST_S);
  return {
    period_s: number(values, 'period', 1, 0.5, 10) * 1e-3,
    key: values.key ?? process.env['BERTH_ROBOT_KEY'] ?? '',
    ...placeOf(values, values.scenario),
    tracking,
    bandwidth_Hz: number(values, 'bandwidth', 50, 0.1, 500),
    damping: number(values, 'damping', 1, 0.1, 10),
    arm: armOf(values, tracking),
    delay_s: number(values, 'delay', 1, 0, 1e3 * delayMost_s) * 1e-3,
    force_delay_s: forceDelay_ms * 1e-3,
    force_age_s: number(values, 'force-age', forceDelay_ms, 0, 1e3 * FORCE_DELAY_MOST_S) * 1e-3,
    sensor,
    payload,
    limits: DEFAULT_LIMITS,
    noise: scaleNoise(DEFAULT_NOISE, number(values, 'noise', 1, 0, 1e6)),
    impairIn: impairment,
    impairOut: impairment,
    seed: seedOf(values),
  };
}

/** @returns the exit code */
export async function run(argv: string[]): Promise<number> {
  const values = parse(argv);
  return runEmulator({
    transport: transportOf(values),
    robot: robotOf(values),
    realtime_priority: number(values, 'priority', 60, 0, 90),
    quiet: values.quiet,
    child: values.child,
    placeOf: (scenario) => placeOf(values, scenario),
  });
}
