/**
 * Every scenario ends in the committed bits on every version of Node that is supported, on x64 and on arm64 (`npm run test:portable`). The versions
 * come as npm packages into a folder of their own; arm64 runs under qemu on another machine (Debian: qemu-user, libc6-arm64-cross,
 * libstdc++6-arm64-cross, libatomic1-arm64-cross). Exit 1 when one differs or cannot be run.
 *
 * Usage: portable-entry [VERSION …], as x64-22 or arm64-26; all when none is named.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSIONS = [20, 22, 24, 26];
/** Where Debian puts the libraries of arm64 on another machine. */
const ARM_LIBRARIES = '/usr/aarch64-linux-gnu';
const program = fileURLToPath(new URL('./hash-entry.js', import.meta.url));

const all = ['x64', 'arm64'].flatMap((machine) => VERSIONS.map((v) => `${machine}-${v}`));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no ${unknown.join(', ')}: there are ${all.join(', ')}`);
  process.exit(2);
}

/** Run one version. @returns what it printed last, and whether all was equal */
function judge(name: string, folder: string): { told: string; equal: boolean } {
  const [machine, version] = name.split('-');
  const place = join(folder, name);
  mkdirSync(place);
  // --force: npm would not install a program for another machine
  const install = ['install', '--no-save', '--force', '--prefix', place];
  const installed = spawnSync('npm', [...install, `node-linux-${machine}@${version}`], {
    encoding: 'utf8',
  });
  if (installed.status !== 0) return { told: installed.stderr.trim(), equal: false };
  const node = join(place, 'node_modules', `node-linux-${machine}`, 'bin', 'node');
  const [command, ...args] =
    machine === process.arch
      ? [node, program]
      : ['qemu-aarch64', '-L', ARM_LIBRARIES, node, program];
  const run = spawnSync(command, args, { encoding: 'utf8' });
  const told = run.error?.message ?? (run.stdout + run.stderr).trim();
  return { told, equal: run.status === 0 };
}

const folder = mkdtempSync(join(tmpdir(), 'berth-portable-'));
let different = 0;
try {
  for (const name of named.length > 0 ? named : all) {
    const { told, equal } = judge(name, folder);
    if (!equal) different++;
    console.log(`${name}: ${told}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = different === 0 ? 0 : 1;
