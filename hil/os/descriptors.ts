/**
 * File descriptors of this process: their limit, and the number of connections that robot, recorder
 * and stop leave free.
 */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Descriptors reserved for the robot link and its listener, a recording's files and index, the
 * audit log, pages and temporary files.
 */
const RESERVE = 64;
/** Largest number of connections of the service, and the least with few descriptors. */
const MOST = 1024;
const LEAST = 16;

/** Largest number of open files of this process; Infinity where it is unknown. */
export function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity; // not Linux
  }
}

/** Number of open descriptors; 0 where it is unknown. */
export function openDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/**
 * Number of connections, sockets included, for a service with `limit` descriptors of which `open`
 * are in use. A reserve stays free.
 */
export function connectionBudget(limit = descriptorLimit(), open = openDescriptors()): number {
  return Math.max(LEAST, Math.min(MOST, limit - open - RESERVE));
}
