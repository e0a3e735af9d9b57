/**
 * One engine with one scene in a process of its own, for `npm run bench:step`. It first runs other scenes when it is told so: V8 then
 * has seen other types, as in a process that lives long. It answers each `round` with the processor time of a step.
 */
import { loadPeer, type PeerName } from './peers/peers.ts';
import { FREE_SCENES } from './step/free-scenes.ts';
import type { Answer, Subject } from './step/subject-process.ts';
import { BEFORE, BEFORE_PEER, type Timed, timedBerth, timedFree, yardstick } from './step/timed.ts';

/** Processor time of a round, and of what comes before the first one, µs. */
const ROUND_US = 5e3;
const WARM_UP_US = 2e5;
/** Of each of the other scenes. */
const OTHER_US = 5e4;

const subject = JSON.parse(process.argv[2]) as Subject;
let consumed = 0;

/** Processor time that the process has used, µs, all its threads: compilers and collectors count. */
function cpu_us(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Time of one block. */
function block(timed: Timed, steps: number): number {
  timed.prepare();
  const start = cpu_us();
  consumed += timed.run(steps);
  return cpu_us() - start;
}

/** Runs blocks for a while. @returns the least time of a step, µs */
function warm(timed: Timed, until_us: number): number {
  let steps = timed.block === 0 ? 20 : timed.block;
  let least = Number.POSITIVE_INFINITY;
  for (let spent = 0; spent < until_us; ) {
    const time = block(timed, steps);
    spent += time;
    least = Math.min(least, Math.max(time, 1) / steps);
    if (timed.block === 0 && time < ROUND_US / 10) steps *= 2;
  }
  return least;
}

/** What runs under a name; null for a peer that is absent. */
async function maker(): Promise<((scene: string) => Timed) | null> {
  if (subject.engine === 'yardstick') return yardstick;
  if (subject.engine === 'Berth') return timedBerth;
  const engine = await loadPeer(subject.engine as PeerName);
  return engine && ((scene) => timedFree(engine, FREE_SCENES[scene]));
}

/** The name of the engine, and how it computes contact. */
async function words(): Promise<readonly [name: string, contact: string]> {
  if (subject.engine === 'yardstick') return ['yardstick', ''];
  if (subject.engine === 'Berth') {
    const free = FREE_SCENES[subject.scene] as (typeof FREE_SCENES)[string] | undefined;
    return ['Berth', free?.berth.contact ?? ''];
  }
  const engine = await loadPeer(subject.engine as PeerName);
  return engine === null ? [subject.engine, 'absent'] : [engine.name, engine.contact];
}

const answer = (message: Answer): void => {
  process.send!(message);
};

async function main(): Promise<void> {
  const make = await maker();
  const [name, contact] = await words();
  if (make === null) {
    answer({ kind: 'ready', absent: true, name, contact, result: null, round_us: 0 });
    return;
  }
  if (subject.after) {
    const others = subject.engine === 'Berth' ? BEFORE : BEFORE_PEER;
    for (const other of others) {
      if (other !== subject.scene) warm(make(other), OTHER_US);
    }
  }
  const timed = make(subject.scene);
  const each = warm(timed, WARM_UP_US);
  const steps = timed.block === 0 ? Math.max(1, Math.round(ROUND_US / each)) : timed.block;
  const blocks = timed.block === 0 ? 1 : Math.max(1, Math.round(ROUND_US / each / steps));
  process.on('message', (message) => {
    if (message === 'end') {
      process.disconnect();
      return;
    }
    let time = 0;
    for (let k = 0; k < blocks; k++) time += block(timed, steps);
    if (Number.isNaN(consumed)) throw new Error('a scene gave no number');
    answer({ kind: 'round', each_us: time / blocks / steps });
  });
  answer({
    kind: 'ready',
    absent: false,
    name,
    contact,
    result: subject.result ? timed.result() : null,
    round_us: each * steps * blocks,
  });
}

await main();
