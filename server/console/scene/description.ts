/** Response of `GET /api/scene`: bodies of the loaded scenario and their cells, lengths in metres. */

type Vector = readonly [number, number, number];

/** A shape or a body's cell in its parent frame; orientation (x, y, z, w). */
export interface Placed {
  readonly shape: CellShape;
  readonly position_m: readonly number[];
  readonly orientation: readonly number[];
}

export type CellShape =
  | { readonly kind: 'sphere'; readonly radius_m: number }
  | { readonly kind: 'ellipsoid' | 'box'; readonly size_m: Vector }
  | { readonly kind: 'cylinder' | 'capsule'; readonly radius_m: number; readonly length_m: number }
  | {
      readonly kind: 'frustum';
      readonly radius_m: number;
      readonly top_radius_m: number;
      readonly length_m: number;
    }
  | {
      readonly kind: 'beam';
      readonly length_m: number;
      readonly width_m: number;
      readonly thickness_m: number;
    }
  | { readonly kind: 'mesh'; readonly vertices_m: readonly Vector[]; readonly faces: number[][] }
  | { readonly kind: 'half-space' }
  | { readonly kind: 'bore'; readonly radius_m: number }
  | {
      readonly kind: 'boolean';
      readonly common: readonly Placed[];
      readonly without: readonly Placed[];
    };

export interface Body {
  readonly name: string;
  readonly role: 'payload' | 'arm' | 'site' | 'moving';
  readonly position_m: readonly number[];
  readonly orientation: readonly number[];
  readonly cells: readonly Placed[];
  /** For a beam along +x, clamped at the origin: length, and index of the body at its tip. */
  readonly bends?: { readonly length_m: number; readonly end: number };
}

/** Pose of the seated payload, the direction of insertion there, and the distance from the mouth, m. */
export interface Insertion {
  readonly seated_position_m: readonly number[];
  readonly seated_orientation: readonly number[];
  readonly direction: readonly number[];
  readonly depth_m: number;
}

export interface SceneDescription {
  readonly scenario: string;
  readonly title: string;
  readonly bodies: readonly Body[];
  readonly insertion: Insertion | null;
  /** Contacts, then constraints; the body on which the way of a place is drawn, −1 for the world. */
  readonly touches: readonly { readonly name: string; readonly body: number }[];
}

/** Numbers of one pose in the topic `scene`: position and orientation. */
export const POSE = 7;
/** Numbers of one point in the topic `scene`: position, force on body i, normal. */
export const POINT = 9;
/** Numbers of one point in `faces` of the topic `scene`: state and pressure. */
export const FACE = 2;

/** Numbers of one point in `touches` of the topic `scene`, which is empty without surfaces of free form, and where they lie. */
export const TOUCH = 8;
export const Touch = { OF: 0, PLACES: 1, LEAST: 2, MOST: 3, AXIS: 4 } as const;

/** Frames of the tool in the order of drawings and lists. */
export const TOOL_FRAMES = ['commanded', 'simulated', 'measured'] as const;
export type ToolFrameName = (typeof TOOL_FRAMES)[number];
