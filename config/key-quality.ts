/**
 * Requirements on keys: long and varied enough that they cannot be guessed. One rule covers role
 * keys and the robot key.
 */
import type { Settings } from './settings.ts';

/** Shortest key, characters: a random one of letters and digits then has 71 bits. */
export const KEY_CHARACTERS = 12;
/**
 * Shortest robot key. Tags recorded from the line allow offline guessing, 10⁹ per second and more;
 * 95 bits are out of its reach.
 */
export const ROBOT_KEY_CHARACTERS = 16;
/** Least number of different characters. */
export const KEY_VARIETY = 5;

/** Whether the text repeats one piece. */
function repeats(text: string): boolean {
  for (let length = 1; 2 * length <= text.length; length++) {
    if (text.length % length === 0 && text === text.slice(0, length).repeat(text.length / length)) {
      return true;
    }
  }
  return false;
}

/** Whether most characters follow or precede the one on their left, as in 123456789012. */
function counts(text: string): boolean {
  const step = text.charCodeAt(1) - text.charCodeAt(0);
  if (Math.abs(step) !== 1) return false;
  let breaks = 0;
  for (let i = 1; i < text.length; i++) {
    if (text.charCodeAt(i) - text.charCodeAt(i - 1) !== step) breaks++;
  }
  return breaks <= 1;
}

/** Reason why a key is too weak; null when it is not. The sentence never contains the key. */
export function keyWeakness(key: string, least: number = KEY_CHARACTERS): string | null {
  const allowed = `allowed: at least ${least} characters, ${KEY_VARIETY} of them different, such as openssl rand -base64 24 gives`;
  // characters that a header carries unchanged: HTTP trims blanks at its ends, so that two keys
  // could be one
  if (/[^!-~]/.test(key)) {
    return 'has a blank or a character that is not visible ASCII; allowed: letters, digits and signs from ! to ~';
  }
  if (key.length < least) return `has ${key.length} characters; ${allowed}`;
  const variety = new Set(key).size;
  if (variety < KEY_VARIETY) return `has only ${variety} different characters; ${allowed}`;
  if (repeats(key)) return `is one piece again and again; ${allowed}`;
  if (counts(key)) return `only counts up or down; ${allowed}`;
  return null;
}

/** An unusable key: its setting and the reason. */
export interface KeyFault {
  readonly path: readonly [string, string, string] | readonly [string, string];
  readonly text: string;
}

/** Faults of the keys of the settings, alone and in comparison. */
export function keyFaults({ server, robot }: Pick<Settings, 'server' | 'robot'>): KeyFault[] {
  const keys: [KeyFault['path'], string][] = Object.entries(server.keys).map(([role, key]) => [
    ['server', 'keys', role],
    key,
  ]);
  if (robot.key !== '') keys.push([['robot', 'key'], robot.key]);
  const faults: KeyFault[] = [];
  keys.forEach(([path, key], i) => {
    const name = path.join('.');
    const weakness = keyWeakness(key, path[0] === 'robot' ? ROBOT_KEY_CHARACTERS : KEY_CHARACTERS);
    if (weakness !== null) faults.push({ path, text: `${name} ${weakness}` });
    const twin = keys
      .slice(0, i)
      .find(([, other]) => other === key)?.[0]
      .join('.');
    if (twin === undefined) return;
    faults.push({ path, text: `${name} is the key of ${twin} too; allowed: a key of its own` });
  });
  return faults;
}
