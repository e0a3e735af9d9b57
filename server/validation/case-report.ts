/** A case with what it found, and a run of cases. */
import {
  type Basis,
  type CaseResult,
  type Figure,
  passes,
  toleranceUsed,
  type ValidationCase,
} from './case.ts';

/** A case with what it found: one data file. */
export interface CaseReport extends Omit<ValidationCase, 'run'>, CaseResult {
  /** Time that the computation took, s. */
  readonly seconds: number;
}

/** A run of cases: the data file `report.json` beside those of the cases. */
export interface Report {
  /** When the run began, ISO 8601. */
  readonly started: string;
  /** Versions of Berth and Node, and the machine. */
  readonly berth: string;
  readonly node: string;
  readonly machine: string;
  readonly cases: readonly CaseReport[];
}

/** Computes a case. */
export function runCase(one: ValidationCase): CaseReport {
  const { name, title, source, description, equation, tolerances } = one;
  const start = performance.now();
  const { figures, notReproduced = [], plots } = one.run();
  const seconds = Number(((performance.now() - start) / 1000).toFixed(2));
  const found = { figures, notReproduced, plots };
  return { name, title, source, description, equation, tolerances, seconds, ...found };
}

/** Do all figures of a case pass? A case without figures does not. */
export function casePasses({ figures }: CaseResult): boolean {
  return figures.length > 0 && figures.every(passes);
}

/** The figure that uses most of its tolerance. */
export function closestCall({ figures }: CaseResult): Figure | undefined {
  const used = (figure: Figure): number => {
    const part = Math.abs(toleranceUsed(figure));
    return Number.isNaN(part) ? Infinity : part;
  };
  return [...figures].sort((a, b) => used(b) - used(a))[0];
}

/** What a reference is called where it is shown. */
export const BASIS_TEXT: Readonly<Record<Basis, string>> = {
  printed: 'printed',
  independent: 'independent',
  'closed-form': 'closed form',
  bound: 'bound',
};
