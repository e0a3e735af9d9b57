/**
 * The checks that read the source and run nothing of it (`npm run check`): types, lint, format, import rules, dead code, side by side. What one prints
 * comes in one piece when it has ended. Exit 1 when one failed.
 *
 * Usage: check [NAME …] — only those named.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Longest first: what starts last must not be what ends last. */
const CHECKS = ['lint', 'types', 'dead-code', 'architecture', 'format:check'] as const;

interface Outcome {
  readonly name: string;
  readonly code: number | null;
  readonly seconds: number;
}

function runCheck(name: string): Promise<Outcome> {
  const begin = performance.now();
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = (performance.now() - begin) / 1000;
      console.log(`\n== ${name} (${code === 0 ? 'passed' : 'FAILED'}, ${seconds.toFixed(0)} s)`);
      process.stdout.write(Buffer.concat(output).toString());
      resolve({ name, code, seconds });
    });
  });
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !CHECKS.some((check) => check === name));
if (unknown.length > 0) {
  console.error(`no check ${unknown.join(', ')}: there are ${CHECKS.join(', ')}`);
  process.exit(2);
}
const waiting: string[] = CHECKS.filter((name) => wanted.length === 0 || wanted.includes(name));
const outcomes: Outcome[] = [];
const lane = async (): Promise<void> => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    outcomes.push(await runCheck(name));
  }
};
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, lane));
const failed = outcomes.filter(({ code }) => code !== 0).map(({ name }) => name);
console.log(
  failed.length === 0
    ? `\n${outcomes.length} checks passed`
    : `\nchecks failed: ${failed.join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
