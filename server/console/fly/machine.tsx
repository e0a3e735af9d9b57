/** The checklist to motion, the state of the state machine, and the commands. */
import type { JSX } from 'preact';
import { Panel } from '../shell/panel.tsx';
import { SAFETY_STATES } from '../../../hil/contract/codes.ts';
import { PermitButton } from '../energy/permit-dialog.tsx';
import { levelOf, words } from '../shell/words.ts';
import { loopState } from '../store.ts';
import { Commands } from './commands.tsx';
import { StepsList } from './steps-list.tsx';

/** Arrows between the boxes, in a grid of 4 × 3: [x, y] of the ends in boxes. */
const WAYS: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 1, 0],
  [1, 0, 2, 0],
  [2, 0, 3, 0],
  [0, 1, 1, 1],
  [1, 1, 2, 1],
  [2, 1, 3, 1],
  [0, 2, 1, 2],
  [1, 2, 2, 2],
];

export function MachinePanel(): JSX.Element {
  const now = loopState.value;
  return (
    <Panel name="machine" title="State" aside={<PermitButton />}>
      <StepsList />
      <div class="machine-box">
        <svg class="machine-ways" viewBox="0 0 4 3" preserveAspectRatio="none" aria-hidden="true">
          {WAYS.map(([x1, y1, x2, y2]) => (
            <line
              key={`${x1}${y1}${x2}${y2}`}
              x1={x1 + 0.5}
              y1={y1 + 0.5}
              x2={x2 + 0.5}
              y2={y2 + 0.5}
            />
          ))}
        </svg>
        <ol id="machine" aria-labelledby="h-machine">
          {SAFETY_STATES.map((name) => (
            <li
              key={name}
              data-level={levelOf(name)}
              aria-current={name === now ? 'step' : undefined}
            >
              {words(name)}
            </li>
          ))}
        </ol>
      </div>
      <Commands />
    </Panel>
  );
}
