/**
 * Checks of a machine without measurement: kernel, governor, cores, load, swap, container limits,
 * serial latency timers. All values come from files below one root, so that a test can simulate any
 * machine.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { LatenessReport, Verdict } from './lateness.ts';

/** Result of one check. `note` is neither good nor bad. */
export interface Finding {
  readonly name: string;
  readonly level: Verdict | 'note';
  readonly value: string;
  /** Advice; '' when nothing is to be done. */
  readonly advice: string;
}

const finding = (name: string, level: Finding['level'], value: string, advice = ''): Finding => ({
  name,
  level,
  value,
  advice: level === 'green' ? '' : advice,
});

/** Reads the small text files of /proc and /sys below a root. */
class Machine {
  readonly #root: string;
  constructor(root: string) {
    this.#root = root;
  }
  text(path: string): string {
    try {
      return readFileSync(join(this.#root, path), 'utf8').trim();
    } catch {
      return '';
    }
  }
  list(path: string): string[] {
    try {
      return readdirSync(join(this.#root, path)).sort();
    } catch {
      return [];
    }
  }
  has(path: string): boolean {
    return existsSync(join(this.#root, path));
  }
}

function kernel(machine: Machine): Finding {
  const release = machine.text('proc/sys/kernel/osrelease');
  const version = machine.text('proc/sys/kernel/version');
  const realtime = machine.text('sys/kernel/realtime') === '1' || version.includes('PREEMPT_RT');
  if (release === '') return finding('kernel', 'note', 'not Linux: only the lateness is measured');
  return finding(
    'kernel',
    realtime ? 'green' : 'yellow',
    `${release}${realtime ? ', PREEMPT_RT' : ', not PREEMPT_RT'}`,
    'a PREEMPT_RT kernel bounds the worst wake-up; without it expect rare gaps',
  );
}

function governor(machine: Machine): Finding {
  const cpus = machine.list('sys/devices/system/cpu').filter((name) => /^cpu\d+$/.test(name));
  const governors = new Set(
    cpus
      .map((cpu) => machine.text(`sys/devices/system/cpu/${cpu}/cpufreq/scaling_governor`))
      .filter((text) => text !== ''),
  );
  if (governors.size === 0) {
    return finding('governor', 'note', 'not visible (virtual machine, or fixed frequency)');
  }
  const all = [...governors].sort().join(', ');
  return finding(
    'governor',
    all === 'performance' ? 'green' : 'yellow',
    all,
    'cpupower frequency-set -g performance',
  );
}

function cores(machine: Machine): Finding[] {
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(machine.text('proc/self/status'))?.[1] ?? '';
  let count = 0;
  for (const part of allowed.split(',').filter((text) => text !== '')) {
    const ends = part.split('-').map(Number);
    count += ends.at(-1)! - ends[0] + 1;
  }
  if (count === 0) return [];
  const isolated = machine.text('sys/devices/system/cpu/isolated');
  return [
    finding(
      'cores',
      count === 1 ? 'red' : count < 4 ? 'yellow' : 'green',
      `${count} (${allowed})`,
      count === 1
        ? 'the loop would starve the service: give it two cores at least'
        : 'four cores leave the loop and the link one each',
    ),
    finding(
      'isolated cores',
      isolated === '' ? 'note' : 'green',
      isolated === '' ? 'none' : isolated,
      'isolcpus= on the kernel command line keeps other work off a core',
    ),
  ].concat(load(machine, count));
}

function load(machine: Machine, count: number): Finding {
  const one = Number(machine.text('proc/loadavg').split(' ')[0]);
  return finding(
    'load',
    one > count ? 'yellow' : 'green',
    `${one} on ${count} cores`,
    'other work competes for the cores while this is measured',
  );
}

function swap(machine: Machine): Finding {
  const devices = machine
    .text('proc/swaps')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '');
  return finding(
    'swap',
    devices.length === 0 ? 'green' : 'yellow',
    devices.length === 0 ? 'off' : devices.map((line) => line.split(/\s+/)[0]).join(', '),
    'swapoff -a: a page that comes from disk is a missed tick (memory is not locked)',
  );
}

/** Limit of processor time in cores, from cgroup v2 or v1; Infinity without one. */
function quota(machine: Machine): number {
  for (const line of machine.text('proc/self/cgroup').split('\n')) {
    const [, controllers = '', path = ''] = line.split(':');
    if (path === '') continue;
    if (controllers === '') {
      for (const folder of [path, '/']) {
        const limit = machine.text(`sys/fs/cgroup${folder}/cpu.max`);
        const [most, period] = limit.split(' ');
        if (limit !== '') return most === 'max' ? Infinity : Number(most) / Number(period);
      }
    } else if (controllers.split(',').includes('cpu')) {
      for (const folder of [path, '/']) {
        const base = `sys/fs/cgroup/${controllers}${folder}`;
        const most = machine.text(`${base}/cpu.cfs_quota_us`);
        if (most === '') continue;
        return Number(most) < 0
          ? Infinity
          : Number(most) / Number(machine.text(`${base}/cpu.cfs_period_us`));
      }
    }
  }
  return Infinity;
}

function container(machine: Machine): Finding[] {
  const inside = machine.has('.dockerenv') || machine.has('run/.containerenv');
  const cpus = quota(machine);
  const runtime = Number(machine.text('proc/sys/kernel/sched_rt_runtime_us') || '950000');
  return [
    finding('container', 'note', inside ? 'yes' : 'none seen'),
    finding(
      'processor quota',
      cpus === Infinity ? 'green' : 'yellow',
      cpus === Infinity ? 'none' : `${cpus} cores`,
      'a quota stops all threads of the container at once: use --cpuset-cpus instead of --cpus',
    ),
    finding(
      'real-time share',
      runtime < 0 || runtime >= 500_000 ? 'green' : 'yellow',
      runtime < 0 ? 'unlimited' : `${runtime / 10_000} % of each second`,
      'sysctl kernel.sched_rt_runtime_us=950000: the loop needs about a fifth of one core',
    ),
  ];
}

function clockSource(machine: Machine): Finding[] {
  const source = machine.text('sys/devices/system/clocksource/clocksource0/current_clocksource');
  if (source === '') return [];
  const slow = source === 'hpet' || source === 'acpi_pm' || source === 'jiffies';
  return [
    finding(
      'clock source',
      slow ? 'yellow' : 'green',
      source,
      'each clock read costs microseconds',
    ),
  ];
}

/** Latency timers of USB serial adapters: 16 ms by default, which is sixteen periods. */
function serialTimers(machine: Machine): Finding[] {
  const folder = 'sys/bus/usb-serial/devices';
  return machine.list(folder).flatMap((port) => {
    const timer = machine.text(`${folder}/${port}/latency_timer`);
    if (timer === '') return [];
    return finding(
      `latency timer ${port}`,
      timer === '1' ? 'green' : 'yellow',
      `${timer} ms`,
      `echo 1 > /${folder}/${port}/latency_timer, or a udev rule`,
    );
  });
}

/** All checks, in a practical order. */
export function inspectMachine(root = '/'): Finding[] {
  const machine = new Machine(root);
  return [
    kernel(machine),
    governor(machine),
    ...cores(machine),
    swap(machine),
    ...container(machine),
    ...clockSource(machine),
    ...serialTimers(machine),
  ];
}

/** Checks of the real-time class of the measuring thread. */
export function inspectGrant(report: LatenessReport): Finding[] {
  const slack = report.timerSlack_ns;
  return [
    finding(
      'scheduler class',
      report.realtime ? 'green' : 'yellow',
      report.realtime ? 'SCHED_FIFO obtained' : `ordinary: ${report.reason}`,
      'run as root, with an rtprio limit (ulimit -r 90, or --ulimit rtprio=90 for a container), and install util-linux',
    ),
    finding(
      'timer slack',
      report.realtime || (slack >= 0 && slack <= 1000) ? 'green' : slack < 0 ? 'note' : 'yellow',
      report.realtime ? 'none (real-time class)' : slack < 0 ? 'unknown' : `${slack / 1000} µs`,
      'the kernel may wake the loop this much later',
    ),
  ];
}

/** The worst of all levels. */
export function worst(levels: readonly Finding['level'][]): Verdict {
  if (levels.includes('red')) return 'red';
  return levels.includes('yellow') ? 'yellow' : 'green';
}
