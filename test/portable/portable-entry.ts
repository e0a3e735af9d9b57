/**
 * Every scenario ends in the committed bits, and the stored recording replays, on every version of
 * Node that is supported, on x64 and on arm64 (`npm run test:portable`). The versions come as npm
 * packages into a folder of their own. On another machine arm64 runs under qemu (Debian: qemu-user,
 * libc6-arm64-cross, libstdc++6-arm64-cross, libgcc-s1-arm64-cross, libatomic1-arm64-cross);
 * without it, the skipped versions are listed. Exit 1 when a result differs, a named version cannot
 * run, or nothing was run.
 *
 * Usage: portable-entry [VERSION …], as x64-22 or arm64-26; all when none is named.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSIONS = [20, 22, 24, 26];
const QEMU = 'qemu-aarch64';
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

/** Why a kind of machine cannot be had here; null when it can. */
function missing(machine: string): string | null {
  if (machine === process.arch) return null;
  if (machine !== 'arm64') return `this machine is ${process.arch}`;
  if (spawnSync(QEMU, ['--version']).error !== undefined) {
    return `no ${QEMU} (Debian: qemu-user)`;
  }
  const loader = join(ARM_LIBRARIES, 'lib', 'ld-linux-aarch64.so.1');
  return existsSync(loader) ? null : `no ${loader} (Debian: libc6-arm64-cross and others)`;
}

/** Run one version. @returns what it printed, and whether all was equal */
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
  const command = machine === process.arch ? [node] : [QEMU, '-L', ARM_LIBRARIES, node];
  const run = (...args: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(command[0], [...command.slice(1), ...args], { encoding: 'utf8' });
  const exact = String(run('--version').stdout).trim();
  const { error, stdout, stderr, status } = run(program);
  const told = error?.message ?? `${String(stdout)}${String(stderr)}`.trim();
  return { told: `Node ${exact}: ${told}`, equal: status === 0 };
}

const folder = mkdtempSync(join(tmpdir(), 'berth-portable-'));
const wanted = named.length > 0 ? named : all;
const skipped: string[] = [];
let different = 0;
try {
  for (const name of wanted) {
    const why = missing(name.split('-')[0]);
    if (why !== null) {
      skipped.push(name);
      console.log(`${name}: NOT RUN, ${why}`);
      continue;
    }
    const { told, equal } = judge(name, folder);
    if (!equal) different++;
    console.log(`${name}: ${told}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
const ran = wanted.length - skipped.length;
console.log(
  `${ran - different} of ${wanted.length} equal, ${different} differ, ${skipped.length} not run${skipped.length > 0 ? `: ${skipped.join(', ')}` : ''}`,
);
process.exitCode =
  different === 0 && ran > 0 && (named.length === 0 || ran === named.length) ? 0 : 1;
