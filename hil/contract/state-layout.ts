/**
 * Layout of a saved state as text: a line for each slot with its name and its length, in their order. Two states are of one layout
 * when their texts are equal.
 */
import type { StateArena } from '../../src/math/state-arena.ts';

/** Text of the layout. */
export function layoutText(state: StateArena): string {
  return state.slots.map(({ name, length }) => `${name} ${length}`).join('\n');
}

/** Longest name that is shown; a file may hold anything. */
const SHOWN = 100;

/**
 * The first slot that differs between a layout as bytes of a file and an own one, in words.
 * @returns '' when they are equal
 */
export function layoutDifference(bytes: Uint8Array, own: string): string {
  // what lies further behind the end of the own one makes no difference
  const enough = bytes.subarray(0, 4 * (own.length + 2 * SHOWN));
  const recorded = new TextDecoder().decode(enough);
  if (recorded === own) return '';
  const theirs = recorded.split('\n');
  const ours = own.split('\n');
  let at = 0;
  while (theirs[at] === ours[at]) at++;
  return `slot ${at + 1} is ${slotWords(theirs[at])} in the recording and ${slotWords(ours[at])} in this build`;
}

function slotWords(line: string | undefined): string {
  if (line === undefined) return 'missing';
  const space = line.lastIndexOf(' ');
  if (space < 0) return `"${shown(line)}"`;
  return `"${shown(line.slice(0, space))}" (length ${shown(line.slice(space + 1))})`;
}

/** Control characters become '?'. */
function shown(text: string): string {
  return text.slice(0, SHOWN).replace(/\p{C}/gu, '?');
}

/** Number `at` of a saved state in words: the name of its slot, and which one it is of several. */
export function numberWords(state: StateArena, at: number): string {
  const slot = state.slots.find(({ start, length }) => at < start + length);
  if (slot === undefined) return '';
  return slot.length === 1 ? slot.name : `${slot.name}[${at - slot.start}]`;
}
