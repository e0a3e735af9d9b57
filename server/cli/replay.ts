/** `berth replay`: runs a recorded loop again and compares every set-point bit for bit. */
import { parseArgs } from 'node:util';
import { readQuantity } from '../../config/units.ts';
import { LAYOUT_HASH } from '../../hil/protocol/layout.ts';
import { type Recording, openRecording } from '../../hil/recording/read-recording.ts';
import { type ReplayResult, replayRecords } from '../../hil/replay/replay-run.ts';
import { BerthError } from '../../src/base/errors.ts';
import { readWhole, refusal } from './arguments.ts';
import { replayContact } from './contact-replay.ts';
import { playInConsole } from './play.ts';

export const usage = `Usage: berth replay FILE [OPTIONS]

Runs a recording (MCAP) again, from its first STATE record on: the same loop is given every frame, command and clock reading that was
recorded, and must send the same frames and write the same rows, bit for bit. Closed files, files that a crash cut off and excerpts
around a fault replay alike. Exit code 0: all equal; 1: something differs, or nothing could be replayed; 2: the file cannot be used.

  --realtime         show it in the console instead, at the pace of the run, until Ctrl-C
  --speed F          with --realtime: F times as fast (default 1)
  --port N           with --realtime: port of the console (default 7410; 0: any free one)
  --contact          compute the contact alone instead, from the measured motion of the recording (mode virtual or hardware), and compare its
                     wrench with the recorded one; exit code 1 also when the same laws do not give it bit for bit
  --set PATH=VALUE   with --contact: change a field of the scenario, e.g. contacts.0.normal_law.restitution=0.5 (repeatable)
  --scenario NAME    with --contact: take the contacts of this scenario (a name or a path) instead of those of the recording
  --bound LENGTH     with --contact: predict the motion of the arm with these laws, and say from when on it is farther than this (e.g. "50 um")
                     from the recorded one: from there the recording is no evidence for them
  --from TICK        with --bound: first tick with the changed laws (default: the first one that moves)
  --format FORMAT    with --contact and -o: csv (default), parquet, or mcap, which has the topics of "berth simulate"
  -o, --output FILE  with --contact: write the recorded, replayed and measured wrench of each tick`;

/** Runs the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      realtime: { type: 'boolean', default: false },
      speed: { type: 'string', default: '1' },
      port: { type: 'string', default: '7410' },
      contact: { type: 'boolean', default: false },
      set: { type: 'string', multiple: true },
      scenario: { type: 'string' },
      bound: { type: 'string' },
      from: { type: 'string' },
      format: { type: 'string' },
      output: { type: 'string', short: 'o' },
    },
  });
  const [path, ...extra] = positionals;
  if (path === undefined || extra.length > 0) {
    throw new BerthError('BERTH_USAGE', `expected one FILE, got ${positionals.length}`);
  }
  const speed = numberOption('--speed', values.speed, 0.01, 100);
  const port = numberOption('--port', values.port, 0, 65535);
  const { contact, scenario, set: changes = [], bound, from, format, output } = values;
  if (!contact)
    refuseWithoutContact({ set: values.set?.join(' '), scenario, bound, from, format, output });
  if (contact && values.realtime) {
    const text = '--realtime is given with --contact; allowed: one of the two';
    throw new BerthError('BERTH_USAGE', text, { field: '--realtime' });
  }
  if (format !== undefined && output === undefined) {
    const text = `--format is "${format}"; allowed: with -o FILE`;
    throw new BerthError('BERTH_USAGE', text, { field: '--format' });
  }
  if (from !== undefined && bound === undefined)
    throw new BerthError('BERTH_USAGE', `--from is "${from}"; allowed: with --bound`, {
      field: '--from',
    });
  const recording = await openRecording(path);
  if (contact) {
    return replayContact(path, recording, {
      scenario,
      changes,
      bound_m: bound === undefined ? null : lengthOption('--bound', bound),
      from: from === undefined ? 0 : readWhole('--from', from, 0, Number.MAX_SAFE_INTEGER),
      format: format ?? 'csv',
      output,
    });
  }
  if (values.realtime) return playInConsole(recording, port, speed);
  checkProtocol(recording);
  const { settings, model, mode } = recording.facts;
  const result = await replayRecords(
    {
      settings,
      model,
      mode,
      robot: settings.robot.transport !== 'none',
    },
    recording.records(),
  );
  console.log(summary(recording, result));
  return result.ticks > 0 && result.first === null ? 0 : 1;
}

/** A length above 0 with its unit, m. @throws BERTH_USAGE */
function lengthOption(option: string, text: string): number {
  const quantity = readQuantity(text, 'm');
  if (quantity.ok && quantity.value > 0) return quantity.value;
  throw refusal(option, text, 'a length above 0 with its unit, as "50 um"');
}

/** Options that only `--contact` has. @throws BERTH_USAGE for one that is given without it */
function refuseWithoutContact(options: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const text = `--${name} is "${value}"; allowed: with --contact`;
    throw new BerthError('BERTH_USAGE', text, { field: `--${name}` });
  }
}

/** Number of an option. @throws BERTH_USAGE outside its range */
function numberOption(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text !== '' && value >= least && value <= most) return value;
  const sentence = `${name} must be a number from ${least} to ${most}, got "${text}"`;
  throw new BerthError('BERTH_USAGE', sentence);
}

/** Frames of another layout have other bytes: nothing could be equal. */
function checkProtocol({ facts }: Recording): void {
  if (Number(facts.protocolHash) === LAYOUT_HASH) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `The recording is of robot protocol layout ${facts.protocolHash}, this build has 0x${LAYOUT_HASH.toString(16)}: replay it with Berth ${facts.version}`,
  );
}

/** What came of it, for people. */
function summary({ facts, closed }: Recording, result: ReplayResult): string {
  const { ticks, first } = result;
  const { scenario, mode, settings, version, node } = facts;
  const seconds = (ticks * settings.loop.period_s).toFixed(3);
  const lines = [`${ticks} ticks (${seconds} s) of ${scenario}, mode ${mode}, replayed`];
  if (ticks === 0) {
    lines.push('Nothing to compare: there is no STATE record with whole ticks after it');
  } else if (first === null) {
    lines.push(`${ticks} set-points bit-equal, ${result.frames} frames to the robot byte-equal`);
  } else {
    const { tick, what, recorded, replayed } = first;
    lines.push(
      `${result.differing} ticks differ, tick ${tick} first: ${what} was ${recorded}, is now ${replayed}`,
    );
    if (node !== process.version) {
      lines.push(
        `It was recorded by Berth ${version} on Node ${node}, this is Node ${process.version}: one of another version may differ in the last bit`,
      );
    }
  }
  if (result.states > 0) lines.push(`${result.states} states recorded on the way reached again`);
  if (result.gaps > 0) lines.push(`${result.gaps} gaps in the recording passed over`);
  if (result.skipped > 0) lines.push(`${result.skipped} ticks before a STATE record skipped`);
  if (!closed) lines.push('The file was not closed: it ends with its last whole chunk');
  lines.push(`state hash ${result.hash}`);
  return lines.join('\n');
}
