/** File descriptors of this process: how many there may be, and how many connections that leaves once robot, recorder and stop have theirs. */
import { readdirSync, readFileSync } from 'node:fs';

/** Kept for the robot link and its listener, a recording's files and index, the audit log, pages, and whatever is opened meanwhile. */
const RESERVE = 64;
/** Connections of the service at the most, and at the least where descriptors are very few. */
const MOST = 1024;
const LEAST = 16;

/** Largest number of open files of this process; Infinity where it cannot be told. */
export function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity; // not Linux
  }
}

/** Descriptors open now; 0 where it cannot be told. */
export function openDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/** Connections, sockets included, that a service may have whose descriptors are `limit` with `open` in use: the reserve stays free. */
export function connectionBudget(limit = descriptorLimit(), open = openDescriptors()): number {
  return Math.max(LEAST, Math.min(MOST, limit - open - RESERVE));
}
