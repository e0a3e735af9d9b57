/** `berth doctor`: is this machine fit for 1 kHz? */
import { parseArgs } from 'node:util';

import { type Finding, inspectGrant, inspectMachine, worst } from '../../hil/doctor/doctor.ts';
import {
  judgeLateness,
  LATENESS_BANDS,
  type LatenessFinding,
  type LatenessReport,
  linuxcncBand,
  measureLateness,
  type Verdict,
} from '../../hil/doctor/lateness.ts';
import { BerthError } from '../../src/base/errors.ts';

export const usage = `berth doctor [--seconds N] [--priority P] [--json]

  Looks at the machine and measures for N seconds (default 5) how late it wakes a 1 ms loop.
  Exit 0 for green and yellow, 1 for red, 2 for a wrong option.

  --seconds N    1 to 600; measure under the load that you expect
  --priority P   SCHED_FIFO priority to ask for, 0 to 90 (default 80; 0 asks for none)
  --json         one JSON object instead of a table`;

const LABELS: Record<LatenessFinding['name'], string> = {
  p99_s: 'lateness p99',
  p999_s: 'lateness p99.9',
  max_s: 'lateness max',
  slippedRatio: 'periods dropped',
};

/** The whole examination. */
export interface DoctorReport {
  readonly verdict: Verdict;
  /** What keeps the verdict from green, worst first. */
  readonly reasons: readonly string[];
  readonly findings: readonly Finding[];
  readonly lateness: LatenessReport;
  readonly linuxcnc_band: string;
}

function integer(text: string, name: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new BerthError(
    'BERTH_USAGE',
    `Expected --${name} to be a whole number from ${least} to ${most}, got "${text}"`,
    { field: name },
  );
}

const duration = (seconds: number): string =>
  seconds < 1e-3 ? `${(seconds * 1e6).toPrecision(3)} µs` : `${(seconds * 1e3).toPrecision(3)} ms`;

function latenessFindings(report: LatenessReport): Finding[] {
  return judgeLateness(report).map(({ name, value, verdict }) => {
    const share = name === 'slippedRatio';
    const show = (x: number): string => (share ? `${(x * 100).toFixed(2)} %` : duration(x));
    const { yellow, red } = LATENESS_BANDS[name];
    const above = red === Infinity ? '' : `, red above ${show(red)}`;
    return {
      name: LABELS[name],
      level: verdict,
      value: show(value),
      advice: verdict === 'green' ? '' : `yellow above ${show(yellow)}${above}`,
    };
  });
}

/** Put findings and measurement together; a pure function of both. */
export function diagnose(machine: readonly Finding[], lateness: LatenessReport): DoctorReport {
  const findings = [...machine, ...inspectGrant(lateness), ...latenessFindings(lateness)];
  const reasons = (['red', 'yellow'] as const).flatMap((level) =>
    findings
      .filter((one) => one.level === level)
      .map((one) => `${level}: ${one.name} is ${one.value} — ${one.advice}`),
  );
  return {
    verdict: worst(findings.map((one) => one.level)),
    reasons,
    findings,
    lateness,
    linuxcnc_band: linuxcncBand(lateness.max_s),
  };
}

function table(report: DoctorReport): string {
  const { lateness } = report;
  const width = Math.max(...report.findings.map((one) => one.name.length));
  const lines = report.findings.map((one) => {
    const advice = one.advice === '' ? '' : `  (${one.advice})`;
    return `  ${one.level.padEnd(6)}  ${one.name.padEnd(width)}  ${one.value}${advice}`;
  });
  const quantiles = [
    `p50 ${duration(lateness.p50_s)}`,
    `p99 ${duration(lateness.p99_s)}`,
    `p99.9 ${duration(lateness.p999_s)}`,
    `max ${duration(lateness.max_s)}`,
  ].join(', ');
  return [
    ...lines,
    '',
    `  wake lateness of ${lateness.executed} ticks in ${lateness.seconds} s: ${quantiles}`,
    `  ${lateness.slipped} periods dropped; LinuxCNC calls such a maximum "${report.linuxcnc_band}"`,
    '',
    `  verdict: ${report.verdict}`,
  ].join('\n');
}

/** Run the command. @returns exit code */
export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      seconds: { type: 'string', default: '5' },
      priority: { type: 'string', default: '80' },
      json: { type: 'boolean', default: false },
    },
  });
  const seconds = integer(values.seconds, 'seconds', 1, 600);
  const priority = integer(values.priority, 'priority', 0, 90);
  const machine = inspectMachine();
  if (!values.json) console.error(`measuring wake lateness for ${seconds} s …`);
  const lateness = await measureLateness({ seconds, priority, period_s: 0.001, spin_s: 0.0002 });
  const report = diagnose(machine, lateness);
  console.log(values.json ? JSON.stringify(report, null, 2) : table(report));
  if (report.verdict !== 'red') return 0;
  console.error(report.reasons[0]);
  return 1;
}
