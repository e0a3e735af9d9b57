/** Acceptance tests from 53 on: what a robot, an operator, a stranger on the network or a file may do, and what the service does then. */
import type { AcceptanceRow } from './acceptance-row.ts';

/** In the order of their numbers. */
export const ATTACK_ROWS: readonly AcceptanceRow[] = [
  // 53
  // 54
  // 55
  // 56
  // 57
  // 58
  // 59
  // 60
  // 61
  // 62
  // 63
  // 64
  // 65
  // 66
  // 67
  // 68
  // 69
  // 70
  // 71
  // 72
  // 73
  // 74
];
