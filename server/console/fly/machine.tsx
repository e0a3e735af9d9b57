/** State of the state machine, its cause, and the reasons that block ARM. */
import type { JSX } from 'preact';
import { Panel } from '../shell/panel.tsx';
import { SAFETY_STATES } from '../../../hil/contract/codes.ts';
import { PermitButton } from '../energy/permit-dialog.tsx';
import { cause, levelOf, words } from '../shell/words.ts';
import { connection, holding, loopState, operator, status } from '../store.ts';
import { Commands } from './commands.tsx';

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
  const state = status.value;
  const known = connection.value === 'up' && state !== null;
  const causes = known
    ? [...new Set([...state.faults, ...state.holds])].map((code) => cause(code))
    : [];
  const blockers = known ? blockersOf(state.arm_blockers, state.state) : [];
  return (
    <Panel name="machine" title="State" aside={<PermitButton />}>
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
      <dl class="why">
        <dt id="h-causes">Hold or fault</dt>
        <dd>
          <Lines id="causes" texts={known ? causes : null} none="None." />
        </dd>
        <dt id="h-blockers">Blocks ARM</dt>
        <dd>
          <Lines id="blockers" texts={known ? blockers : null} none="Nothing." />
        </dd>
      </dl>
    </Panel>
  );
}

/** Blockers of the loop, plus that of this page without authority. */
function blockersOf(reported: readonly string[], state: string): readonly string[] {
  if (state !== 'MONITOR_READY' || reported.length > 0 || holding.value) return reported;
  return [
    operator.value === null
      ? 'This page may only look and stop.'
      : 'Another session holds authority.',
  ];
}

interface LinesProps {
  readonly id: string;
  /** null: unknown. */
  readonly texts: readonly string[] | null;
  readonly none: string;
}

function Lines({ id, texts, none }: LinesProps): JSX.Element {
  const shown = texts === null ? ['—'] : texts.length === 0 ? [none] : texts;
  return (
    <ul id={id} aria-labelledby={`h-${id}`}>
      {shown.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
