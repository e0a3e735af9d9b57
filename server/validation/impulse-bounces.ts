/**
 * The impulse model of a bouncing ball: it falls from a height, a hit at a speed above `least` returns cor times it at once, a slower
 * hit rests. With v₀ = √(2 g h) the hits come at t₀ = v₀/g and tₖ₊₁ = tₖ + 2 vₖ₊₁/g, vₖ = corᵏ v₀. `Modia3D, BouncingSphere`.
 */

/** What happens to the ball. */
export interface ImpulseBounces {
  /** Hits that return. */
  readonly count: number;
  /** Time and speed of the hit that rests, s, m/s. */
  readonly restsAt: number;
  readonly restsWith: number;
  /** Height over time, m, s. */
  readonly time: readonly number[];
  readonly height: readonly number[];
}

/** Points of an arc of the course. */
const ARC = 32;

/** The course from rest at a height, m, to a time, s, after the last hit. */
export function impulseBounces(
  fall: number,
  cor: number,
  least: number,
  gravity: number,
  until: number,
): ImpulseBounces {
  const time: number[] = [];
  const height: number[] = [];
  const arc = (start: number, speed: number, from: number): void => {
    for (let n = from; n <= ARC; n++) {
      const t = ((2 * speed) / gravity) * (n / ARC);
      time.push(start + t);
      height.push(speed * t - 0.5 * gravity * t * t);
    }
  };
  let speed = Math.sqrt(2 * gravity * fall);
  arc(-speed / gravity, speed, ARC / 2);
  let at = speed / gravity;
  let count = 0;
  for (; speed > least; count++) {
    speed *= cor;
    arc(at, speed, 0);
    at += (2 * speed) / gravity;
  }
  time.push(until);
  height.push(0);
  return { count, restsAt: at, restsWith: speed, time, height };
}
