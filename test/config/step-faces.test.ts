/** Faces of STEP files: one part as three programs write it, closed forms of areas, borders around seams and poles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStepFile, stepSurface } from '../../config/step-file.ts';
import { StepFaces } from '../../config/step/step-faces.ts';
import { makeSurface } from '../../src/shapes/surfaces/make-surface.ts';
import { normalOf, SURFACE_SLOTS } from '../../src/shapes/surfaces/surface.ts';
import type { SurfaceSpec } from '../../src/shapes/surfaces/surface-spec.ts';
import { TrimRegion } from '../../src/shapes/surfaces/trim-region.ts';
import { petal, PETALS, petalPath, StepWriter } from '../fixtures/step-files.ts';

const NAMES = ['GUIDE', 'PAD', 'BORE', 'NOSE', 'FILLET', 'RAMP', 'BELL', 'SADDLE'];
/** The file in inches has a name with letters beyond ASCII. */
const DOME = ['DOME', 'DOME', "Döme 'Ø 80'"];

interface Sampled {
  /** Area by the rule of midpoints, m². */
  readonly area: number;
  /** Point and outward normal at 25 places of the rectangle. */
  readonly places: readonly (readonly number[])[];
}

function sample(spec: SurfaceSpec, spaces = 50): Sampled {
  const surface = makeSurface(spec);
  const region = new TrimRegion(surface, spec.trim);
  const [lowU, highU, lowV, highV] = region.range;
  const at = new Float64Array(2);
  const out = new Float64Array(SURFACE_SLOTS);
  const normal = new Float64Array(3);
  const place = (i: number, j: number): void => {
    at[0] = lowU + i * (highU - lowU);
    at[1] = lowV + j * (highV - lowV);
    surface.evaluate(at, out);
  };
  let area = 0;
  for (let i = 0; i < spaces; i++) {
    for (let j = 0; j < spaces; j++) {
      place((i + 0.5) / spaces, (j + 0.5) / spaces);
      if (!region.contains(at)) continue;
      const [ux, uy, uz, vx, vy, vz] = out.slice(3, 9);
      const cross = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      area += Math.hypot(...cross);
    }
  }
  const places: number[][] = [];
  for (let i = 1; i <= 5; i++) {
    for (let j = 1; j <= 5; j++) {
      place(i / 6, j / 6);
      normalOf(normal, 0, out, surface.sign);
      places.push([out[0], out[1], out[2], ...normal]);
    }
  }
  return { area: (area * (highU - lowU) * (highV - lowV)) / spaces ** 2, places };
}

test('three programs, units and schemas give the same nine faces', () => {
  const files = PETALS.map((name) => readStepFile(petalPath(name), name, 'file'));
  assert.deepEqual(
    files.map(({ file }) => file.schemas[0].slice(0, 10)),
    ['AUTOMOTIVE', 'CONFIG_CON', 'AP242_MANA'],
  );
  const [mm, ...others] = files;
  assert.deepEqual(
    files.map((one) => one.unitsOf(one.faces[0]).name),
    ['mm', 'm', 'inch'],
  );
  for (const name of [...NAMES, 'DOME']) {
    const first = sample(stepSurface(mm, name, 'face'));
    others.forEach((file, k) => {
      const spec = stepSurface(file, name === 'DOME' ? DOME[k + 1] : name, 'face');
      const second = sample(spec);
      first.places.forEach((place, p) => {
        // fifteen digits of inches and of degrees over 0.4 m
        place.forEach((value, a) => {
          assert.ok(Math.abs(value - second.places[p][a]) < 1e-11, `${file.file.name} ${name}`);
        });
      });
      // cells on the rim of the hole may fall to either side
      const slack = spec.trim?.loops === undefined ? 1e-11 : 2e-3;
      assert.ok(Math.abs(second.area / first.area - 1) < slack, name);
    });
  }
});

test('areas are those of the drawn part, and the cone looks at its axis', () => {
  const file = new StepFaces(petal(PETALS[0]), 'petal');
  const area = (name: string, spaces?: number): number =>
    sample(stepSurface(file, name, 'face'), spaces).area;
  const turn = 2 * Math.PI;
  const expected = {
    GUIDE: (turn / 9) * 0.125 * 0.05 * Math.SQRT2,
    BORE: turn * 0.01 * 0.02,
    NOSE: turn * 0.02 ** 2,
    FILLET: 0.005 * (turn / 4) * (0.05 * (turn / 4) + 0.005),
    DOME: (turn / 4) * 0.04 * 0.05,
  };
  for (const [name, value] of Object.entries(expected)) {
    // the rule of midpoints: (π/2/50)²/24 = 4e-5 of an integrand that bends as a cosine
    assert.ok(Math.abs(area(name) / value - 1) < 5e-5, `${name} ${area(name)} ${value}`);
  }
  // cells of 0.8 × 0.4 mm: the hole is counted to some of the 60 on its rim
  assert.ok(Math.abs(area('PAD', 100) / (0.08 * 0.04 - Math.PI * 1e-4) - 1) < 5e-3);
  for (const [x, y, , nx, ny] of sample(stepSurface(file, 'GUIDE', 'face')).places) {
    const radial = (x * nx + y * ny) / Math.hypot(x, y);
    assert.ok(Math.abs(radial + Math.SQRT1_2) < 1e-12, `${radial}`);
  }
});

test('a face is found by name, number and instance', () => {
  const file = new StepFaces(petal(PETALS[0]), 'petal.step');
  const { number, id } = file.faces[4];
  const specs = ['FILLET', String(number), `#${id}`].map((face) => stepSurface(file, face, 'face'));
  assert.equal(specs[0].shape.kind, 'torus');
  assert.deepEqual(specs[1], specs[0]);
  assert.deepEqual(specs[2], specs[0]);
});

/** The one face of a file in millimetres, its area in mm². */
function areaOf(build: (w: StepWriter) => void, spaces = 60): number {
  const writer = new StepWriter();
  build(writer);
  const file = new StepFaces(writer.text(), 'part.step');
  return 1e6 * sample(file.surfaceOf(file.faces[0]), spaces).area;
}

/** A meridian from pole to pole of a ball of 10 mm. */
function meridian(w: StepWriter, angle: number, poles: readonly [number, number]): number {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return w.edge(poles[0], poles[1], w.circle(w.axes([0, 0, 0], [s, -c, 0], [c, s, 0]), 10));
}

test('wedges of a ball between two poles take the side on the left of their border', () => {
  const wedge = (from: number, to: number, same = true): number =>
    areaOf((w) => {
      const poles = [w.vertex([0, 0, -10]), w.vertex([0, 0, 10])] as const;
      const ball = w.add(`SPHERICAL_SURFACE('',#${w.axes()},10.)`);
      // up along the eastern meridian, down along the western one
      const [west, east] = [meridian(w, from, poles), meridian(w, to, poles)];
      w.face(ball, [same ? w.loop(east, -west) : w.loop(west, -east)], '', same);
    });
  const near = (value: number, expected: number): void =>
    // midpoints over half a turn of a cosine: (π/60)²/24 = 1.2e-4
    assert.ok(Math.abs(value / expected - 1) < 2e-4, `${value} ${expected}`);
  const whole = 4 * Math.PI * 100;
  near(wedge(0.3, 0.3 + Math.PI / 2), whole / 4);
  near(wedge(0.3, 0.3 + 1.5 * Math.PI), 0.75 * whole);
  near(wedge(0.3, 0.3 + 1.5 * Math.PI, false), 0.75 * whole);
  near(wedge(5, 5 + Math.PI), whole / 2);
});

test('a whole ball by a seam, by a vertex; a cap and a cone by the loop around their pole', () => {
  const ball = (w: StepWriter): number => w.add(`SPHERICAL_SURFACE('',#${w.axes()},10.)`);
  const whole = 4 * Math.PI * 100;
  const seam = areaOf((w) => {
    const edge = meridian(w, 1, [w.vertex([0, 0, -10]), w.vertex([0, 0, 10])]);
    w.face(ball(w), [w.loop(edge, -edge)]);
  });
  const vertex = areaOf((w) => {
    w.face(ball(w), [w.add(`VERTEX_LOOP('',#${w.vertex([0, 0, 10])})`)]);
  });
  for (const value of [seam, vertex]) assert.ok(Math.abs(value / whole - 1) < 2e-4, `${value}`);
  const rim = (w: StepWriter, z: number, radius: number): number => {
    const start = w.vertex([radius, 0, z]);
    return w.edge(start, start, w.circle(w.axes([0, 0, z]), radius));
  };
  // above and below z = 6: a ball has as much area as its cylinder
  const above = areaOf((w) => w.face(ball(w), [w.loop(rim(w, 6, 8))]));
  const below = areaOf((w) => w.face(ball(w), [w.loop(-rim(w, 6, 8))]));
  assert.ok(Math.abs(above / (2 * Math.PI * 10 * 4) - 1) < 2e-4, `${above}`);
  assert.ok(Math.abs(below / (2 * Math.PI * 10 * 16) - 1) < 2e-4, `${below}`);
  // a cone of 30° from its tip, 10 mm below the plane of its circle, up to z = 0
  const tip = areaOf((w) => {
    const r = 10 * Math.tan(Math.PI / 6);
    const cone = w.add(`CONICAL_SURFACE('',#${w.axes()},${r},${Math.PI / 6})`);
    w.face(cone, [w.loop(-rim(w, 0, r))]);
  });
  const r = 10 * Math.tan(Math.PI / 6);
  assert.ok(Math.abs(tip / (Math.PI * r * Math.hypot(r, 10)) - 1) < 1e-9, `${tip}`);
});

test('a cylinder between a circle and an ellipse, and a window across its seam', () => {
  const band = areaOf((w) => {
    const start = w.vertex([10, 0, 0]);
    const low = w.edge(start, start, w.circle(w.axes(), 10));
    // cut by the plane z = 20 + x/2
    const far = w.vertex([0, 10, 20]);
    const axes = w.axes([0, 0, 20], [-0.5, 0, 1], [2, 0, 1]);
    const upper = w.edge(far, far, w.add(`ELLIPSE('',#${axes},${10 * Math.sqrt(1.25)},10.)`));
    w.face(w.add(`CYLINDRICAL_SURFACE('',#${w.axes()},10.)`), [w.loop(-upper), w.loop(low)]);
  }, 100);
  assert.ok(Math.abs(band / (2 * Math.PI * 10 * 20) - 1) < 2e-3, `${band}`);
  const window = areaOf((w) => {
    const r = 10;
    const at = (u: number, z: number): number => w.vertex([r * Math.cos(u), r * Math.sin(u), z]);
    const arc = (a: number, b: number, z: number): number =>
      w.edge(a, b, w.circle(w.axes([0, 0, z]), r));
    const side = (a: number, b: number, u: number): number =>
      w.edge(a, b, w.line([r * Math.cos(u), r * Math.sin(u), 0], [0, 0, 1]));
    const [a, b, c, d] = [at(-0.5, 1), at(0.5, 1), at(0.5, 5), at(-0.5, 5)];
    const loop = w.loop(arc(a, b, 1), side(b, c, 0.5), -arc(d, c, 5), -side(a, d, -0.5));
    w.face(w.add(`CYLINDRICAL_SURFACE('',#${w.axes()},10.)`), [loop]);
  });
  assert.ok(Math.abs(window / (10 * 1 * 4) - 1) < 1e-9, `${window}`);
});

test('a shell that is turned around a void turns the outward side', () => {
  const writer = new StepWriter();
  const ball = writer.add(`SPHERICAL_SURFACE('',#${writer.axes()},10.)`);
  const vertex = writer.vertex([0, 0, 10]);
  const face = writer.face(ball, [writer.add(`VERTEX_LOOP('',#${vertex})`)], 'VOID');
  const inner = writer.add(`CLOSED_SHELL('',(#${face}))`);
  const turned = writer.add(`ORIENTED_CLOSED_SHELL('',*,#${inner},.F.)`);
  const text = writer.text();
  const signOf = (shell: string): number | undefined => {
    const solid = text.replace(/MANIFOLD_SOLID_BREP\('',#\d+\)/, shell);
    const file = new StepFaces(solid, 'part.step');
    return file.surfaceOf(file.faces[0]).sign;
  };
  assert.equal(signOf(`MANIFOLD_SOLID_BREP('',#${inner})`), 1);
  assert.equal(signOf(`BREP_WITH_VOIDS('',$,(#${turned}))`), -1);
});
