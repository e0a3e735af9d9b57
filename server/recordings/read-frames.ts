/** Scene and frames of a recording for a page: what the telemetry socket would have sent, at a lower rate. */
import { loadRobot } from '../../config/robot.ts';
import { loadScenario } from '../../config/scenario.ts';
import { compileInsertion } from '../../config/compile-insertion.ts';
import type { Robot } from '../../config/compile-robot.ts';
import { drawnBodies } from '../../hil/drawing/drawn-bodies.ts';
import { ROW_WIDTH } from '../../hil/contract/columns.ts';
import { RecordKind } from '../../hil/memory/records.ts';
import { readFileSummary } from '../../hil/recording/file-summary.ts';
import { type DrawnFacts, SIMULATED } from '../../hil/recording/facts.ts';
import { openDrawn } from '../../hil/recording/read-recording.ts';
import { drawnTouches } from '../../hil/drawing/drawn-touches.ts';
import { insertionFacts, type InsertionFacts } from '../status/scene.ts';
import { sceneTopic, TOPICS } from '../status/status.ts';
import { Witnesses } from '../status/witnesses.ts';
import { MOST_FRAMES, type RecordedScene } from './reader-messages.ts';

/** Of the present files of its scenario: how its arm is drawn, and its insertion. They may be gone, and then are left out. */
function fromScenario(name: string): {
  title: string;
  robot: Robot | null;
  insertion: InsertionFacts | null;
} {
  try {
    const scenario = loadScenario(name);
    const robot = scenario.tool?.robot;
    return {
      title: scenario.title,
      robot: robot === undefined ? null : loadRobot(robot.name),
      insertion: insertionFacts(compileInsertion(scenario)),
    };
  } catch {
    return { title: name, robot: null, insertion: null };
  }
}

/** Bodies of a recording by the model that it holds. @throws BerthError for what is none */
export async function readScene(path: string): Promise<RecordedScene> {
  const { facts } = await openDrawn(path);
  const { title, robot, insertion } = fromScenario(facts.scenario);
  const { start_ms, length_s, faults } = readFileSummary(path);
  const bodies = drawnBodies(facts.model, robot);
  return {
    scenario: facts.scenario,
    title,
    mode: facts.mode,
    bodies,
    touches: drawnTouches(facts.model, bodies),
    insertion,
    start_ms,
    length_s,
    faults,
  };
}

const doubles = (bytes: Uint8Array): Float64Array =>
  new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);

/** One frame: the newest row when the scene was written. */
export interface RecordedFrame {
  /** Since the first message of the file, s. */
  readonly at_s: number;
  readonly scene: ReturnType<typeof sceneTopic>;
  readonly state: ReturnType<(typeof TOPICS)['state']>;
  readonly wrench: ReturnType<(typeof TOPICS)['wrench']>;
  /** Of recordings with bodies of facets. */
  readonly witnesses?: ReturnType<Witnesses['read']>;
}

/** Closest points of the bodies of a file, which is asked for part by part; null where no body has facets. */
const known: { path: string; started: bigint; of: Witnesses | null } = {
  path: '',
  started: 0n,
  of: null,
};

function witnessesOf(path: string, { model, wallStart_ns: started }: DrawnFacts): Witnesses | null {
  if (known.path === path && known.started === started) return known.of;
  const of = new Witnesses(model);
  Object.assign(known, { path, started, of: of.empty ? null : of });
  return known.of;
}

const KINDS = new Set<number>([RecordKind.ROW, RecordKind.SCENE]);

/** Frames from `from_s` on, before `to_s`, at most `hz` a second. @throws BerthError for what is no recording */
export async function readFrames(
  path: string,
  from_s: number,
  to_s: number,
  hz: number,
): Promise<RecordedFrame[]> {
  const recording = await openDrawn(path);
  const { facts } = recording;
  const witnesses = witnessesOf(path, facts);
  const start = BigInt(Math.round(readFileSummary(path).start_ms)) * 1_000_000n;
  const ns = (s: number): bigint => start + BigInt(Math.round(1e9 * s));
  const part = { from: ns(from_s), to: ns(to_s), kinds: KINDS };
  const frames: RecordedFrame[] = [];
  // a run without a moving body has a scene only
  let row: Float64Array | null = facts.mode === SIMULATED ? new Float64Array(ROW_WIDTH) : null;
  let next_s = from_s;
  for await (const record of recording.records(part)) {
    if (record.kind === RecordKind.ROW) row = doubles(record.bytes);
    if (record.kind !== RecordKind.SCENE || row === null) continue;
    const at_s = timeOf(facts, record.time_us, start);
    if (at_s < next_s - 1e-6) continue;
    if (at_s >= to_s || frames.length === MOST_FRAMES) break;
    next_s = Math.max(next_s + 1 / hz, at_s + 0.5 / hz);
    const scene = doubles(record.bytes);
    frames.push({
      at_s,
      scene: sceneTopic(scene),
      state: TOPICS.state(row),
      wrench: TOPICS.wrench(row),
      ...(witnesses === null ? {} : { witnesses: witnesses.read(scene) }),
    });
  }
  return frames;
}

function timeOf(facts: DrawnFacts, time_us: number, start: bigint): number {
  return Number(facts.wallStart_ns - start) / 1e9 + (time_us - facts.loopStart_us) / 1e6;
}
