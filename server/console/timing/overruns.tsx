/** Missed periods, newest first, each with its cause. */
import type { JSX } from 'preact';
import type { Overrun } from '../../client/messages.ts';
import { duration, fixed, words } from '../shell/words.ts';

const CAUSES: Readonly<Record<string, string>> = {
  late_wake: 'Woken late: the machine was busy.',
  step_long: 'The tick took longer than its period.',
  io_block: 'Input or output held the tick up.',
  clock_jump: 'The clock ran backwards.',
  stall: 'The machine or the process stood still.',
};

/** Cause of a missed period as a sentence. */
export const missWords = (cause: string): string => CAUSES[cause] ?? `${words(cause)}.`;

/** Table of the newest overruns; `overruns` has the newest last. */
export function OverrunTable({ overruns }: { readonly overruns: readonly Overrun[] }): JSX.Element {
  if (overruns.length === 0)
    return <p class="hint">No period was missed since the loop started.</p>;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Missed periods">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              Loop time
            </th>
            <th scope="col">Cause</th>
            <th scope="col" class="number">
              Late by
            </th>
            <th scope="col" class="number">
              Periods dropped
            </th>
          </tr>
        </thead>
        <tbody>
          {overruns.toReversed().map((overrun) => (
            <tr key={overrun.tick}>
              <td class="number">{fixed(overrun.time_s, 3)} s</td>
              <td>{missWords(overrun.cause)}</td>
              <td class="number">{duration(overrun.lateness_s)}</td>
              <td class="number">{overrun.slipped}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
