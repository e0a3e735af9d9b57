/**
 * The way from a loaded page to a moving arm, as a checklist: what is done, what blocks, and what a
 * person does about it. Keys stand in square brackets, names of buttons in quotation marks.
 */

/** `open` blocks; `note` is said and does not block by itself. */
export type Mark = 'done' | 'open' | 'note';

export type StepName =
  | 'robot'
  | 'stops'
  | 'recording'
  | 'permit'
  | 'authority'
  | 'deadman'
  | 'arm'
  | 'move';

export interface Step {
  readonly name: StepName;
  readonly mark: Mark;
  readonly text: string;
  /** Causes below it. */
  readonly causes?: readonly string[];
}

/** What the checklist is made from, of the service. */
export interface ServiceFacts {
  readonly state: string;
  /** Reasons of the loop against ARM, most important first. */
  readonly blockers: readonly string[];
  /** Latched faults and causes of a hold, as sentences. */
  readonly causes: readonly string[];
  /** The service has a robot. */
  readonly hasRobot: boolean;
  /** Word of the permit, the sentence to it, and whether it keeps ARM back. */
  readonly permit: { readonly word: string; readonly sentence: string; readonly blocks: boolean };
  /** Whether this page may ask for authority, its holder (0: none), and whether that is this page. */
  readonly operates: boolean;
  readonly holder: number;
  readonly holds: boolean;
  readonly waits: boolean;
  /** Whether the loop has the deadman. */
  readonly deadman: boolean;
  /** Whether a motion is commanded. */
  readonly moves: boolean;
}

/** What the checklist is made from. */
export interface Facts extends ServiceFacts {
  /** Why a pressed deadman would not count; '' when it would. */
  readonly deadmanTrouble: string;
  /** What is held as deadman, and what moves the arm. */
  readonly deadmanWords: string;
  readonly motionWords: string;
}

const BEFORE_READY: readonly string[] = ['OFFLINE', 'CONNECTING', 'SYNCED', 'MONITOR_WAIT'];
const RECORDING = /^Recording is required/;
const ROBOT_STOPPED = /^The robot (is in protective stop|tells a fault)/;

const isActive = (state: string): boolean => state.startsWith('ACTIVE');

function robotStep({ state, blockers, hasRobot }: Facts): Step {
  const reason = blockers.find((text) => !RECORDING.test(text) && !ROBOT_STOPPED.test(text));
  if (BEFORE_READY.includes(state) && reason !== undefined) {
    const text = state === 'OFFLINE' ? 'The robot is not connected: see page Link.' : reason;
    return { name: 'robot', mark: 'open', text };
  }
  return { name: 'robot', mark: 'done', text: hasRobot ? 'Robot connected' : 'No robot needed' };
}

function stopsStep({ state, blockers, causes }: Facts): Step {
  const step = (mark: Mark, text: string): Step => ({ name: 'stops', mark, text, causes });
  const stopped = blockers.find((text) => ROBOT_STOPPED.test(text));
  if (state === 'FAULT') return step('open', 'Stopped by a fault. Press “Clear” and say why.');
  if (state === 'ESTOP') {
    return step('open', 'Emergency stop: release it at the robot, then press “Clear”.');
  }
  if (state === 'STOPPING') return step('open', 'The arm is being stopped.');
  if (stopped !== undefined)
    return step('open', stopped.replace('then clear.', 'then press “Clear”.'));
  if (state === 'HOLD') return step('note', 'The arm is held. It goes on as below.');
  return causes.length > 0 ? step('note', 'Still told:') : step('done', 'No hold, no fault');
}

function recordingSteps({ blockers }: Facts): Step[] {
  const lost = blockers.find((text) => RECORDING.test(text));
  return lost === undefined ? [] : [{ name: 'recording', mark: 'open', text: lost }];
}

function permitStep({ permit }: Facts): Step {
  return permit.blocks
    ? { name: 'permit', mark: 'open', text: `${permit.sentence} Press “Permit” and decide.` }
    : { name: 'permit', mark: 'done', text: `Contact permit: ${permit.word}` };
}

function authorityStep({ operates, holder, holds, waits }: Facts): Step {
  const step = (mark: Mark, text: string): Step => ({ name: 'authority', mark, text });
  if (holds) return step('done', 'This page has authority');
  if (!operates) return step('open', 'This page may only look and stop.');
  if (holder === 0) return step('open', 'Nobody has authority.');
  return waits
    ? step('open', `It has 10 s to answer.`)
    : step('open', `Session ${holder} has authority.`);
}

function deadmanStep({ holds, deadman, deadmanTrouble, deadmanWords }: Facts): Step {
  if (holds && deadman) return { name: 'deadman', mark: 'done', text: 'Deadman held' };
  const trouble = holds && deadmanTrouble !== '' ? deadmanTrouble : deadmanWords;
  return { name: 'deadman', mark: 'open', text: trouble };
}

function armStep({ state }: Facts): Step {
  const step = (mark: Mark, text: string): Step => ({ name: 'arm', mark, text });
  if (isActive(state)) return step('done', 'Armed');
  if (state === 'ARMING') return step('open', 'The arm is being armed …');
  return step('open', state === 'HOLD' ? 'Press “Resume”.' : 'Press “Arm”.');
}

function moveStep({ state, moves, motionWords }: Facts): Step {
  const moving = isActive(state) && moves;
  return { name: 'move', mark: moving ? 'done' : 'open', text: motionWords };
}

/** The checklist in its order. */
export function flightSteps(facts: Facts): Step[] {
  return [
    robotStep(facts),
    stopsStep(facts),
    ...recordingSteps(facts),
    authorityStep(facts),
    permitStep(facts), // only who has authority may answer it
    deadmanStep(facts),
    armStep(facts),
    moveStep(facts),
  ];
}

/** The step that comes next: the first open one; null when the arm moves. */
export function nextStep(steps: readonly Step[]): StepName | null {
  return steps.find(({ mark }) => mark === 'open')?.name ?? null;
}
