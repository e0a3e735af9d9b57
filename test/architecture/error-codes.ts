/** Error codes as the source writes them, to be compared with the one table of them. */
import type { Sources } from './rooms.ts';

/** The table itself. */
export const TABLE = 'src/base/errors.ts';
/** Environment variables begin alike, and are no codes. */
const VARIABLES = new Set(['BERTH_ROBOT_KEY', 'BERTH_KEY']);
/** Code that throws or answers; what only tests may write codes that do not exist. */
const PRODUCT = /^(src|config|hil|server|dashboards)\//;

/** Codes that product files write as whole strings, each with the files that do. */
export function writtenCodes(sources: Sources): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [path, text] of sources) {
    if (!PRODUCT.test(path) || path === TABLE) continue;
    for (const [, code] of text.matchAll(/['"`](BERTH_[A-Z_]*[A-Z])['"`]/g)) {
      if (VARIABLES.has(code)) continue;
      const files = found.get(code) ?? [];
      if (!files.includes(path)) files.push(path);
      found.set(code, files);
    }
  }
  return found;
}

/** What breaks the rule of the one table: codes that it does not have, rows that nobody uses, codes built from a string. */
export function codeFaults(sources: Sources, table: readonly string[]): string[] {
  const written = writtenCodes(sources);
  const faults: string[] = [];
  for (const [code, files] of written) {
    if (!table.includes(code)) faults.push(`${files.join(', ')}: ${code} is not in the table`);
  }
  for (const code of table) {
    if (!written.has(code)) faults.push(`${TABLE}: nobody uses ${code}`);
  }
  for (const [path, text] of sources) {
    if (!PRODUCT.test(path)) continue;
    // a code whose name ends in a variable or goes on after a string
    if (path !== TABLE && /BERTH_[A-Z_]*(\$\{|['"`]\s*\+)/.test(text)) {
      faults.push(`${path}: a code is built from a string`);
    }
    if (/as BerthErrorCode\b/.test(text)) faults.push(`${path}: a string is taken for a code`);
  }
  return faults;
}
