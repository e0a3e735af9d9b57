/** Words for injected faults: a reader of a figure must see that the fault is not the machine's own. */
import { INJECTION_TABLE } from '../../../hil/contract/injections.ts';
import type { LoopNotice } from '../../client/messages.ts';

type InjectedNotice = Extract<LoopNotice, { name: 'injected' }>;

/** Time for which an ended fault is named, ms; instantaneous ones are in no list of the service. */
const NAMED_MS = 10_000;

/** A kind without its unit: "link delay". */
const plain = (kind: string): string =>
  kind.replace(/_(s|N|Bps|ratio|ticks)$/, '').replaceAll('_', ' ');

/** Kinds that are active, and recent ones, each once. */
export function injectedLately(
  present: readonly string[],
  notices: readonly { readonly at_ms: number; readonly notice: LoopNotice }[],
  now_ms: number,
): string[] {
  const lately = notices.flatMap(({ at_ms, notice }) =>
    notice.name === 'injected' && notice.began && now_ms - at_ms < NAMED_MS ? [notice.kind] : [],
  );
  return [...new Set([...present, ...lately])];
}

/** "Faults are injected on purpose: link delay, force noise."; '' without any. */
export function injectedSentence(kinds: readonly string[]): string {
  return kinds.length === 0
    ? ''
    : `Faults are injected on purpose: ${kinds.map(plain).join(', ')}.`;
}

/** A line of the event log: "Fault injected on purpose: late wake, 0.05 s: the next wake-up of the loop is late." */
export function injectionWords({ kind, began, amount }: InjectedNotice): string {
  if (!began) return `Injected fault ended: ${plain(kind)}.`;
  const known = INJECTION_TABLE.find(({ name }) => name === kind);
  const isSwitch = known !== undefined && known.least === known.most;
  const unit = known === undefined || known.unit === '1' ? '' : ` ${known.unit}`;
  const size = amount === undefined || isSwitch ? '' : `, ${amount}${unit}`;
  const does = known === undefined ? '' : `: ${known.text}`;
  return `Fault injected on purpose: ${plain(kind)}${size}${does}.`;
}
