/**
 * Results of a study, as lines of JSON in `parts/`: each process that runs a part of it appends to a file of its own. A run may stand there
 * more than once, as it may have run more than once; then both must be equal to the last bit. A line that a crash cut off does not count.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BerthError } from '../../../src/base/errors.ts';
import type { Manifest } from './manifest.ts';
import type { RunOutcome } from './run-point.ts';

/** One line. */
export interface StudyResult extends RunOutcome {
  readonly id: string;
  readonly build: string;
  /** Where it ran, for people. */
  readonly machine: string;
}

/** Appends results to a part. */
export class PartWriter {
  readonly #path: string;

  /** @param part name of a file that no other process writes */
  constructor(folder: string, part: string) {
    mkdirSync(join(folder, 'parts'), { recursive: true });
    this.#path = join(folder, 'parts', `${part}.jsonl`);
  }

  /** @throws BerthError when the disk takes no more: what was written stays */
  add(result: StudyResult): void {
    try {
      appendFileSync(this.#path, `${JSON.stringify(result)}\n`);
    } catch (error) {
      throw new BerthError(
        'BERTH_MISSING_FILE',
        `"${this.#path}" cannot be written: ${(error as Error).message}; results so far are kept`,
        { field: '--output', cause: error },
      );
    }
  }
}

function linesOf(folder: string): StudyResult[] {
  const parts = join(folder, 'parts');
  if (!existsSync(parts)) return [];
  const names = readdirSync(parts).filter((name) => name.endsWith('.jsonl'));
  return names.sort().flatMap((name) => {
    const lines = readFileSync(join(parts, name), 'utf8').split('\n');
    lines.pop(); // empty, or cut off
    return lines.map((line, i) => {
      try {
        return JSON.parse(line) as StudyResult;
      } catch (error) {
        throw new BerthError(
          'BERTH_MISMATCH',
          `line ${i + 1} of ${join(parts, name)} is damaged: remove it, and run the study again for that run`,
          { field: 'results', cause: error },
        );
      }
    });
  });
}

/**
 * Results by run id. @throws BerthError naming machines and builds when one comes from another build than the plan, or two of the same run differ
 */
export function readResults(folder: string, manifest: Manifest): Map<string, StudyResult> {
  const planned = new Set(manifest.runs.map(({ id }) => id));
  const results = new Map<string, StudyResult>();
  for (const result of linesOf(folder)) {
    if (result.build !== manifest.build) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `run ${result.id} of ${result.machine} is of build ${result.build}; the study is planned for ${manifest.build}: remove that part and run it again`,
        { field: 'build' },
      );
    }
    if (!planned.has(result.id)) continue;
    const other = results.get(result.id);
    if (other === undefined) results.set(result.id, result);
    else if (outcomeOf(other) !== outcomeOf(result)) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `run ${result.id} came out differently on ${other.machine} and ${result.machine}: one of them does not compute as the other`,
        { field: 'results' },
      );
    }
  }
  return results;
}

/** What must be the same wherever a run was done, to compare. */
export const outcomeOf = ({ reason, hash, quantities }: RunOutcome): string =>
  JSON.stringify([reason, hash, quantities]);
