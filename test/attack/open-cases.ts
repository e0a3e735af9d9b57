/**
 * Attacks that are known to succeed: their mend is not there yet. Each is printed as open in every run, and fails nothing; one that is held again
 * is told, to be taken off the list. Everything that is not on it must hold.
 */

/** By what is attempted. */
export const OPEN: readonly string[] = [
  // line 1
  'lowered limit: speed 5 mm/s, full stick',
  'lowered limit: speed 1 mm/s, full stick',
  'lowered limit: 0.01 rad/s, a moment of 50 N m told',
  // line 7
  '3,600 requests for nothing from this address',
  // line 8
  'a wrong key at REST',
  'role keys: eight times the same letter',
  'role keys: a key for two roles',
  'a robot key of one character',
  // line 10
  'POST without a key whose body never comes',
  // line 11
  'all fault bits set',
  'fault bit 0 set in one STATE only',
  'a FAULT frame in flight',
  'safety REDUCED in flight',
  'ctlMode idle in flight',
  'linkState fault in flight',
  // line 12
  'contact at a period of 10 ms',
  // line 17
  'GET /api/session by the name evil.example (DNS rebinding)',
  'GET /metrics by the name evil.example (DNS rebinding)',
  'GET / by the name evil.example (DNS rebinding)',
  'GET /api/session by the name rebind.evil.example:80 (DNS rebinding)',
  'GET /metrics by the name rebind.evil.example:80 (DNS rebinding)',
  'GET / by the name rebind.evil.example:80 (DNS rebinding)',
  'GET /api/session by the name 169.254.169.254 (DNS rebinding)',
  'GET /metrics by the name 169.254.169.254 (DNS rebinding)',
  'GET / by the name 169.254.169.254 (DNS rebinding)',
  'GET /api/session by the name 127.0.0.1.evil.example (DNS rebinding)',
  'GET /metrics by the name 127.0.0.1.evil.example (DNS rebinding)',
  'GET / by the name 127.0.0.1.evil.example (DNS rebinding)',
  // line 20
  'the only place held by one byte of garbage every 0.5 s',
  'the only place held by an empty message every 0.1 s',
  'the only place held by a frame with a wrong CRC every 10 ms',
  // line 21
  'a symlink loop',
  'a file that cannot be read',
  'a name of 5,000 characters',
  '20 MB of random STL facets',
];
