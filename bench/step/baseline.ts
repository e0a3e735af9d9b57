/**
 * Figures of a machine, kept in `bench/baselines/` under the name of its processor. Two runs of one machine are compared by times over
 * that of the yardstick of their run, so that a slow spell of the machine is none of the project.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../config/paths.ts';
import type { MeasuredCase } from './measure.ts';

/** The machine of a run. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly system: string;
  readonly node: string;
}

/** A run. */
export interface Baseline {
  readonly machine: Machine;
  readonly rounds: number;
  /** Load of the machine before the run. */
  readonly load: number;
  readonly cases: readonly MeasuredCase[];
}

const FOLDER = join(packageRoot(), 'bench', 'baselines');

/** Family and model in `/proc/cpuinfo`, by which processors of one name differ; empty elsewhere. */
function family(): string {
  if (!existsSync('/proc/cpuinfo')) return '';
  const text = readFileSync('/proc/cpuinfo', 'utf8');
  const entry = (name: string): string =>
    new RegExp(`^${name}\\s*: (\\d+)$`, 'm').exec(text)?.[1] ?? '';
  return ` ${entry('cpu family')} ${entry('model')}`;
}

/** This machine. */
export function thisMachine(): Machine {
  return {
    cpu: `${cpus()[0].model.trim()}${family()}`.trim(),
    cores: cpus().length,
    system: `${process.platform} ${release()}`,
    node: process.version,
  };
}

function fileOf(machine: Machine): string {
  const name = machine.cpu.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return join(FOLDER, `${name}.json`);
}

/** A run of this machine to keep. */
export function makeBaseline(
  cases: readonly MeasuredCase[],
  rounds: number,
  load: number,
): Baseline {
  return { machine: thisMachine(), rounds, load, cases };
}

/** Load of the machine over a minute, to one digit. */
export function presentLoad(): number {
  return Math.round(10 * loadavg()[0]) / 10;
}

/** Keeps a run. Cases that it left out stay as they were. @returns the file */
export function writeBaseline(baseline: Baseline): string {
  const file = fileOf(baseline.machine);
  const before = readBaseline(baseline.machine);
  const now = new Map(baseline.cases.map((one) => [one.scene, one]));
  const kept = (before?.cases ?? []).map((one) => now.get(one.scene) ?? one);
  const names = new Set(kept.map(({ scene }) => scene));
  const cases = [...kept, ...baseline.cases.filter(({ scene }) => !names.has(scene))];
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...baseline, cases }, rounded, 1)}\n`);
  return file;
}

/** Four digits are enough for a file. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}

/** The run that is kept of a machine; null for none. */
export function readBaseline(machine: Machine): Baseline | null {
  const file = fileOf(machine);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Baseline) : null;
}

/** All runs that are kept, by the names of their files. */
export function readBaselines(): Baseline[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Baseline);
}

/** Slower or faster by less than this part is never told. */
const LEAST_CHANGE = 0.05;
/** Spreads of both runs that a change has to be beyond. */
const SPREADS = 3;

/** A case that takes another time than before. */
export interface Change {
  readonly scene: string;
  readonly how: 'alone' | 'after';
  /** Time over the yardstick's, now over before. */
  readonly ratio: number;
  /** What is noise, as a part. */
  readonly noise: number;
}

/** Berth's times that differ from the kept ones beyond the noise of both. */
export function changesFrom(before: Baseline, now: readonly MeasuredCase[]): Change[] {
  return now.flatMap((one): Change[] => {
    const old = before.cases.find(({ scene }) => scene === one.scene);
    if (old === undefined) return [];
    return (['alone', 'after'] as const).flatMap((how): Change[] => {
      const [a, b] = [old, one].map(
        ({ engines }) => engines.find(({ engine }) => engine === 'Berth')?.[how] ?? null,
      );
      if (a === null || b === null) return [];
      const ratio = b.median_us / one.yardstick_us / (a.median_us / old.yardstick_us);
      const noise = Math.max(
        LEAST_CHANGE,
        SPREADS * Math.sqrt(a.spread * a.spread + b.spread * b.spread),
      );
      const beyond = ratio > 1 + noise || ratio < 1 / (1 + noise);
      return beyond ? [{ scene: one.scene, how, ratio, noise }] : [];
    });
  });
}
