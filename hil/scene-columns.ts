/**
 * One row of the scene: where every body is, and where bodies touch with which force. Written by the loop 50 times a second of
 * its own time into a ring of its own, because pictures need no more and the telemetry row stays short.
 */

/** Bodies and links drawn at most, and contact points; more are counted but not drawn. */
export const SCENE_BODIES = 32;
export const SCENE_POINTS = 48;

/** Numbers of one body: position, m, and orientation (x, y, z, w), world. */
export const SCENE_POSE = 7;
/** Numbers of one contact point: point, m; force on body i, N; unit normal from j to i; all world. */
export const SCENE_POINT = 9;

/** Where things lie in a row. */
export const SceneColumn = Object.freeze({
  /** Model time, s. */
  TIME: 0,
  /** Bodies and links in the row. */
  BODIES: 1,
  /** Contact points in the row. */
  POINTS: 2,
  /** Contacts that touch: pairs of cells, or whole contacts where bodies have no cells. */
  TOUCHING: 3,
  POSES: 4,
  FIRST_POINT: 4 + SCENE_BODIES * SCENE_POSE,
});
export const SCENE_WIDTH: number = SceneColumn.FIRST_POINT + SCENE_POINTS * SCENE_POINT;

/** Time between two rows, s. */
export const SCENE_INTERVAL_S = 0.02;
