/** Reads a Dockerfile into its instructions: enough of the format for ours, an error for the rest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from '../../config/paths.ts';

export interface Instruction {
  readonly name: string;
  /** Options such as `--from=build`. */
  readonly options: Readonly<Record<string, string>>;
  /** The rest of the line, continuation lines joined. */
  readonly rest: string;
}

export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

const KNOWN = new Set(
  'FROM WORKDIR COPY RUN ENV USER EXPOSE HEALTHCHECK STOPSIGNAL ENTRYPOINT CMD'.split(' '),
);

/** Stages of a Dockerfile in order. */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', ...parts] = /^([A-Z]+)\s+((?:--\S+\s+)*)(.*)$/.exec(line) ?? [];
    if (!KNOWN.has(name)) throw new Error(`Not an instruction that is known here: ${line}`);
    const [flags = '', rest = ''] = parts;
    const options: Record<string, string> = {};
    for (const [, key, value] of flags.matchAll(/--([a-z-]+)=(\S+)/g)) options[key] = value!;
    if (name === 'FROM') {
      const [base = '', , stage = ''] = rest.split(/\s+/);
      stages.push({ name: stage, base, instructions: [] });
    } else {
      stages.at(-1)!.instructions.push({ name, options, rest: rest.trim() });
    }
  }
  return stages;
}

/** The stages of the project's own Dockerfile. */
export function ownDockerfile(): Stage[] {
  return parseDockerfile(readFileSync(join(packageRoot(), 'Dockerfile'), 'utf8'));
}

/** The command of an instruction written as a JSON array. */
export function execForm(text: string): string[] {
  return JSON.parse(text) as string[];
}
