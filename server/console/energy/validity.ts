/** Limits of the model of a contact, in words. */

/** The limits in the order of their bits: the word of a message, and what it says. */
const LIMITS: Readonly<Record<string, string>> = {
  depth: 'depth above 1 % of the smallest cell, or 90 % of the standoff',
  patch: 'patch above 0.1 of the radius of its surfaces',
  pressure: 'mean pressure above the yield strength',
  turn: 'normal turned by more than 10° in a tick',
  fallback: 'no normal of its own: a stand-in is in use',
};

/** Sentence of the limits that a contact exceeded; '' for none. */
export function validityWords(exceeded: readonly string[]): string {
  return exceeded.map((limit) => LIMITS[limit] ?? limit).join('; ');
}

/** The limits of two lists, each once, in the order of their bits. */
export function mergeLimits(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.every((limit) => a.includes(limit))) return a;
  const order = Object.keys(LIMITS);
  return [...new Set([...a, ...b])].sort((x, y) => order.indexOf(x) - order.indexOf(y));
}
