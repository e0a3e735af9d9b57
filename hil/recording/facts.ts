/** What a file holds about the run that it is of: a metadata record, and settings and model as attachments. */
import type { Attachment, Metadata } from '@mcap/core';
import type { Settings } from '../../config/settings.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { BerthError } from '../../src/base/errors.ts';
import { LOOP_MODES, type LoopModeName } from '../contract/codes.ts';
import { parseExact, stringifyExact } from './exact-json.ts';

/** Description of the run that a recording holds. */
export interface RecordingFacts {
  /** Settings of the run; secrets are empty. */
  readonly settings: Settings;
  /** The compiled model, bit for bit. */
  readonly model: SystemModel;
  readonly scenario: string;
  readonly mode: LoopModeName;
  /** Version of Berth and of Node, and LAYOUT_HASH of the robot protocol, that the run was made with. */
  readonly version: string;
  readonly node: string;
  readonly protocolHash: string;
  /** Wall clock at the start of the recorder, ns since 1970, and the loop clock of the same moment, µs. */
  readonly wallStart_ns: bigint;
  readonly loopStart_us: number;
}

const FACTS = 'berth';
const SETTINGS = 'settings.json';
const MODEL = 'model.json';

/** Metadata record of a file that `berth simulate` wrote. */
export const SIMULATION = 'berth_simulation';
/** In place of the mode of a loop. */
export const SIMULATED = 'simulated';

/** Settings without keys. */
export function withoutSecrets(settings: Settings): Settings {
  return {
    ...settings,
    server: { ...settings.server, keys: {} },
    robot: { ...settings.robot, key: '' },
  };
}

/** The metadata record of a file. */
export function factsMetadata(facts: RecordingFacts, part: string): Metadata {
  const metadata = new Map([
    ['scenario', facts.scenario],
    ['mode', facts.mode],
    ['part', part],
    ['version', facts.version],
    ['node', facts.node],
    ['protocol_hash', facts.protocolHash],
    ['period_s', String(facts.settings.loop.period_s)],
    ['wall_start_ns', String(facts.wallStart_ns)],
    ['loop_start_us', String(facts.loopStart_us)],
  ]);
  return { name: FACTS, metadata };
}

/** Settings and model as attachments. */
export function factsAttachments(facts: RecordingFacts): Attachment[] {
  const time = facts.wallStart_ns;
  const settings = attachment(SETTINGS, withoutSecrets(facts.settings), time);
  return [settings, modelAttachment(facts.model, time)];
}

/** The compiled model; `time` as ns since 1970. */
export function modelAttachment(model: SystemModel, time: bigint): Attachment {
  return attachment(MODEL, model, time);
}

function attachment(name: string, value: unknown, time: bigint): Attachment {
  return {
    name,
    logTime: time,
    createTime: time,
    mediaType: 'application/json',
    data: new TextEncoder().encode(stringifyExact(value)),
  };
}

/** What is needed to draw a file. */
export type DrawnFacts = Pick<
  RecordingFacts,
  'model' | 'scenario' | 'wallStart_ns' | 'loopStart_us'
> & {
  /** Mode of the loop; `simulated` of a run of `berth simulate`, which had none. */
  readonly mode: string;
};

/** The same of a simulated run as well, whose times count from 1970. @throws BerthError when they are of neither */
export function drawnFacts(
  metadata: readonly Metadata[],
  attachments: readonly Attachment[],
): DrawnFacts {
  const scenario = simulatedScenario(metadata);
  const model = attachments.find(({ name }) => name === MODEL);
  if (scenario === null || model === undefined) return readFacts(metadata, attachments);
  return {
    model: parsed(model) as unknown as SystemModel,
    ...{ scenario, mode: SIMULATED, wallStart_ns: 0n, loopStart_us: 0 },
  };
}

/** Scenario of a simulated run; null of a recording of a loop. */
function simulatedScenario(metadata: readonly Metadata[]): string | null {
  const simulated = metadata.find(({ name }) => name === SIMULATION);
  return simulated === undefined ? null : (simulated.metadata.get('scenario') ?? '');
}

/** What the metadata record of a file says by itself. @throws BerthError when it is not that of a recording or a simulated run */
export function metadataOf(metadata: readonly Metadata[]): {
  scenario: string;
  mode: string;
  part: string;
  wallStart_ns: bigint;
} {
  const scenario = simulatedScenario(metadata);
  if (scenario !== null) return { scenario, mode: SIMULATED, part: '', wallStart_ns: 0n };
  const facts = metadata.find(({ name }) => name === FACTS)?.metadata;
  const text = (name: string): string => facts?.get(name) ?? '';
  if (!/^\d{1,19}$/.test(text('wall_start_ns'))) {
    throw new BerthError('BERTH_MISMATCH', 'The file is no recording of a loop');
  }
  return {
    scenario: text('scenario'),
    mode: text('mode'),
    part: text('part'),
    wallStart_ns: BigInt(text('wall_start_ns')),
  };
}

/** The facts of a file from its metadata and attachments. @throws BerthError when they are not those of a recording */
export function readFacts(
  metadata: readonly Metadata[],
  attachments: readonly Attachment[],
): RecordingFacts {
  const simulated = simulatedScenario(metadata);
  if (simulated !== null) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `The file is no recording of a loop but a simulation of ${simulated}: "berth simulate" gives it again, bit for bit`,
    );
  }
  const facts = metadata.find(({ name }) => name === FACTS)?.metadata;
  const settings = attachments.find(({ name }) => name === SETTINGS);
  const model = attachments.find(({ name }) => name === MODEL);
  const mode = LOOP_MODES.find((name) => name === facts?.get('mode'));
  if (facts === undefined || settings === undefined || model === undefined || mode === undefined) {
    throw new BerthError(
      'BERTH_MISMATCH',
      'The file does not say which settings and which model it was recorded with: it is no recording of Berth, or its beginning is lost',
    );
  }
  const text = (name: string): string => facts.get(name) ?? '';
  const [wallStart, loopStart] = [text('wall_start_ns'), text('loop_start_us')];
  if (!/^\d{1,19}$/.test(wallStart) || !/^[\d.e+]{1,30}$/.test(loopStart)) {
    throw new BerthError('BERTH_MISMATCH', 'The file does not say when its recording began');
  }
  return {
    settings: parsed(settings) as unknown as Settings,
    model: parsed(model) as unknown as SystemModel,
    scenario: text('scenario'),
    mode,
    version: text('version'),
    node: text('node'),
    protocolHash: text('protocol_hash'),
    wallStart_ns: BigInt(wallStart),
    loopStart_us: Number(loopStart),
  };
}

/** The object of an attachment. @throws BerthError when it is none */
function parsed({ name, data }: Attachment): object {
  let value: unknown = null;
  try {
    value = parseExact(new TextDecoder().decode(data));
  } catch {
    // said below
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new BerthError('BERTH_MISMATCH', `The attachment ${name} of the file is damaged`);
}
