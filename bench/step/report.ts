/** Tables of a run, for the terminal and for docs/benchmarks.md. */
import { formatTable } from '../../test/fixtures/table.ts';
import { digits } from '../rounds.ts';
import type { Figure, Measured, MeasuredCase } from './measure.ts';
import { exponent, GROWTHS, MOST_EXPONENT, STEP_CASES, type StepCase } from './step-cases.ts';

const none = '–';

const time = (figure: Figure | null): string => (figure === null ? none : digits(figure.median_us));

/** The slower of both ways: what a long-lived process pays. */
const worse = ({ alone, after }: Measured): number =>
  Math.max(alone?.median_us ?? 0, after?.median_us ?? 0);

const berthOf = (one: MeasuredCase): Measured =>
  one.engines.find(({ engine }) => engine === 'Berth')!;

/** The fastest peer, alone, of those that come out about right; null for a case without peers. */
export function bestPeer(one: MeasuredCase): Measured | null {
  const peers = one.engines.filter(
    ({ engine, alone, holds }) => engine !== 'Berth' && alone !== null && holds,
  );
  if (peers.length === 0) return null;
  return peers.reduce((best, peer) =>
    peer.alone!.median_us < best.alone!.median_us ? peer : best,
  );
}

/** Berth's slower time over the best peer's; null without peers. */
export function ratioToPeer(one: MeasuredCase): number | null {
  const peer = bestPeer(one);
  return peer && worse(berthOf(one)) / peer.alone!.median_us;
}

function judge({ most_us, mostRatio }: StepCase, one: MeasuredCase): string {
  if (most_us === undefined) return none;
  const ratio = ratioToPeer(one);
  const fast = worse(berthOf(one)) <= most_us;
  const best = mostRatio === undefined || ratio === null || ratio <= mostRatio;
  return fast && best ? 'met' : 'missed';
}

function findCase(cases: readonly MeasuredCase[], scene: string): MeasuredCase | undefined {
  return cases.find((one) => one.scene === scene);
}

/** Berth in every case, beside its target and the best peer. */
export function summaryTable(cases: readonly MeasuredCase[], aligned?: boolean): string {
  const rows = STEP_CASES.flatMap((step) => {
    const one = findCase(cases, step.scene);
    if (one === undefined) return [];
    const berth = berthOf(one);
    const peer = bestPeer(one);
    const ratio = ratioToPeer(one);
    const ways = berth.alone && berth.after;
    return [
      [
        step.target ?? none,
        step.title,
        time(berth.alone),
        time(berth.after),
        ways ? (ways.median_us / berth.alone.median_us).toFixed(2) : none,
        peer === null ? none : `${peer.name} ${time(peer.alone)}`,
        ratio === null ? none : ratio.toPrecision(2),
        step.most_us === undefined ? none : String(step.most_us),
        step.mostRatio === undefined ? none : String(step.mostRatio),
        judge(step, one),
      ],
    ];
  });
  const head = ['', 'µs a step', 'alone', 'after others', 'after/alone', 'best peer', 'ratio'];
  return formatTable([...head, 'target µs', 'target ratio', ''], rows, aligned);
}

/** Exponents of the growth from 1 to 100 pairs; empty where a run left them out. */
export function growthTable(cases: readonly MeasuredCase[], aligned?: boolean): string {
  const rows = GROWTHS.flatMap(({ name, scenes }) => {
    const found = scenes.map((scene) => findCase(cases, scene));
    if (found.includes(undefined)) return [];
    return (['alone', 'after'] as const).map((way) => {
      const times = found.map((one) => berthOf(one!)[way]!.median_us);
      const slope = exponent(times);
      return [
        `${name}, ${way === 'alone' ? 'alone' : 'after others'}`,
        ...times.map((each) => digits(each)),
        slope.toFixed(2),
        slope <= MOST_EXPONENT ? 'met' : 'missed',
      ];
    });
  });
  if (rows.length === 0) return '';
  const head = ['P10: pairs, µs a step', '1', '4', '12', '40', '100', 'exponent'];
  return formatTable([...head, `target ${MOST_EXPONENT}`], rows, aligned);
}

function outcome({ missing, result, holds }: Measured): string {
  if (missing !== '') return missing.slice(0, 100);
  return holds ? result : `**wrong**: ${result}`;
}

/** Every engine in one case, fastest first. */
export function engineTable(one: MeasuredCase, aligned?: boolean): string {
  const step = STEP_CASES.find(({ scene }) => scene === one.scene)!;
  const least = Math.min(...one.engines.map(({ alone }) => alone?.median_us ?? Infinity));
  const order = (engine: Measured): number => engine.alone?.median_us ?? Infinity;
  const rows = [...one.engines]
    .sort((a, b) => order(a) - order(b) || (a.name < b.name ? -1 : 1))
    .map((engine) => [
      engine.name,
      time(engine.alone),
      time(engine.after),
      engine.alone === null ? none : (engine.alone.median_us / least).toPrecision(2),
      engine.alone === null ? none : `${(100 * engine.alone.spread).toFixed(0)} %`,
      outcome(engine),
    ]);
  const head = [step.title, 'alone, µs', 'after others', 'over the fastest', 'spread'];
  return formatTable([...head, 'what came out'], rows, aligned);
}

/** Cases that peers run. */
export function peerCases(cases: readonly MeasuredCase[]): MeasuredCase[] {
  return cases.filter(({ engines }) => engines.length > 1);
}

/** What each engine computes, once each; absent ones are named. */
export function engineWords(cases: readonly MeasuredCase[]): string[] {
  const words = new Map<string, string>();
  for (const { engines } of cases) {
    for (const { engine, name, contact, missing } of engines) {
      if (missing === 'absent') words.set(name, 'absent: its package is not installed');
      else if (contact !== '') words.set(engine === 'Berth' ? contact : name, contact);
    }
  }
  return [...words].map(([name, contact]) =>
    name === contact ? `Berth: ${contact}` : `${name}: ${contact}`,
  );
}
