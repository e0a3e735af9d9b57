/** ARM, HOLD, RESUME, CLEAR. A button whose command would be refused stays and shows the reason. */
import type { JSX } from 'preact';
import { RobotSafety } from '../../../hil/contract/codes.ts';
import { openPermit, permitNeeded } from '../energy/permit-state.ts';
import { actions, connection, holding, operator, notify, status } from '../store.ts';
import { clear } from './clear-state.ts';

/** Reason why a command would be refused now; '' when it would not. */
type Reason = () => string;

const lost: Reason = () => (connection.value === 'up' ? '' : 'there is no connection.');
const mayFly: Reason = () => {
  if (operator.value === null) return 'this page may only look and stop.';
  return holding.value ? '' : 'this page does not hold authority.';
};
const inState = (accept: (state: string) => boolean, text: string): Reason => {
  return () => (accept(status.value?.state ?? '') ? '' : text);
};
/**
 * The loop's reasons before this page's, because they are more specific. The command itself asks
 * for the permit when only that is missing.
 */
const ready: Reason = () => {
  const blockers = status.value?.arm_blockers ?? [];
  return permitNeeded.value && blockers.length === 1 ? '' : (blockers[0]?.toLowerCase() ?? '');
};

const first = (...reasons: readonly Reason[]): string => {
  for (const reason of reasons) {
    const text = reason();
    if (text !== '') return text;
  }
  return '';
};

interface Command {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly act: () => Promise<unknown>;
  readonly refused: () => string;
}

const COMMANDS: readonly Command[] = [
  {
    id: 'arm',
    title: 'Arm',
    hint: 'Arm: the set-point goes to the robot’s pose, then the arm follows the hand controllers.',
    act: async () => {
      const answer = await actions.arm();
      if (answer.code === 'permit_needed') openPermit();
    },
    refused: () => first(lost, mayFly, ready),
  },
  {
    id: 'hold',
    title: 'Hold',
    hint: 'Controlled stop, power kept.',
    act: actions.hold,
    refused: () =>
      first(
        lost,
        inState((state) => state === 'ARMING' || state.startsWith('ACTIVE'), 'nothing moves.'),
      ),
  },
  {
    id: 'resume',
    title: 'Resume',
    hint: 'Leave HOLD; needs centred hand controllers and a new press of the deadman.',
    act: actions.resume,
    refused: () =>
      first(
        lost,
        inState((state) => state === 'HOLD', 'nothing is held.'),
        mayFly,
      ),
  },
  {
    id: 'clear',
    title: 'Clear',
    hint: 'Clear a hold, or a latched fault whose cause has gone: this asks for the reason.',
    act: clear,
    refused: () =>
      first(
        lost,
        // a CLEAR that was lost on the way leaves the robot stopped, and is sent again
        inState(
          (state) => ['HOLD', 'FAULT', 'ESTOP'].includes(state) || robotStopped(),
          'there is no hold or fault.',
        ),
      ),
  },
];

/** Whether the robot has stopped on its own. */
function robotStopped(): boolean {
  return status.value?.link?.robot_safety === RobotSafety.PROTECTIVE;
}

export function Commands(): JSX.Element {
  return (
    <div class="commands" role="group" aria-label="Commands">
      {COMMANDS.map((command) => (
        <CommandButton key={command.id} {...command} />
      ))}
    </div>
  );
}

/** Not `disabled`, so that it is reachable by keyboard and screen readers read the reason. */
function CommandButton({ id, title, hint, act, refused }: Command): JSX.Element {
  const reason = refused();
  const open = reason === '';
  return (
    <button
      id={id}
      type="button"
      aria-disabled={!open}
      title={open ? hint : `Not now: ${reason}`}
      onClick={() => {
        if (open) void act();
        else notify(`${title}: ${reason}`, 'info');
      }}
    >
      {title}
    </button>
  );
}
