/** The room of a pair with springs on areas is that of what pushes: each facet of the finer body once, however many partners are near it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FacetedPair } from '../../../src/contact/faceted/faceted-pair.ts';
import { GAP, POINT } from '../../../src/contact/pair.ts';
import { torusSurface } from '../../../src/shapes/faceted-shapes.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { body, system } from '../../fixtures/models.ts';

const AT = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
const RING = { kind: 'torus', radius: 0.05, tubeRadius: 0.018, around: 96, across: 48 } as const;
const CONE = {
  kind: 'frustum',
  radius: 0.045,
  topRadius: 0.015,
  length: 0.18,
  around: 48,
} as const;
const STANDOFF = 6e-3;
const MOST = 4096;
/** The tube is 0.8 mm from a round cone. */
const HEIGHT = 0.0889;

/** Distances of the centres of the facets of the ring from the side of the cone in whose sector they are, m. */
function centreDistances(): number[] {
  const { vertices: v, polygons } = torusSurface(
    RING.radius,
    RING.tubeRadius,
    RING.around,
    RING.across,
  );
  const flat = Math.cos(Math.PI / CONE.around); // of a side from the axis, over that of a corner
  const slope = (flat * (CONE.radius - CONE.topRadius)) / CONE.length;
  return polygons.map((corners) => {
    const centre = [0, 0, 0];
    let area = 0;
    for (let n = 2; n < corners.length; n++) {
      const [a, b, c] = [corners[0], corners[n - 1], corners[n]].map((k) =>
        [0, 1, 2].map((d) => v[3 * k + d]),
      );
      const p = b.map((x, d) => x - a[d]);
      const q = c.map((x, d) => x - a[d]);
      const part = Math.hypot(
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
      );
      area += part;
      for (let d = 0; d < 3; d++) centre[d] += (part * (a[d] + b[d] + c[d])) / 3;
    }
    const [x, y, z] = centre.map((sum) => sum / area);
    const sector = (2 * Math.PI) / CONE.around;
    const angle = (Math.floor(Math.atan2(y, x) / sector) + 0.5) * sector;
    const out = x * Math.cos(angle) + y * Math.sin(angle);
    const side = flat * CONE.radius - slope * (z + HEIGHT);
    return (out - side) / Math.sqrt(1 + slope * slope);
  });
}

for (const followed of [false, true])
  test(`more facets near than may push: every centre within the standoff pushes ${followed ? 'with' : 'without'} kernels`, () => {
    const model = {
      kind: 'faceted',
      shapeI: { shape: RING, ...AT },
      shapeJ: { shape: CONE, ...AT },
      standoff: STANDOFF,
      duplicates: 'area',
      referenceArea: 1e-6,
      maximumPairs: MOST,
    } as const;
    const [i, j] = new Dynamics(
      system({
        bodies: [body('ring', 'dynamic', { position: [0, 0, HEIGHT] }), body('cone', 'fixed')],
      }),
    ).parts;
    const pair = new FacetedPair(model);
    const kernels = contactKernels();
    assert.ok(kernels !== null, 'the kernels are built');
    if (followed) pair.follow(kernels);
    const column = new Float64Array(POINT + 3);
    pair.compute(i, j, column);
    assert.ok(pair.query.count > MOST, `${pair.query.count} near`);
    assert.equal(pair.refused, 0);
    const within = centreDistances().filter((d) => d < STANDOFF);
    assert.equal(pair.count, within.length);
    assert.equal(new Set(pair.keysI.subarray(0, pair.count)).size, pair.count);
    // the nearest of them, and the sum of all: a product of the rounding of some 1e3 terms
    assert.ok(Math.abs(column[GAP] + STANDOFF - Math.min(...within)) < 1e-12);
    let sum = 0;
    for (let c = 0; c < pair.count; c++) sum += pair.depths[c];
    const expected = within.reduce((total, d) => total + STANDOFF - d, 0);
    assert.ok(Math.abs(sum - expected) < 1e-10 * expected, `${sum}, ${expected}`);
  });
