/** Words for the robot's reported state. */

/** STATE.safety of HLP/1, by value. */
const ROBOT_SAFETY = ['normal', 'protective stop', 'emergency stop', 'reduced'] as const;

/** STATE.fault of HLP/1, by bit (docs/protocol.md, Robot faults). */
const ROBOT_FAULTS: Readonly<Record<number, string | undefined>> = {
  0: 'set-point older than its time to live',
  1: 'set-points lost',
  2: 'set-point away from the tool while arming',
  3: 'force above the robot’s own limit',
  4: 'a joint at the end of its range',
  5: 'near a singular pose',
  6: 'a drive has failed',
  7: 'a sensor of the robot has failed',
  8: 'a collision',
  16: 'paused at the robot',
  17: 'a drive is too hot',
  24: 'a drive is warm',
  25: 'a joint is near the end of its range',
  26: 'a sensor of the robot is in doubt',
};

/** Safety state of the robot in words. */
export function robotSafetyWords(value: number): string {
  return ROBOT_SAFETY[value] ?? `unknown state ${value}`;
}

/** One phrase for each bit that is set; a bit without a name by its number. */
export function robotFaultWords(bits: number): string[] {
  const words: string[] = [];
  for (let bit = 0; bit < 32; bit++) {
    if (Math.floor(bits / 2 ** bit) % 2 === 1) words.push(ROBOT_FAULTS[bit] ?? `bit ${bit}`);
  }
  return words;
}

/** Kind of connection of a robot, with instructions. */
export interface Transport {
  readonly kind: 'websocket' | 'serial' | 'none';
  readonly name: string;
  readonly howTo: string;
}

/** Transport of a robot address. */
export function transportWords(address: string): Transport {
  if (address === '') return { kind: 'none', name: 'none', howTo: '' };
  if (/^wss?:/.test(address)) {
    return {
      kind: 'websocket',
      name: 'WebSocket (HLP/1)',
      howTo:
        'Have the robot end connect to this address; with robot.key set it must know that key.',
    };
  }
  return {
    kind: 'serial',
    name: 'serial line (HLP/1)',
    howTo: 'Connect the robot end to this port of the server and give it the same baud rate.',
  };
}

/** Limits that both ends agree on, with their units, in the order of the protocol. */
const LIMITS: readonly (readonly [field: string, name: string, unit: string])[] = [
  ['speed_mps', 'speed', 'm/s'],
  ['angular_speed_radps', 'turning', 'rad/s'],
  ['acceleration_mps2', 'acceleration', 'm/s²'],
  ['force_N', 'force', 'N'],
  ['moment_Nm', 'moment', 'N m'],
  ['workspace_m', 'workspace, half-size', 'm'],
];

/** Name, value and unit of each limit; those of a longer list by their field. */
export function limitRows(limits: Readonly<Record<string, number>>): [string, number, string][] {
  return Object.entries(limits).map(([field, value]) => {
    const [, name, unit] = LIMITS.find(([known]) => known === field) ?? ['', field, ''];
    return [name, value, unit];
  });
}

/** How long ago something was, in whole seconds, minutes or hours. */
export function agoWords(s: number): string {
  if (s < 90) return `${Math.round(s)} s ago`;
  return s < 5400 ? `${Math.round(s / 60)} min ago` : `${Math.round(s / 3600)} h ago`;
}

/** Words for the robot, by the key that it has proved. */
export const whichWords = (emulated: boolean): string =>
  emulated ? 'the emulated one of this service' : 'not the emulated one of this service';
