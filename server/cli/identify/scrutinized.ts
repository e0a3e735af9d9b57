/** A procedure on its data, and what more is asked of what it found: all that a member of a team computes. */
import type { Team } from '../../../src/identify/team.ts';
import { heldOut, profileInterval } from '../../../src/identify/scrutiny.ts';
import type { Choice, Findings } from './findings.ts';
import { readMeasured } from './measured-data.ts';
import { PROCEDURES } from './procedures.ts';

/** What is asked. */
export interface Task {
  readonly path: string;
  readonly procedure: string;
  /** Of the base frame, along the normal of the plate: 0, 1 or 2. */
  readonly axis: number;
  readonly choice: Choice;
  readonly profile: boolean;
  readonly holdOut: boolean;
}

/** An interval that is no linear one. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What came out. */
export interface Scrutinized {
  readonly findings: Findings;
  /** Profile intervals; null where a figure is no parameter of the search, or has no value, and where they are not asked for. */
  readonly profiles: readonly (Interval | null)[] | null;
  readonly held: ReturnType<typeof heldOut> | null;
  readonly rows: number;
  /** SHA-256 of the data. */
  readonly hash: string;
}

/** Computes it. @throws BerthError for data that cannot be used */
export async function scrutinize(task: Task, team: Team): Promise<Scrutinized> {
  const { path, axis, choice, profile, holdOut } = task;
  const procedure = PROCEDURES[task.procedure];
  const data = await readMeasured(path, procedure.columns, axis, {
    sinceTare: procedure.sinceTare,
    ofRecording: procedure.recorded,
  });
  const findings = procedure.find(data, choice, team);
  const { rows, hash } = data;
  return {
    ...{ findings, rows, hash },
    profiles: profile ? profilesOf(findings) : null,
    held: holdOut ? heldOut(findings.identification) : null,
  };
}

function profilesOf({ parameters, identification }: Findings): (Interval | null)[] {
  return parameters.map(({ refusal, value, estimate }) =>
    refusal === '' && value === estimate.value
      ? profileInterval(identification, identification.estimates.indexOf(estimate))
      : null,
  );
}
