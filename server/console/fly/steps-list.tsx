/** The checklist from a loaded page to a moving arm, with all that blocks, first in the panel of the state. */
import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { whyDeadman } from '../devices/deadman.tsx';
import { deadmanSentence, motionSentence } from '../devices/device-words.ts';
import { feed, follow, inUse } from '../devices/hand.ts';
import { permit, permitNeeded } from '../energy/permit-state.ts';
import { KeyText } from '../shell/key-text.tsx';
import { cause } from '../shell/words.ts';
import { authority, connection, holding, operator, session, status } from '../store.ts';
import { RequestButton } from './authority-panel.tsx';
import { flightSteps, type Mark, nextStep, type ServiceFacts, type Step } from './steps.ts';

/** Commanded twist below which nothing is asked of the arm, m/s and rad/s. */
const REST = 1e-6;

/** Facts of the service; those of the device are read at each drawing. */
const facts = computed<ServiceFacts | null>(() => {
  const now = status.value;
  if (connection.value !== 'up' || now === null) return null;
  const { holder, asking } = authority.value;
  return {
    state: now.state,
    blockers: now.arm_blockers,
    causes: [...new Set([...now.faults, ...now.holds])].map((code) => cause(code)),
    hasRobot: now.robot_address !== '',
    permit: { ...permit.value, blocks: permitNeeded.value },
    operates: operator.value !== null,
    holder,
    holds: holding.value,
    waits: asking !== 0 && asking === session.value,
    deadman: now.operator?.deadman ?? false,
    moves: now.operator?.command.some((value) => Math.abs(value) > REST) ?? false,
  };
});

const MARKS: Readonly<Record<Mark, string>> = { done: '●', open: '○', note: '▲' };
const SPOKEN: Readonly<Record<Mark, string>> = { done: 'done', open: 'open', note: 'note' };

function StepItem({
  step,
  isNext,
}: {
  readonly step: Step;
  readonly isNext: boolean;
}): JSX.Element {
  const { name, mark, text, causes = [] } = step;
  const asks = name === 'authority' && mark === 'open' && operator.value !== null;
  return (
    <li data-step={name} data-mark={mark} aria-current={isNext ? 'step' : undefined}>
      <span class="step-mark" role="img" aria-label={SPOKEN[mark]}>
        {isNext ? '▶' : MARKS[mark]}
      </span>
      <span class="step-text">
        <KeyText text={text} />
      </span>
      {asks ? <RequestButton /> : null}
      {causes.length === 0 ? null : (
        <ul id="causes" aria-label="Hold or fault">
          {causes.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
    </li>
  );
}

export function StepsList(): JSX.Element {
  follow(); // the deadman changes with every reading
  const known = facts.value;
  if (known === null) return <p class="hint">Nothing is known of the arm now.</p>;
  const kind = inUse.value?.kind ?? null;
  const steps = flightSteps({
    ...known,
    deadmanTrouble: whyDeadman(),
    deadmanWords: deadmanSentence(kind, feed.profile),
    motionWords: motionSentence(kind, feed.profile, status.value?.hand_mode),
  });
  const next = nextStep(steps);
  return (
    <ol id="steps" aria-label="From here to motion">
      {steps.map((step) => (
        <StepItem key={step.name} step={step} isNext={step.name === next} />
      ))}
    </ol>
  );
}
