/**
 * Runs the whole tick on shadows before the first real one. Without it V8 compiles during the first seconds of the run, and code
 * that is not compiled yet boxes its doubles (docs/real-time.md). What a run does, the shadow does before: it waits for a robot,
 * shakes hands, monitors, touches, loses STATEs and the robot, is flown into contact and stops. What it never met would be thrown
 * away and compiled anew (V8's "insufficient type feedback") when a run meets it.
 *
 * There are two shadows, one after the other. What is compiled for one object alone is thrown away when the real one comes.
 */
import { contactKernels } from '../../config/contact-kernels.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { makeSystem } from '../../src/system/system.ts';
import { SafetyState } from '../contract/codes.ts';
import { slipTwist, touchingPlaces, type TouchingPlaces } from '../telemetry/touching-places.ts';
import { ShadowLoop } from './shadow-loop.ts';
import { ShadowOperator } from './shadow-operator.ts';
import { warmRare } from './warm-rare.ts';
import type { LoopWorkerData } from './worker-data.ts';

const SHADOWS = 2;
/** Ticks of a shadow without a robot, and in which it monitors one. */
const ALONE_TICKS = 64;
const MONITOR_TICKS = 2400;
/** At a place where the tool touches the robot stays so many ticks, and as many away from it; it presses in by so much, m, and out. */
const STAY_TICKS = 64;
const STROKE_M = 30e-6;
const STROKE_TICKS = 1000;
/** Ticks in which an operator flies the shadow, in the first of which the robot rests, so far before the first touch, m. */
const FLIGHT_TICKS = 3000;
const CLEARANCE_M = 0.2e-3;
const ALIGN_TICKS = 300;
/** Sessions that begin before the one that lasts, and ticks of each. */
const SESSIONS = 3;
const SESSION_TICKS = 60;
/**
 * Once in so many ticks some STATEs in a row are lost: while the robot is monitored up to six, in flight up to four. The last ticks before
 * a flight lose none: a link has to be good for a second before anyone can arm.
 */
const LOSS_TICKS = 211;
const MONITOR_LOSS = 6;
const LOSSLESS_TICKS = 1200;
const FLIGHT_LOSS = 4;
/** Ticks of the stop at the end. */
const STOP_TICKS = 64;

/** Direction of the first commanded way, unit; down where nothing is commanded. */
function commandedWay({ command }: SystemModel): readonly number[] {
  for (const { twist } of command) {
    const [x, y, z] = twist;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > 0) return [x / length, y / length, z / length];
  }
  return [0, 0, -1];
}

/** What is the same for all shadows. */
interface Course extends TouchingPlaces {
  readonly way: readonly number[];
}

/** A tick, then the robot, unless its STATE is lost. */
function run(shadow: ShadowLoop, i: number, mostLost: number): void {
  shadow.step();
  const lost = Math.floor(i / LOSS_TICKS) % (mostLost + 1);
  if (i % LOSS_TICKS >= lost) shadow.robot.step();
}

/** There is no robot, one comes and goes, and comes again. */
function meet(shadow: ShadowLoop): void {
  for (let n = 0; n < SESSIONS; n++) {
    shadow.connect(false);
    for (let i = 0; i < ALONE_TICKS; i++) shadow.step();
    shadow.connect(true);
    for (let i = 0; i < SESSION_TICKS; i++) run(shadow, i, 0);
  }
}

/** The robot is put to places where the tool touches, and away. */
function monitor(shadow: ShadowLoop, { places, way }: Course): void {
  const { state } = shadow.robot;
  const away = [...state.position];
  for (let i = 0; i < MONITOR_TICKS; i++) {
    const depth = STROKE_M * (0.5 - Math.abs((i % STROKE_TICKS) / STROKE_TICKS - 0.5));
    const stay = Math.floor(i / STAY_TICKS);
    const near = stay % 2 === 0;
    const place = (near ? places.at((stay >> 1) % places.length) : undefined) ?? away;
    for (let a = 0; a < 3; a++) state.position[a] = place[a] + depth * way[a];
    slipTwist(i, state.twist, 0);
    shadow.robot.press(near ? depth / STROKE_M : 0, way);
    run(shadow, i, i < MONITOR_TICKS - LOSSLESS_TICKS ? MONITOR_LOSS : 0);
  }
  for (let a = 0; a < 3; a++) state.position[a] = away[a];
  state.twist.fill(0);
}

const isMoving = (state: number): boolean =>
  state === SafetyState.ACTIVE_FREE || state === SafetyState.ACTIVE_CONTACT;

/** An operator flies into the contact and out of it; or from the start, on which nothing may touch. */
function fly(shadow: ShadowLoop, { onset, way }: Course, near: boolean): void {
  const { robot, shared, clock, tick } = shadow;
  const away = [...robot.state.position];
  const touch = onset ?? away;
  for (let a = 0; near && a < 3; a++) robot.state.position[a] = touch[a] - CLEARANCE_M * way[a];
  const operator = new ShadowOperator(shared, way);
  for (let i = 0; i < FLIGHT_TICKS; i++) {
    if (i === ALIGN_TICKS) robot.follows = true;
    if (i > ALIGN_TICKS) operator.step(i, clock.now_us(), tick.machine.state);
    robot.press(tick.record.active > 0 ? 1 : 0, way);
    run(shadow, i, isMoving(tick.machine.state) ? FLIGHT_LOSS : 0);
  }
}

/** Compile what the loop worker will run. Takes about a second. @returns where the tool touches */
export function warmUp(data: LoopWorkerData): TouchingPlaces {
  warmRare(data.settings);
  const looking = makeSystem(data.model, contactKernels());
  const course = { ...touchingPlaces(looking), way: commandedWay(data.model) };
  for (let n = 0; n < SHADOWS; n++) {
    const shadow = new ShadowLoop(data);
    shadow.robot.lags = n > 0;
    meet(shadow);
    monitor(shadow, course);
    fly(shadow, course, n > 0);
    shadow.tick.shutdownAsked = true;
    for (let i = 0; i < STOP_TICKS; i++) run(shadow, i, 0);
    shadow.close();
  }
  return course;
}
