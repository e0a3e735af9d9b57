/**
 * The command line: finds the command and lets it run. Exit 0 success, 1 the run or a check failed; an error ends it with the exit code
 * of its kind (src/base/errors.ts), 2 for unusable input.
 */
import { fileErrorWords } from '../../config/input-file.ts';
import { packageVersion } from '../../config/paths.ts';
import { nearest } from '../../config/read.ts';
import { BERTH_ERRORS, BerthError, type BerthErrorCode } from '../../src/base/errors.ts';
import { optionWords } from './option-words.ts';

interface Command {
  readonly usage: string;
  run(argv: string[]): Promise<number>;
}

const COMMANDS: Readonly<Record<string, { about: string; load: () => Promise<Command> }>> = {
  serve: { about: 'run the service', load: () => import('./serve.ts') },
  simulate: { about: 'run a scenario without hardware', load: () => import('./simulate.ts') },
  emulate: { about: 'run the emulated ground robot', load: () => import('./emulate.ts') },
  fly: { about: 'fly a scripted approach to contact', load: () => import('./fly.ts') },
  audit: { about: 'verify an audit log', load: () => import('./audit.ts') },
  check: { about: 'check a settings or scenario file', load: () => import('./check.ts') },
  conform: {
    about: 'judge a robot controller',
    load: () => import('./conform.ts'),
  },
  decompose: {
    about: 'convex cells of a concave mesh file',
    load: () => import('./decompose.ts'),
  },
  doctor: { about: 'is this machine fit for 1 kHz?', load: () => import('./doctor.ts') },
  field: { about: 'distance field of a mesh file', load: () => import('./field.ts') },
  identify: {
    about: 'contact parameters from measured data',
    load: () => import('./identify.ts'),
  },
  pin: { about: 'keep a recording for good', load: () => import('./pin.ts') },
  export: { about: 'a recording as CSV or Parquet', load: () => import('./export.ts') },
  plot: { about: 'a recording or CSV file as a page of curves', load: () => import('./plot.ts') },
  recover: {
    about: 'close a recording that was not closed',
    load: () => import('./recover.ts'),
  },
  reduce: { about: 'an elastic tool as a patch file', load: () => import('./reduce.ts') },
  replay: { about: 'run a recording again, bit for bit', load: () => import('./replay.ts') },
  simplify: { about: 'a coarser mesh file', load: () => import('./simplify.ts') },
  study: {
    about: 'many runs with dispersions, and their statistics',
    load: () => import('./study.ts'),
  },
  surfaces: { about: 'faces of a STEP file', load: () => import('./surfaces.ts') },
  validate: { about: 'published cases, computed again', load: () => import('./validate.ts') },
};

function help(): string {
  const lines = Object.entries(COMMANDS).map(
    ([name, { about }]) => `  ${name.padEnd(10)} ${about}`,
  );
  return `Usage: berth COMMAND [OPTIONS]\n\n${lines.join('\n')}\n\nberth COMMAND --help tells more. Berth is not a safety device.`;
}

/** Runs `berth` with these arguments. @returns the exit code */
export async function runCommand(argv: string[]): Promise<number> {
  const name = argv.at(0);
  const rest = argv.slice(1);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(help());
    return name === undefined ? BERTH_ERRORS.BERTH_USAGE.exit : 0;
  }
  if (name === '--version' || name === '-v') {
    console.log(packageVersion());
    return 0;
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    const names = Object.keys(COMMANDS);
    const near = nearest(name, names);
    const hint =
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${names.join(', ')}.`;
    console.error(`berth: no command is named "${name}"; ${hint}`);
    return BERTH_ERRORS.BERTH_USAGE.exit;
  }
  const command = await entry.load();
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(command.usage);
    return 0;
  }
  try {
    return await command.run(rest);
  } catch (error) {
    const [code, words] = wordsOf(error, command.usage);
    if (code === null) throw error;
    console.error(`berth ${name}: ${words}`);
    return BERTH_ERRORS[code].exit;
  }
}

/** Kind of an error that one sentence explains, and that sentence; null for any other error. */
function wordsOf(error: unknown, usage: string): [BerthErrorCode | null, string] {
  if (error instanceof BerthError) return [error.code, error.message];
  const file = fileErrorWords(error);
  if (file !== null) return ['BERTH_MISSING_FILE', file];
  const option = optionWords(error, usage);
  return option === null ? [null, ''] : ['BERTH_USAGE', option];
}
