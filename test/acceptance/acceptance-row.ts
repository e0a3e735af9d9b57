/** One row of the table of acceptance tests: what, pass figure, and where it is tested. */

/** One row. */
export interface AcceptanceRow {
  readonly number: number;
  /** V virtual clock, W wall clock, S soak, P property of a function or a decoder. */
  readonly clock: 'V' | 'W' | 'S' | 'P';
  readonly what: string;
  readonly pass: string;
  /** Test file and how the names of its tests begin. */
  readonly tests: readonly (readonly [file: string, titles: readonly string[]])[];
  /** Scripts of package.json that show it, too, or only there. */
  readonly scripts: readonly string[];
}

type Tests = Readonly<Record<string, string | readonly string[]>>;

/** A row from its tests by file: how the names of the tests in it begin. */
export const row = (
  number: number,
  clock: AcceptanceRow['clock'],
  what: string,
  pass: string,
  tests: Tests,
  ...scripts: readonly string[]
): AcceptanceRow => ({
  number,
  clock,
  what,
  pass,
  tests: Object.entries(tests).map(([file, titles]) => [
    file,
    typeof titles === 'string' ? [titles] : titles,
  ]),
  scripts,
});
