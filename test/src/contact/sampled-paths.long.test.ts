/**
 * Closed paths of samples in a distance field: the work of the forces around them. Positions and rotations are random trigonometric polynomials. The slope of
 * the force jumps where a sample goes from cell to cell, enters or leaves; between two such events the power is analytic, and is integrated by Gauss's rule.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINEMATICS } from '../../../src/contact/pair.ts';
import { SampledPair } from '../../../src/contact/sampled/sampled-pair.ts';
import { FieldPlace, VALUE } from '../../../src/proximity/field-value.ts';
import { rotationOf } from '../../../src/math/quaternion.ts';
import { Random } from '../../../src/math/random.ts';
import { boxSurface, torusSurface } from '../../../src/shapes/faceted-shapes.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { draws } from '../../fixtures/draws.ts';
import { body, system } from '../../fixtures/models.ts';
import {
  FOUNDATION,
  FRICTIONS,
  pairOf,
  torusField,
  trianglesOf,
} from '../../fixtures/sampled-contact-models.ts';

const PATHS = draws(1000, 25);
/** Instants between which events are looked for; two of one sample between them are missed, so that a path with more than SUSPECT is scanned finer. */
const SCANS = 512;
const FINE = 32_768;
const PIECES = 24;
const SUSPECT = 1e-10;
/** Gauss's rule of eight nodes: place and weight. */
const GAUSS = [
  [0.1834346424956498, 0.362683783378362],
  [0.525532409916329, 0.3137066458778873],
  [0.7966664774136267, 0.2223810344533745],
  [0.9602898564975363, 0.1012285362903763],
].flatMap(([x, w]) => [
  [-x, w],
  [x, w],
]);
/** Harmonics of a path. */
const HARMONICS = 2;

/** A random vector function of period 1 and its derivative. */
class Loop {
  private readonly waves: number[][];

  constructor(random: Random, size: number) {
    this.waves = Array.from({ length: 3 }, () =>
      Array.from({ length: 2 * HARMONICS }, () => (size * random.gaussian()) / HARMONICS),
    );
  }

  write(t: number, out: Float64Array, rate: Float64Array): void {
    for (let a = 0; a < 3; a++) {
      out[a] = 0;
      rate[a] = 0;
      for (let m = 0; m < HARMONICS; m++) {
        const w = 2 * Math.PI * (m + 1);
        const [c, s] = [Math.cos(w * t), Math.sin(w * t)];
        const [p, q] = [this.waves[a][2 * m], this.waves[a][2 * m + 1]];
        out[a] += p * c + q * s;
        rate[a] += w * (q * c - p * s);
      }
    }
  }
}

/** A part on a path. */
class Walk {
  private readonly pair: SampledPair;
  private readonly dynamics: Dynamics;
  private readonly count: number;
  private readonly path: readonly [Loop, Loop, readonly number[]];
  private readonly k = new Float64Array(KINEMATICS);
  private readonly column = [0, 1, 2, 3].map(() => new Float64Array(3));

  constructor(pair: SampledPair, dynamics: Dynamics, count: number, ...path: Walk['path']) {
    this.pair = pair;
    this.dynamics = dynamics;
    this.count = count;
    this.path = path;
  }

  /** Power of the forces over k. */
  power(t: number): number {
    const { pair } = this;
    const [i, j] = this.dynamics.parts;
    const [place, turn, start] = this.path;
    const [p, v, r, u] = this.column;
    place.write(t, p, v);
    turn.write(t, r, u);
    const square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    const norm = Math.sqrt(1 + square);
    for (let a = 0; a < 3; a++) {
      i.state[a] = start[a] + p[a];
      i.state[3 + a] = r[a] / norm;
    }
    i.state[6] = 1 / norm;
    rotationOf(i.rotation, i.state, 3);
    // of the quaternion (r, 1)/|(r, 1)|: ω = 2 (ṙ + r × ṙ)/(1 + r²)
    const w = [0, 1, 2].map((a) => {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3];
      return (2 * (u[a] + r[b] * u[c] - r[c] * u[b])) / (1 + square);
    });
    pair.compute(i, j, this.k);
    let power = 0;
    for (let a = 0; a < 3; a++) power += pair.moment[a] * w[a];
    for (let c = 0; c < pair.count; c++) {
      for (let a = 0; a < 3; a++) {
        const [b, d] = [(a + 1) % 3, (a + 2) % 3];
        const at = (e: number): number => pair.points[3 * c + e] - i.state[e];
        power += pair.shares[c] * pair.normals[3 * c + a] * (v[a] + w[b] * at(d) - w[d] * at(b));
      }
    }
    return power;
  }

  /** Place in the grid of each sample, half a cell on, and its φ (1 where it is not near), at the last pose. */
  private marks(): Float64Array {
    const marks = new Float64Array(4 * this.count);
    const { sampling } = this.pair;
    for (let s = 0; s < this.count; s++) {
      const near = sampling.read(s) === FieldPlace.near;
      marks.set(
        sampling.at.map((x) => x + 0.5),
        4 * s,
      );
      marks[4 * s + 3] = near ? sampling.value.result[VALUE] : 1;
    }
    return marks;
  }

  /** Where between two instants a mark crosses a whole number, or φ zero. */
  private crossing(low: number, high: number, m: number, level: number): number {
    let [a, b] = [low, high];
    this.power(a);
    const below = this.marks()[m] < level;
    while (b - a > 1e-14) {
      const middle = (a + b) / 2;
      if (middle <= a || middle >= b) break;
      this.power(middle);
      if (this.marks()[m] < level === below) a = middle;
      else b = middle;
    }
    return b;
  }

  /** Instants at which the slope of the force jumps. */
  private events(scans: number): number[] {
    // pieces are short beside the period, for Gauss's rule
    const found = new Set(Array.from({ length: PIECES + 1 }, (_, k) => k / PIECES));
    this.power(0);
    let before = this.marks();
    for (let n = 1; n <= scans; n++) {
      this.power(n / scans);
      const now = this.marks();
      for (let m = 0; m < now.length; m++) {
        const [from, to] =
          m % 4 === 3
            ? [+(before[m] > 0), +(now[m] > 0)]
            : [Math.floor(before[m]), Math.floor(now[m])];
        // samples that stay outside do not matter
        const s = m - (m % 4) + 3;
        if (from === to || (before[s] > 0.5 && now[s] > 0.5)) continue;
        const level = m % 4 === 3 ? 0 : Math.max(from, to);
        found.add(this.crossing((n - 1) / scans, n / scans, m, level));
      }
      before = now;
    }
    return [...found].sort((x, y) => x - y);
  }

  /** Work around the path and what passed. */
  around(scans: number): [number, number] {
    let work = 0;
    let passed = 0;
    const events = this.events(scans);
    for (let e = 1; e < events.length; e++) {
      const half = (events[e] - events[e - 1]) / 2;
      const middle = (events[e] + events[e - 1]) / 2;
      for (const [x, weight] of GAUSS) {
        const power = half * weight * this.power(middle + half * x);
        work += power;
        passed += Math.abs(power);
      }
    }
    return [work, passed];
  }
}

test(`${PATHS} closed paths of a part in the field of a torus create no energy`, () => {
  const random = new Random(9);
  const field = torusField(4e-3);
  const meshes = [
    trianglesOf(torusSurface(0.02, 0.008, 12, 8)),
    trianglesOf(boxSurface([0.03, 0.02, 0.01])),
  ];
  let worst = 0;
  let touched = 0;
  for (let n = 0; n < PATHS; n++) {
    const model = pairOf(meshes[n % 2], field, 24, 4);
    const pair = new SampledPair(model);
    const bodies = [body('part', 'dynamic'), body('site', 'fixed')];
    const laws = { normalLaw: FOUNDATION, frictionLaw: FRICTIONS['none'] };
    const dynamics = new Dynamics(
      system({
        bodies,
        contacts: [{ name: 'c', bodyI: 'part', bodyJ: 'site', pair: model, ...laws }],
      }),
    );
    const azimuth = 2 * Math.PI * random.uniform();
    const start = [
      0.05 * Math.cos(azimuth),
      0.05 * Math.sin(azimuth),
      0.02 + 0.01 * random.uniform(),
    ];
    const count = model.samples.areas.length;
    const path = [new Loop(random, 4e-3), new Loop(random, 0.1), start] as const;
    const walk = new Walk(pair, dynamics, count, ...path);
    let [work, passed] = walk.around(SCANS);
    if (Math.abs(work) > SUSPECT * passed) [work, passed] = walk.around(FINE);
    if (!(passed > 0)) continue;
    touched++;
    worst = Math.max(worst, Math.abs(work) / passed);
  }
  assert.ok(touched > 0.8 * PATHS, `${touched} paths touch`);
  assert.ok(worst <= 1e-9, `${worst} of what passes`);
});
