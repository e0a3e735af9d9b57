/**
 * The attack suite (`npm run test:attack`): robots, operators, HTTP clients and files that mean harm, against the real loop and the real
 * service, on loopback and on free ports only. One line a case: number, domain, line of the list, what is attempted, what must
 * hold, verdict, what was measured. Exit 1 when one does not hold.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, release } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { formatVerdicts } from '../acceptance/markdown.ts';
import type { AttackCase, AttackDomain } from './attack-case.ts';
import { DISK_DOMAIN } from './disk-attacks.ts';
import { FILE_DOMAINS } from './file-cases.ts';
import { CROWD_DOMAINS } from './http-crowds.ts';
import { HTTP_DOMAINS } from './http-domains.ts';
import { SLOW_DOMAINS } from './http-slow.ts';
import { LINK_DOMAIN } from './robot-cuts.ts';
import { OPERATOR_DOMAINS } from './operator-domains.ts';
import { ROBOT_LIE_DOMAIN } from './robot-lies.ts';
import { ROBOT_FRAME_DOMAIN } from './robot-frames.ts';
import { ROBOT_PLACE_DOMAIN } from './robot-places.ts';
import { ROBOT_SOCKET_DOMAINS } from './robot-sockets.ts';

const USAGE = `Usage: node dist/test/attack/attack-entry.js [--quick] [--only DOMAIN,…] [--report FILE] [--list]

  --quick        without the cases that take long: under two minutes
  --only LIST    these domains only
  --report FILE  the report as Markdown, too
  --list         name the domains and the number of their cases, and end`;

/** Longest time of one case, ms, and of a start or an end of a service: a stall of the machine is not one of ours. */
const CASE_MS = 120_000;
/** Longest reported part of an error, characters. */
const SHOWN_CHARACTERS = 200;

const DOMAINS: readonly AttackDomain[] = [
  ROBOT_LIE_DOMAIN,
  ROBOT_FRAME_DOMAIN,
  ROBOT_PLACE_DOMAIN,
  LINK_DOMAIN,
  ...ROBOT_SOCKET_DOMAINS,
  ...OPERATOR_DOMAINS,
  ...HTTP_DOMAINS,
  ...SLOW_DOMAINS,
  ...CROWD_DOMAINS,
  ...FILE_DOMAINS,
  DISK_DOMAIN,
];

interface Verdict {
  readonly number: number;
  readonly domain: string;
  readonly one: AttackCase;
  readonly held: boolean;
  readonly measured: string;
  readonly seconds: number;
}

/** The result of a promise, or an error when it takes too long. */
async function bounded<T>(what: Promise<T> | T, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${name}: no end after ${CASE_MS / 1000} s`)),
      CASE_MS,
    );
  });
  try {
    return await Promise.race([what, late]);
  } finally {
    clearTimeout(timer);
  }
}

function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS);
}

async function attack(number: number, domain: string, one: AttackCase): Promise<Verdict> {
  const begin = performance.now();
  let held = true;
  let measured: string;
  try {
    measured = await bounded(one.run(), one.attempt);
  } catch (error) {
    held = false;
    measured = sentence(error);
  }
  const seconds = (performance.now() - begin) / 1000;
  const line = one.line === 0 ? '–' : String(one.line);
  console.log(
    `${String(number).padStart(3)} ${domain} [${line}] ${one.attempt}; must: ${one.must}: ${held ? 'holds' : 'DOES NOT HOLD'} (${measured})`,
  );
  return { number, domain, one, held, measured, seconds };
}

function report(verdicts: readonly Verdict[], head: string): string {
  const bad = verdicts.filter(({ held }) => !held);
  return `# Attacks

${head}. ${verdicts.length} cases, ${bad.length} do not hold. In brackets: the line of the attack list (acceptance row less 52); – held from the beginning.

${formatVerdicts(
  verdicts.map(({ number, domain, one, held, measured }) => [
    `${number} ${domain} [${one.line === 0 ? '–' : one.line}] ${one.attempt}`,
    one.must,
    measured,
    held ? 'holds' : 'DOES NOT HOLD',
  ]),
)}
`;
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    report: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const names = values.only?.split(',') ?? DOMAINS.map(({ name }) => name);
if (values.help || names.some((name) => !DOMAINS.some((domain) => domain.name === name))) {
  console.error(USAGE);
  process.exit(2);
}
if (values.list) {
  for (const { name, cases } of DOMAINS) console.log(`${name.padEnd(16)} ${cases.length} cases`);
  process.exit(0);
}
const begin = performance.now();
const verdicts: Verdict[] = [];
let number = 0;
for (const domain of DOMAINS) {
  const cases = domain.cases.map((one) => [++number, one] as const);
  if (!names.includes(domain.name)) continue;
  const chosen = cases.filter(([, one]) => !(values.quick && one.slow));
  if (chosen.length === 0) continue;
  try {
    if (domain.start !== undefined) await bounded(domain.start(), `start of ${domain.name}`);
    for (const [n, one] of chosen) verdicts.push(await attack(n, domain.name, one));
  } catch (error) {
    const [n, one] = chosen[0];
    verdicts.push({
      number: n,
      domain: domain.name,
      one,
      held: false,
      measured: sentence(error),
      seconds: 0,
    });
    console.log(`${domain.name}: DOES NOT HOLD (${sentence(error)})`);
  } finally {
    if (domain.stop !== undefined) {
      await bounded(domain.stop(), `end of ${domain.name}`).catch((error: unknown) => {
        console.log(`${domain.name}: ${sentence(error)}`);
      });
    }
  }
}
const seconds = (performance.now() - begin) / 1000;
const bad = verdicts.filter((verdict) => !verdict.held);
const slowest = verdicts.toSorted((a, b) => b.seconds - a.seconds).slice(0, 5);
console.log(
  `\nslowest: ${slowest.map((v) => `${v.number} (${v.seconds.toFixed(1)} s)`).join(', ')}`,
);
for (const { number: n, one, measured } of bad) {
  console.log(`DOES NOT HOLD: ${n} [${one.line}] ${one.attempt}: ${measured}`);
}
const head = `${availableParallelism()} cores, Linux ${release()}, Node ${process.version}, load ${loadavg()[0].toFixed(1)}, ${seconds.toFixed(0)} s`;
if (values.report !== undefined) {
  mkdirSync(dirname(values.report), { recursive: true });
  writeFileSync(values.report, report(verdicts, head));
}
console.log(
  `${head}: ${verdicts.length} cases, ${verdicts.length - bad.length} hold, ${bad.length} do not hold`,
);
process.exit(bad.length === 0 ? 0 : 1); // a socket of an attack must not keep us
