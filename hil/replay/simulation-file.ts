/**
 * A simulated run as an MCAP file with those channels of a recording that a simulation has: pose,
 * twist and command of the tool (without a tool the first moving body), contact wrench of the model
 * on it, energy, scene. Values that only a loop has are left out. Times are those of the model,
 * counted from 1970, so that equal runs give equal files.
 */
import { basename, dirname } from 'node:path';
import { packageVersion } from '../../config/paths.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { System } from '../../src/system/system.ts';
import { Column, ROW_WIDTH } from '../contract/columns.ts';
import { type ModelNames, modelNames, sceneBodies } from '../contract/scene-columns.ts';
import { SceneRow } from '../telemetry/scene-row.ts';
import { energyColumns } from '../telemetry/tick-record.ts';
import { channelTables } from '../recording/channel-tables.ts';
import {
  LOOP_ENERGY,
  LOOP_ENERGY_COUNT,
  MessageEncoder,
  NUMBER_CHANNELS,
} from '../recording/channels.ts';
import { Chunk, type ChunkMessage } from '../recording/chunk.ts';
import { type DiskFile, systemDisk } from '../recording/disk.ts';
import { SIMULATION, modelAttachment } from '../recording/facts.ts';
import { McapFile } from '../recording/mcap-file.ts';
import { Stamp } from '../recording/stamp.ts';

const BODY = 13; // columns of System.readBody
const SCENE = ['/berth/scene', '/tf'];
const ALWAYS = ['/berth/energy', ...SCENE];
const OF_BODY = ['/berth/setpoint', '/berth/setpoint_twist', '/berth/wrench_model', ...ALWAYS];
const OF_TOOL = ['/berth/command', ...OF_BODY];

/** Facts about the run beside the model. */
export interface SimulationFacts {
  readonly scenario: string;
  /** Changed fields of the scenario, `path=value`. */
  readonly changes: readonly string[];
  /** Time between rows, s. */
  readonly interval_s: number;
}

/** Main body of the file: the arm that carries the tool, else the first moving body; −1 for none. */
function mainBody({ model }: System): number {
  if (model.tool !== null) return sceneBodies(model).indexOf(model.tool.arm);
  const moving = model.bodies.findIndex(({ motion }) => motion === 'dynamic');
  if (moving >= 0) return moving;
  return (model.trees ?? []).length > 0 ? model.bodies.length : -1;
}

/** MCAP file of a simulated run; made by `createSimulationFile`. */
class SimulationFile {
  readonly #system: System;
  readonly #file: McapFile;
  readonly #body: number;
  readonly #names: ModelNames;
  readonly #channels: readonly { readonly scene: boolean; readonly encoder: MessageEncoder }[];
  readonly #chunk = new Chunk();
  readonly #row = new Float64Array(ROW_WIDTH);
  readonly #motion = new Float64Array(BODY);
  readonly #energy = new Float64Array(8);
  readonly #scene = new SceneRow();
  readonly #stamp = new Stamp(0n, 0);
  readonly #message: ChunkMessage = {
    channel: 0,
    sequence: 0,
    logTime: 0n,
    publishTime: 0n,
    data: new Uint8Array(),
  };

  constructor(system: System, facts: SimulationFacts, file: DiskFile) {
    const { model } = system;
    this.#system = system;
    this.#body = mainBody(system);
    this.#names = modelNames(model);
    const topics = model.tool !== null ? OF_TOOL : this.#body >= 0 ? OF_BODY : ALWAYS;
    const channels = NUMBER_CHANNELS.filter(({ topic }) => topics.includes(topic));
    this.#channels = channels.map((of) => ({
      scene: of.source === 'scene',
      encoder: new MessageEncoder(of),
    }));
    this.#row.fill(NaN, LOOP_ENERGY, LOOP_ENERGY + LOOP_ENERGY_COUNT); // without a loop there are no measurements
    this.#row.fill(NaN, Column.least_distance_m, Column.touch_places + 1); // nor rows of a tick
    const metadata = new Map([
      ['scenario', facts.scenario],
      ['changes', facts.changes.join('\n')],
      ['body', this.#names.bodies[this.#body] ?? ''],
      ['step_s', String(model.step)],
      ['interval_s', String(facts.interval_s)],
      ['version', packageVersion()],
      ['node', process.version],
    ]);
    this.#file = new McapFile(file, {
      library: `berth ${packageVersion()}`,
      metadata: [{ name: SIMULATION, metadata }],
      attachments: [modelAttachment(model, 0n)],
      ...channelTables(channels),
    });
  }

  /** Writes the records before the first row. */
  begin(): Promise<void> {
    return this.#file.begin();
  }

  /** Writes the present state as a message of every channel. */
  async row(): Promise<void> {
    this.#read();
    const stamp = this.#stamp.set(this.#system.time * 1e6);
    const message = this.#message;
    message.logTime = message.publishTime = stamp.nanoseconds;
    for (const [channel, { scene, encoder }] of this.#channels.entries()) {
      message.channel = channel;
      message.data = encoder.encode(scene ? this.#scene.row : this.#row, stamp, this.#names);
      if (this.#chunk.add(message)) continue;
      await this.#write();
      this.#chunk.add(message);
    }
    message.sequence++;
  }

  /** Writes the rest, the end of the run and the summary. */
  async end(): Promise<void> {
    if (this.#chunk.messages > 0) await this.#write();
    const metadata = new Map([
      ['time_s', String(this.#system.time)],
      ['hash', this.#system.hash()],
    ]);
    await this.#file.metadata({ name: 'final_state', metadata });
    await this.#file.end();
  }

  async #write(): Promise<void> {
    await this.#file.chunk(this.#chunk, this.#chunk.finish());
    this.#chunk.clear();
  }

  #read(): void {
    const system = this.#system;
    const row = this.#row;
    energyColumns(system, this.#energy, row);
    this.#scene.read(system);
    if (this.#body < 0) return;
    const x = this.#motion;
    system.readBody(this.#body, x, 0);
    row.set(x, Column.setpoint_p_x_m);
    const { tool } = system;
    if (tool === null) {
      system.contactWrench(this.#body, x[0], x[1], x[2], row, Column.model_force_x_N);
    } else {
      row.set(tool.modelWrench, Column.model_force_x_N);
      row.set(tool.command, Column.command_v_x_mps);
      row[Column.hand_joint] = row[Column.hand_axis] = -1; // no operator: no joint, no axis
    }
  }
}

/** Starts a file and replaces an existing one. @throws BerthError when it cannot be written */
export async function createSimulationFile(
  path: string,
  system: System,
  facts: SimulationFacts,
): Promise<SimulationFile> {
  try {
    const [folder, name] = [dirname(path), basename(path)];
    await systemDisk.remove(folder, name);
    const file = new SimulationFile(system, facts, await systemDisk.create(folder, name));
    await file.begin();
    return file;
  } catch (error) {
    throw new BerthError(
      'BERTH_MISSING_FILE',
      `cannot write "${path}": ${(error as Error).message}`,
      {
        field: '--output',
        cause: error,
      },
    );
  }
}
