/** Mode of the hand controllers, the effect of each axis, and reasons that block a change. */
import type { JSX } from 'preact';
import type { RobotDescription } from '../../client/messages.ts';
import { Panel } from '../shell/panel.tsx';
import { Word } from '../shell/value.tsx';
import { status, welcome } from '../store.ts';
import { ModeChoice, whyNotMode } from './mode-choice.tsx';
import { axesWords, modeName } from './mode-words.ts';

export function ModePanel({ robot }: { readonly robot: RobotDescription | null }): JSX.Element {
  const mode = status.value?.hand_mode;
  const operator = welcome.value?.operator;
  return (
    <Panel
      name="mode"
      title="Mode"
      aside={<Word id="mode-now" text={mode === undefined ? '—' : modeName(mode, robot)} />}
    >
      {mode === undefined ? (
        <p class="hint">Nothing is flown in this scenario.</p>
      ) : (
        <>
          <ModeChoice robot={robot} />
          <ul class="mode-words">
            {operator === undefined
              ? null
              : axesWords(mode, robot, operator).map((line) => <li key={line}>{line}</li>)}
          </ul>
          <p class="hint" id="mode-why">
            {whyNotMode() || 'Can be changed now.'} A stop, and another holder of authority, go back
            to rate.
          </p>
        </>
      )}
    </Panel>
  );
}
