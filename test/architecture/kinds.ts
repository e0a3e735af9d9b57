/** Where source asks for the kind of a pair or of a law, instead of what its definition says of it. */
import type { Sources } from './rooms.ts';

/** Product files that may name a kind of pair or law: their definitions, and what a scenario file says of them. */
const HOME =
  /^(src\/contact\/(normal|friction|rolling|pairs|cellular)\/|src\/contact\/registry\.ts$|config\/(pairs|normal-laws|friction-laws|rolling-laws)\.ts$)/;
const PRODUCT = /^(src|config|hil|server|dashboards)\//;

/** Places where a file outside compares something with one of the kinds, as `path: text`. */
export function askedKinds(sources: Sources, kinds: readonly string[]): string[] {
  const one = `['"](?:${kinds.join('|')})['"]`;
  const asked = new RegExp(`[!=]==? ${one}|\\bcase ${one}|${one} [!=]==? `, 'g');
  const found: string[] = [];
  for (const [path, text] of sources) {
    if (!PRODUCT.test(path) || HOME.test(path)) continue;
    for (const [words] of text.matchAll(asked)) found.push(`${path}: ${words.trim()}`);
  }
  return found;
}
