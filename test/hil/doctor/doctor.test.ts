/** The doctor reads any machine it is shown, judges by the published bands, and measures with the loop's own clock. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { type Finding, inspectGrant, inspectMachine, worst } from '../../../hil/doctor/doctor.ts';
import {
  judgeLateness,
  LATENESS_BANDS,
  type LatenessReport,
  linuxcncBand,
  quantileOf,
} from '../../../hil/doctor/lateness.ts';
import { diagnose, run } from '../../../server/cli/doctor.ts';

let root = '';
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'berth-doctor-'))));
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text + '\n');
}
const look = (name: string): Finding | undefined =>
  inspectMachine(root).find((one) => one.name === name);

const good: LatenessReport = {
  seconds: 1,
  executed: 1000,
  slipped: 0,
  p50_s: 1e-7,
  p99_s: 50e-6,
  p999_s: 200e-6,
  max_s: 1e-3,
  realtime: true,
  reason: '',
  timerSlack_ns: 0,
};

/** A machine with nothing to complain of. */
function fitMachine(): void {
  put('proc/sys/kernel/osrelease', '6.1.0-rt');
  put('proc/sys/kernel/version', '#1 SMP PREEMPT_RT Debian');
  for (const cpu of [0, 1, 2, 3]) {
    put(`sys/devices/system/cpu/cpu${cpu}/cpufreq/scaling_governor`, 'performance');
  }
  put('sys/devices/system/cpu/isolated', '3');
  put('proc/self/status', 'Name:\tnode\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3');
  put('proc/loadavg', '0.20 0.30 0.40 1/200 4242');
  put('proc/swaps', 'Filename\tType\tSize\tUsed\tPriority');
  put('proc/self/cgroup', '0::/');
  put('proc/sys/kernel/sched_rt_runtime_us', '950000');
  put('sys/devices/system/clocksource/clocksource0/current_clocksource', 'tsc');
  put('sys/bus/usb-serial/devices/ttyUSB0/latency_timer', '1');
}

test('a fit machine is green throughout', () => {
  fitMachine();
  const report = diagnose(inspectMachine(root), good);
  assert.deepEqual(report.reasons, []);
  assert.equal(report.verdict, 'green');
});

test('each unfit condition is named with its remedy', () => {
  const cases: [path: string, text: string, name: string, level: string, value: RegExp][] = [
    ['proc/sys/kernel/version', '#1 SMP PREEMPT_DYNAMIC', 'kernel', 'yellow', /not PREEMPT_RT/],
    [
      'sys/devices/system/cpu/cpu2/cpufreq/scaling_governor',
      'powersave',
      'governor',
      'yellow',
      /performance, powersave/,
    ],
    ['proc/self/status', 'Cpus_allowed_list:\t2', 'cores', 'red', /^1 \(2\)/],
    ['proc/self/status', 'Cpus_allowed_list:\t0,2-3', 'cores', 'yellow', /^3 \(0,2-3\)/],
    ['proc/loadavg', '6.5 5 4 1/2 3', 'load', 'yellow', /6.5 on 4/],
    ['proc/swaps', 'Filename Type\n/dev/sda2 partition 1 0 -2', 'swap', 'yellow', /sda2/],
    ['sys/fs/cgroup/cpu.max', '150000 100000', 'processor quota', 'yellow', /1.5 cores/],
    ['proc/sys/kernel/sched_rt_runtime_us', '100000', 'real-time share', 'yellow', /10 %/],
    [
      'sys/devices/system/clocksource/clocksource0/current_clocksource',
      'hpet',
      'clock source',
      'yellow',
      /hpet/,
    ],
    [
      'sys/bus/usb-serial/devices/ttyUSB0/latency_timer',
      '16',
      'latency timer ttyUSB0',
      'yellow',
      /16 ms/,
    ],
  ];
  for (const [path, text, name, level, value] of cases) {
    fitMachine();
    put(path, text);
    const found = look(name);
    assert.equal(found?.level, level, name);
    assert.match(found.value, value);
    assert.notEqual(found.advice, '', name);
  }
});

test('a quota is found in the nested groups of both cgroup versions', () => {
  put('proc/self/cgroup', '0::/system.slice/berth');
  put('sys/fs/cgroup/system.slice/berth/cpu.max', 'max 100000');
  assert.equal(look('processor quota')?.level, 'green');
  put('sys/fs/cgroup/system.slice/berth/cpu.max', '50000 100000');
  assert.equal(look('processor quota')?.value, '0.5 cores');
  put('proc/self/cgroup', '4:cpu,cpuacct:/docker/abc');
  put('sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us', '200000');
  put('sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us', '100000');
  assert.equal(look('processor quota')?.value, '2 cores');
});

test('a machine that tells nothing is not judged', () => {
  assert.equal(worst(inspectMachine(root).map((one) => one.level)), 'green');
});

test('lateness is judged at the documented bands, inclusive below', () => {
  const levels = (change: Partial<LatenessReport>): string =>
    worst(judgeLateness({ ...good, ...change }).map((one) => one.verdict));
  for (const figure of ['p99_s', 'p999_s', 'max_s'] as const) {
    const { yellow, red } = LATENESS_BANDS[figure];
    assert.equal(levels({ [figure]: yellow }), 'green', figure);
    assert.equal(levels({ [figure]: yellow * 1.01 }), 'yellow', figure);
    if (red !== Infinity) assert.equal(levels({ [figure]: red * 1.01 }), 'red', figure);
  }
  assert.equal(levels({ executed: 980, slipped: 20 }), 'green');
  assert.equal(levels({ executed: 970, slipped: 30 }), 'yellow');
  assert.equal(levels({ executed: 900, slipped: 100 }), 'red');
  // one stall of the machine of 100 ms is a reason to look, not a verdict
  assert.equal(levels({ max_s: 0.1 }), 'yellow');
});

test('a thread without the real-time class is yellow and says why', () => {
  const found = inspectGrant({ ...good, realtime: false, reason: 'Operation not permitted' });
  assert.equal(found[0].level, 'yellow');
  assert.match(found[0].value, /Operation not permitted/);
  assert.equal(
    inspectGrant({ ...good, realtime: false, timerSlack_ns: 50_000 })[1].level,
    'yellow',
  );
});

test('a red figure is the first reason and the verdict', () => {
  fitMachine();
  put('proc/loadavg', '9 9 9 1/2 3');
  const report = diagnose(inspectMachine(root), { ...good, p99_s: 2e-3 });
  assert.equal(report.verdict, 'red');
  assert.match(
    report.reasons[0],
    /^red: lateness p99 is 2[.]00 ms — yellow above 100 µs, red above 500 µs$/,
  );
  assert.match(report.reasons[1], /^yellow: load/);
});

test('quantiles are order statistics', () => {
  const sorted = Float64Array.from({ length: 1000 }, (_, i) => i + 1);
  assert.deepEqual(
    [0, 0.5, 0.99, 0.999, 1].map((q) => quantileOf(sorted, q)),
    [1, 500, 990, 999, 1000],
  );
  assert.equal(quantileOf(new Float64Array(0), 0.5), 0);
});

test('bands of LinuxCNC are those of its latency-test page', () => {
  assert.deepEqual([10e-6, 30e-6, 200e-6, 501e-6].map(linuxcncBand), [
    'good',
    'usable',
    'with step hardware only',
    'unacceptable',
  ]);
});

test('options out of range are refused by name', async () => {
  for (const seconds of ['0', '601', '1.5', 'ten']) {
    await assert.rejects(run(['--seconds', seconds]), (error: Error) => {
      assert.match(error.message, /--seconds .*1 to 600/);
      assert.ok(error.message.includes(`"${seconds}"`));
      return true;
    });
  }
  await assert.rejects(run(['--priority', '91']), /--priority .*0 to 90/);
});
