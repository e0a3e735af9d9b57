/** Orientation of the scene's camera in the base frame, for hand controllers that move in the frame `camera`. */

/** Start value before a scene was shown: view from −y, a little above, x to the right. */
const orientation: [number, number, number, number] = [0.5735764, 0, 0, 0.8191521];

/** Quaternion (x, y, z, w) of the camera: x to the right of the picture, y up, z out of it towards the viewer. */
export const cameraOrientation = (): readonly number[] => orientation;

/** Set by the view after every rotation. */
export function setCameraOrientation(x: number, y: number, z: number, w: number): void {
  orientation[0] = x;
  orientation[1] = y;
  orientation[2] = z;
  orientation[3] = w;
}
