/** Which profile of the embedded settings `berth serve` takes, and what `try` changes in them. */
import { PROFILES, type ProfileName, TRY } from '../../config/profiles.ts';
import type { Settings } from '../../config/settings.ts';
import {
  judgeLateness,
  type LatenessFinding,
  type LatenessReport,
  measureLateness,
} from '../../hil/doctor/lateness.ts';
import { BerthError } from '../../src/base/errors.ts';

/** Look at the machine before the start, s; it settles for 0.3 s besides. */
const LOOK_S = 1;

/**
 * The profile that `--profile` asks for; null: the settings are of a file, and no profile changes them. @param wider whether
 * wider limits concern no robot but the emulated one
 * @throws BerthError
 */
export function askedProfile(
  word: string | undefined,
  ownFile: boolean,
  wider: boolean,
): ProfileName | 'auto' | null {
  const asked = ([...PROFILES, 'auto'] as const).find((name) => name === (word ?? 'auto'));
  const refuse = (text: string): never => {
    throw new BerthError('BERTH_USAGE', text, { field: 'profile' });
  };
  if (asked === undefined) return refuse(`--profile must be auto, full or try, got "${word}".`);
  if (ownFile) {
    if (word === undefined) return null;
    return refuse('--profile is for the embedded settings; a settings file says all of it itself.');
  }
  if (wider) return asked;
  if (asked === 'try') return refuse('--profile try is for the emulated robot only.');
  return 'full';
}

/** The figure for which a machine does not hold 1 kHz; null: it does. Wake-ups late by half a period at the most are no reason. */
export function whyNotFull(report: LatenessReport): LatenessFinding | null {
  const bad = judgeLateness(report).filter(
    ({ name, verdict }) => verdict === 'red' || (verdict === 'yellow' && name !== 'p99_s'),
  );
  return bad.find(({ verdict }) => verdict === 'red') ?? bad.at(0) ?? null;
}

const us = (value: number): string => `${Math.round(value * 1e6)} µs`;

const WORDS: Record<LatenessFinding['name'], (value: number) => string> = {
  p99_s: (value) => `wakes the loop ${us(value)} late (p99)`,
  p999_s: (value) => `wakes the loop ${us(value)} late (p99.9)`,
  max_s: (value) => `woke the loop ${us(value)} late once`,
  slippedRatio: (value) => `drops ${(100 * value).toFixed(1)} % of the periods`,
};

/** What is said of a machine for which `try` is taken. */
export function tryNote({ name, value }: LatenessFinding): string {
  const ms = TRY.loop.period_s * 1e3;
  return (
    `This machine ${WORDS[name](value)}: profile try, ${ms} ms period, wider limits. ` +
    `--profile full flies at 1 kHz; "berth doctor" tells more.`
  );
}

/** Looks at the machine at 1 kHz, with the settings of the loop. @returns the reason for `try`; null: 1 kHz is held */
export async function lookAtMachine({ loop }: Settings): Promise<LatenessFinding | null> {
  const { spin_s, realtime_priority: priority } = loop;
  return whyNotFull(await measureLateness({ seconds: LOOK_S, period_s: 1e-3, spin_s, priority }));
}
