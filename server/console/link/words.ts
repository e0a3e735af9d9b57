/** What the robot says about itself, in words. */

/** STATE.safety of HLP/1, by value. */
const ROBOT_SAFETY = ['normal', 'protective stop', 'emergency stop', 'reduced'] as const;

/** STATE.fault of the robot emulator, by bit; other robots may use bits of their own. */
const ROBOT_FAULTS = [
  'set-point older than its time to live',
  'set-points lost',
  'set-point away from the tool while arming',
  'force above the robot’s own limit',
  'a joint at the end of its range',
  'near a singular pose',
] as const;

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

/** How a robot is connected, and what to do for it. */
export interface Transport {
  readonly kind: 'websocket' | 'serial' | 'none';
  readonly name: string;
  readonly howTo: string;
}

/** The transport that a robot address belongs to. */
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
