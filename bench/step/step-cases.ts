/** What `npm run bench:step` times: each with its target, and whether peers run it. */
import { FREE_SCENES, GROWTH } from './free-scenes.ts';

/** A row of the table. */
export interface StepCase {
  /** Scene by its name in timed.ts. */
  readonly scene: string;
  readonly title: string;
  /** Number of the target, and its figure, µs a step; none for what is only watched. */
  readonly target?: string;
  readonly most_us?: number;
  /** Target of the ratio to the best peer. */
  readonly mostRatio?: number;
  /** Peers run it, and under which name. */
  readonly peers?: string;
}

function one(
  scene: string,
  title: string,
  target: Pick<StepCase, 'target' | 'most_us' | 'mostRatio'> = {},
): StepCase {
  const free = FREE_SCENES[scene];
  return {
    scene,
    title,
    ...target,
    ...(free === undefined ? {} : { peers: free.peersAs ?? scene }),
  };
}

/** Rows of the table. */
export const STEP_CASES: readonly StepCase[] = [
  one('ball', 'ball, 2.8 s of bounces', { target: 'P1', most_us: 0.3, mostRatio: 0.25 }),
  one('box level', 'box on four feet, level', { target: 'P2', most_us: 1, mostRatio: 0.35 }),
  one('box slope', 'box on a slope of 10°', { target: 'P2', most_us: 1.5, mostRatio: 0.35 }),
  one('box stiff', 'box, stiff: 1e8 N/m^1.5', { target: 'P2', most_us: 3, mostRatio: 0.35 }),
  one('pairs virtual', '40 pairs, virtual', { target: 'P3', most_us: 15 }),
  one('pairs rest', '40 pairs, at rest', { target: 'P3', most_us: 16, mostRatio: 1 }),
  one('pairs slide', '40 pairs, sliding', { target: 'P3', most_us: 24, mostRatio: 1 }),
  one('receptacle rest', 'receptacle, 16 pairs, at rest', {
    target: 'P4',
    most_us: 8,
    mostRatio: 0.5,
  }),
  one('receptacle slide', 'receptacle, sliding', { target: 'P4', most_us: 12, mostRatio: 0.5 }),
  one('receptacle 1e9', 'receptacle at rest, 1e9 N/m³', {
    target: 'P4',
    most_us: 10,
    mostRatio: 0.5,
  }),
  one('channel', 'bar in a channel, 12 pairs'),
  one('torus', 'torus of 36 slices on a cone', { target: 'P5', most_us: 60, mostRatio: 0.4 }),
  one('cylinder–box', 'overlap cylinder–box', { most_us: 3 }),
  one('capsule–box', 'overlap capsule–box', { most_us: 12 }),
  one('frustum–box', 'overlap frustum–box', { most_us: 8 }),
  // 100 times real time at 1 ms a step
  one('insertion', 'insertion of the battery box', { target: 'P9', most_us: 10 }),
  one('half-sphere', 'half-sphere loop'),
  one('rolling ball', 'rolling ball, implicit'),
  one('rolling ball, Runge–Kutta', 'rolling ball, Runge–Kutta'),
  ...(['virtual', 'free'] as const).flatMap((motion) =>
    GROWTH.map(
      (pairs): StepCase => ({
        scene: `${motion} ${pairs}`,
        title: `${pairs} pairs, ${motion}`,
      }),
    ),
  ),
];

/** Rows of the growth from 1 to 100 pairs, and the largest exponent allowed. */
export const GROWTHS: readonly { readonly name: string; readonly scenes: readonly string[] }[] = [
  { name: 'virtual', scenes: GROWTH.map((pairs) => `virtual ${pairs}`) },
  { name: 'free, at rest', scenes: GROWTH.map((pairs) => `free ${pairs}`) },
];
export const MOST_EXPONENT = 1.05;

/** Slope of log time over log pairs, by least squares. */
export function exponent(times: readonly number[]): number {
  const x = GROWTH.map((pairs) => Math.log(pairs));
  const y = times.map((time) => Math.log(time));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const top = x.reduce((sum, value, k) => sum + (value - mx) * (y[k] - my), 0);
  return top / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
