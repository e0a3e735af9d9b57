/** Lift of the cam of the benchmark and what follows from it in closed form: cycloidal rise to 120°, dwell to 150°, return to 270°, dwell. `Tasora` */

/** Pitch radius and tip, m; rate, rad/s; follower, kg; cam, kg m²; spring, N/m and N; gravity, m/s². */
export const CAM = {
  pitch: 0.042,
  tip: 0.012,
  rate: 10 * Math.PI,
  mass: 0.5,
  inertia: 0.01,
  stiffness: 4000,
  preload: 40,
  gravity: 9.81,
} as const;
const LIFT = 0.01;
const RISE = (2 * Math.PI) / 3;

/** Way, m, and its first and second derivatives by the angle, rad. */
export function camLaw(angle: number): readonly [number, number, number] {
  const turn = 2 * Math.PI;
  const theta = angle - turn * Math.floor(angle / turn);
  const back = (5 * Math.PI) / 6;
  if (theta >= RISE && theta <= back) return [LIFT, 0, 0];
  if (theta >= back + RISE) return [0, 0, 0];
  const falls = theta > back;
  const x = (falls ? theta - back : theta) / RISE;
  const s = LIFT * (x - Math.sin(turn * x) / turn);
  const s1 = (LIFT / RISE) * (1 - Math.cos(turn * x));
  const s2 = ((turn * LIFT) / RISE ** 2) * Math.sin(turn * x);
  return falls ? [LIFT - s, -s1, -s2] : [s, s1, s2];
}

/** Force on the tip of the cam driven at its rate, N: m a + m g + preload + k s, over the cosine of the pressure angle. */
export function camForce(angle: number): number {
  const [s, s1, s2] = camLaw(angle);
  const push = CAM.mass * (s2 * CAM.rate ** 2 + CAM.gravity) + CAM.preload + CAM.stiffness * s;
  return push * Math.hypot(1, s1 / (CAM.pitch + s));
}
