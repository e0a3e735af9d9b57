/** Phases of a session on the robot link, in their order: a later one has all that an earlier one has. */
export const Phase = Object.freeze({ OFFLINE: 0, CONNECTING: 1, SYNCING: 2, SYNCED: 3 });
