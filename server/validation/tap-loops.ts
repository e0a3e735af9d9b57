/** Force over depth of taps: loops, whose areas are what the contacts take. */
import type { Tap } from '../../src/identify/tap.ts';
import type { Curve, Plot } from './case.ts';

const MICRO = 1e6;

/** The slowest tap, the fastest, and one between. */
export function tapLoops(taps: readonly Tap[]): Plot {
  const order = [...taps].sort((a, b) => a.speed - b.speed);
  const last = order.length - 1;
  const picked = [...new Set([0, Math.round(last / 2), last])].map((k) => order[k]);
  const curves = picked.flatMap(({ speed, depths, forces, fitted }): Curve[] => {
    const at = `${(1e3 * speed).toFixed(1)} mm/s`;
    const depth = [...depths].map((one) => MICRO * one);
    return [
      { name: `measured, ${at}`, kind: 'points', x: depth, y: [...forces] },
      { name: `law found, ${at}`, x: depth, y: [...fitted] },
    ];
  });
  return { title: 'Force over depth of taps', xLabel: 'depth, µm', yLabel: 'force, N', curves };
}
