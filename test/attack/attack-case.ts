/** What a case of the attack suite is, and what the cases of one domain share. */

/** One attack. */
export interface AttackCase {
  /** What is attempted. */
  readonly attempt: string;
  /** What must hold; a timing case names its control here. */
  readonly must: string;
  /** Line of the attack list that it belongs to (acceptance row less 52); 0: held from the beginning. */
  readonly line: number;
  /** Left out by --quick. */
  readonly slow: boolean;
  /** Carries it out. @returns what was measured @throws when what must hold does not */
  readonly run: () => Promise<string> | string;
}

/** Cases that need the same service. */
export interface AttackDomain {
  readonly name: string;
  readonly cases: readonly AttackCase[];
  /** Begins and ends what its cases need. */
  readonly start?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
}

/** Gathers the cases of a domain in the order in which they are written. */
export class Cases {
  readonly list: AttackCase[] = [];

  add(line: number, attempt: string, must: string, run: AttackCase['run']): void {
    this.list.push({ line, attempt, must, run, slow: false });
  }

  /** One that takes longer than a second or two of the machine. */
  addSlow(line: number, attempt: string, must: string, run: AttackCase['run']): void {
    this.list.push({ line, attempt, must, run, slow: true });
  }
}
