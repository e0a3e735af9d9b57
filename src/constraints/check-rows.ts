/** Whether the rows of a system can be held together: what is refused before the first step. */
import { BerthError } from '../base/errors.ts';
import type { RowSystem } from './row-system.ts';

/** Names each row as `constraint: row`. For construction and messages. */
export function rowNames({ constraints }: RowSystem): readonly string[] {
  return constraints.flatMap(({ name, rows }) => rows.map((row) => `${name}: ${row}`));
}

/** Refuses rows that others hold already, and those that push nothing; the rows have been built. @throws BerthError */
export function checkRows(system: RowSystem): void {
  const { redundant, open } = system.factors;
  const names = rowNames(system).filter((_, row) => redundant[row] === 1 && open[row] === 0);
  if (names.length === 0) return;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected constraints that hold something each, got rows that those before them hold already, or that join nothing that moves: ${names.join(', ')}`,
    { field: 'constraints' },
  );
}
