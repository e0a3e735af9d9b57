/** What Modia3D has besides its force law: radius of meshes, palettes, observed contacts, sets of pieces, the relative turning. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileScenario } from '../../../config/compile.ts';
import { materials, materialsWith } from '../../../config/materials.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { hertzStiffness } from '../../../src/contact/normal/hertz.ts';
import type {
  BodyModel,
  ContactModelSpec,
  PairModel,
  SystemModel,
} from '../../../src/model/model.ts';
import { contactRadius } from '../../../src/shapes/contact-radius.ts';
import type { ConvexShapeModel } from '../../../src/shapes/shape-model.ts';
import { CONTACT_READOUT, ContactReadout, makeSystem } from '../../../src/system/system.ts';
import { ballMesh } from '../ball-mesh.ts';
import {
  atMost,
  closedForm,
  type Curve,
  type Figure,
  printed,
  type ValidationCase,
} from '../case.ts';
import { modia3dContact, modia3dModel, onBox, onGround } from '../modia3d-world.ts';
import { ballInertia, bodyModel } from '../world-models.ts';

const STEEL = ['Steel', 'Steel'] as const;
const RADIUS = 0.1;
const GOLDEN = (1 + Math.sqrt(5)) / 2;
const G = 9.81;
/** Depth at which forces are read, m. */
const DEPTH = 1e-5;

/** A ball of 20 · 4ⁿ triangles. */
function meshBall(cuts: number): { shape: ConvexShapeModel; triangles: number; edge: number } {
  const { vertices, triangles } = ballMesh(RADIUS, cuts);
  const point = (k: number): readonly [number, number, number] => [
    vertices[3 * k],
    vertices[3 * k + 1],
    vertices[3 * k + 2],
  ];
  const points = Array.from({ length: vertices.length / 3 }, (_, k) => point(k));
  let edge = Infinity;
  for (let k = 0; k < triangles.length; k++) {
    const p = points[triangles[k]];
    const q = points[triangles[k % 3 === 2 ? k - 2 : k + 1]];
    edge = Math.min(edge, Math.sqrt(p.reduce((sum, x, a) => sum + (x - q[a]) ** 2, 0)));
  }
  return { shape: { kind: 'mesh', vertices: points }, triangles: triangles.length / 3, edge };
}

/** Normal forces of contacts of a ball that is held at a height over the ground, N. */
function heldForces(contacts: readonly ContactModelSpec[], height: number): number[] {
  const held = makeSystem(
    modia3dModel({
      integrator: 'implicit-contact',
      bodies: [
        bodyModel('ball', 'prescribed', { position: [0, 0, height] }),
        bodyModel('ground', 'fixed'),
      ],
      contacts,
      step: 1e-3,
    }),
  );
  held.step(1e-3);
  const row = new Float64Array(CONTACT_READOUT.length);
  return contacts.map((_, k) => {
    held.readContact(k, row, 0);
    return row[ContactReadout.normalForce];
  });
}

const steel = (pair: PairModel): ContactModelSpec => modia3dContact('ball', 'ground', pair, STEEL);
const hertz = (radius: number): number =>
  hertzStiffness(materials().contactModulus(STEEL, 'materials'), radius) * DEPTH ** 1.5;

/** The radius that a mesh of a ball has in the stiffness, whatever its triangles. */
function meshes(): { figures: Figure[]; curves: Curve[] } {
  const balls = [0, 1, 2, 3, 4].map((cuts) => meshBall(cuts));
  const radii = balls.map(({ shape }) =>
    contactRadius({ shape, position: [0, 0, 0], orientation: [0, 0, 0, 1] }),
  );
  const figures = [0, 2, 4].map((n) => {
    // an icosahedron with edges along its axes; later, middles of six edges lie on the axes
    const expected = n === 0 ? (RADIUS * GOLDEN) / Math.sqrt(1 + GOLDEN ** 2) : RADIUS;
    const name = `ball of ${balls[n].triangles} triangles: contact radius`;
    return closedForm(name, 'm', radii[n], expected, 1e-16);
  });
  const forces = [2, 3].map((n) => {
    const [force] = heldForces([steel(onBox(balls[n].shape, [1, 1, 0.2]))], RADIUS - DEPTH);
    const expected = hertz(RADIUS);
    return closedForm(
      `ball of ${balls[n].triangles} triangles, 10 µm deep: force`,
      'N',
      force,
      expected,
      1e-9 * expected,
    );
  });
  const x = balls.map(({ triangles }) => triangles);
  return {
    figures: [...figures, ...forces],
    curves: [
      { name: 'contact radius', x, y: radii },
      { name: 'of the round ball', x, y: x.map(() => RADIUS), kind: 'points' },
      { name: 'half the shortest edge', x, y: balls.map(({ edge }) => edge / 2), kind: 'bound' },
    ],
  };
}

/** Laws of the ball on the incline with changed words. */
function lawsOf(...changes: readonly string[]): ContactModelSpec {
  const words = changes.map((change) => `contacts.0.${change}`);
  return compileScenario(loadScenario('ball-on-incline', words)).contacts[0];
}

/** Friction and rolling from the pair of materials. The numbers are those of Modia3D's palette. */
function pairs(): Figure[] {
  return (
    [
      ['Steel', 'Steel', 0.5, 0.001],
      ['DryWood', 'DryWood', 0.3, 0.001],
      ['BilliardTable', 'BilliardBall', 0.8, 0.01],
    ] as const
  ).flatMap(([a, b, friction, rolling]) => {
    const law = (kind: string, more = ''): string =>
      `{ kind: ${kind}, materials: [${a}, ${b}]${more} }`;
    const { frictionLaw, rollingLaw } = lawsOf(
      `friction_law=${law('regularized-coulomb')}`,
      `rolling_law=${law('modia3d')}`,
    );
    const own = lawsOf(`friction_law=${law('regularized-coulomb', ', coulomb: 0.07')}`).frictionLaw;
    const slide = (given: typeof own): number => ('coulomb' in given ? given.coulomb : NaN);
    const roll =
      rollingLaw !== undefined && 'rollingFriction' in rollingLaw
        ? rollingLaw.rollingFriction
        : NaN;
    return [
      printed(`${a} on ${b}: friction`, '1', slide(frictionLaw), friction, 0),
      printed(`${a} on ${b}: rolling`, '1', roll, rolling, 0),
      closedForm(`${a} on ${b}, 0.07 in the law: friction`, '1', slide(own), 0.07, 0),
    ];
  });
}

/** A palette of the user's own beside that of the package. */
function ownPalette(): Figure[] {
  const folder = mkdtempSync(join(tmpdir(), 'berth-palette-'));
  try {
    const file = join(folder, 'own.yaml');
    const solid = (name: string): string =>
      `solids:\n  - { kind: elastic, name: ${name}, density_kg_per_m3: 1420, youngs_modulus_N_per_m2: 3.1 GPa, poisson_ratio: 0.35 }\n`;
    const pair = `pairs:\n  - { kind: elastic, materials: [Delrin, Steel], restitution: 0.6, sliding_friction: 0.2, rolling_resistance: 0.002,\n      small_velocity_mps: 2 mm/s, small_angular_velocity_radps: 0.03 }\n`;
    writeFileSync(file, solid('Delrin') + pair);
    const own = materialsWith(file);
    const modulus = 1 / ((1 - 0.35 ** 2) / 3.1e9 + (1 - 0.3 ** 2) / 2e11);
    const elastic = own.pair(['Steel', 'Delrin'], 'materials');
    writeFileSync(file, solid('Steel'));
    let refused = '';
    try {
      materialsWith(file);
    } catch (error) {
      refused = String(error);
    }
    return [
      closedForm(
        'Delrin of a file on steel: contact modulus',
        'N/m²',
        own.contactModulus(['Delrin', 'Steel'], 'materials'),
        modulus,
        1e-15 * modulus,
      ),
      closedForm('Delrin on steel: restitution', '1', elastic.restitution, 0.6, 0),
      closedForm('Delrin on steel: friction', '1', elastic.sliding_friction, 0.2, 0),
      closedForm(
        'a second steel: refused by name',
        '1',
        refused.includes('"Steel" is the name of a solid') ? 1 : 0,
        1,
        0,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A ball falls through a ball that only sees it. */
function observed(): { figures: Figure[]; curves: Curve[] } {
  const [start, radius, middle] = [0.6, 0.05, 0.2];
  const reach = RADIUS + radius;
  const ghost: ContactModelSpec = {
    name: 'seen',
    bodyI: 'ball',
    bodyJ: 'ghost',
    pair: {
      kind: 'sphere-sphere',
      radius: RADIUS,
      center: [0, 0, 0],
      radiusJ: radius,
      centerJ: [0, 0, 0],
    },
    normalLaw: { kind: 'observer' },
    frictionLaw: { kind: 'none' },
  };
  const ball = bodyModel('ball', 'dynamic', {
    inertia: ballInertia(1, RADIUS),
    position: [0, 0, start],
  });
  const model: SystemModel = modia3dModel({
    bodies: [
      ball,
      bodyModel('ghost', 'fixed', { position: [0, 0, middle] }),
      bodyModel('ground', 'fixed'),
    ],
    contacts: [ghost, steel(onGround(RADIUS))],
    step: 1e-3,
  });
  const seen = makeSystem(model);
  const alone = makeSystem({ ...model, contacts: model.contacts.slice(1) });
  const row = new Float64Array(CONTACT_READOUT.length);
  const [body, other] = [new Float64Array(13), new Float64Array(13)];
  const time: number[] = [];
  const height: number[] = [];
  const active: number[] = [];
  let [wrong, push, speed, fallen, apart] = [0, 0, NaN, NaN, 0];
  for (let n = 0; n < 600; n++) {
    seen.step(1e-3);
    alone.step(1e-3);
    seen.readContact(0, row, 0);
    seen.readBody(0, body, 0);
    alone.readBody(0, other, 0);
    const touches = Math.abs(body[2] - middle) < reach ? 1 : 0;
    if (row[ContactReadout.active] !== touches) wrong++;
    if (touches === 1 && Number.isNaN(speed)) {
      speed = row[ContactReadout.impactSpeed];
      fallen = start - body[2];
    }
    push = Math.max(push, Math.abs(row[ContactReadout.normalForce]));
    apart = body.reduce((most, value, k) => Math.max(most, Math.abs(value - other[k])), apart);
    time.push(seen.time);
    height.push(body[2] - RADIUS);
    active.push(touches);
  }
  const expected = Math.sqrt(2 * G * (start - middle - reach));
  return {
    figures: [
      closedForm('observed contact: largest force', 'N', push, 0, 0),
      closedForm(
        'observed contact: speed at its onset',
        'm/s',
        speed,
        Math.sqrt(2 * G * fallen),
        1e-8,
      ),
      atMost('observed contact: onset seen late', 's', (speed - expected) / G, 1e-3),
      closedForm('observed contact: steps seen wrong', '1', wrong, 0, 0),
      closedForm('observed contact: change of the motion', 'SI', apart, 0, 0),
    ],
    curves: [
      { name: 'lowest point', x: time, y: height },
      {
        name: 'seen',
        x: time.filter((_, n) => active[n] === 1 && n % 4 === 0),
        y: height.filter((_, n) => active[n] === 1 && n % 4 === 0),
        kind: 'points',
      },
    ],
  };
}

/** A ball on one plate, on two that share a face under it, and on a plate beside a smaller ball. */
function pieces(): Figure[] {
  const plate = (at: number): string =>
    `{ shape: { kind: box, size_m: [1, 1, 0.1] }, position_m: [${at}, 0, -0.05] }`;
  const small = 0.03;
  const dome = `{ shape: { kind: sphere, radius_m: ${small} }, position_m: [0, 0, ${-small}] }`;
  const compiled = (shapes: readonly string[]): readonly ContactModelSpec[] => {
    const ball = `{ shape: { kind: sphere, radius_m: ${RADIUS} } }`;
    const pair = `{ kind: convex, shape_i: ${ball}, shape_j: { pieces: [${shapes.join(', ')}] } }`;
    const law = '{ kind: modia3d, materials: [Steel, Steel] }';
    const changes = [`contacts.0.pair=${pair}`, `contacts.0.normal_law=${law}`];
    return compileScenario(loadScenario('ball-on-incline', changes)).contacts.map((contact) => ({
      ...contact,
      bodyJ: 'ground',
    }));
  };
  const force = (shapes: readonly string[]): number[] =>
    heldForces(compiled(shapes), RADIUS - DEPTH);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const [flat, round] = [hertz(RADIUS), hertz((RADIUS * small) / (RADIUS + small))];
  const set = force([plate(0), dome]);
  const near = (name: string, got: number, expected: number): Figure =>
    closedForm(name, 'N', got, expected, 1e-8 * expected);
  return [
    near('ball on a plate: force', sum(force([plate(0)])), flat),
    near('ball on two plates that overlap: force', sum(force([plate(0), plate(1e-3)])), 2 * flat),
    near('ball on a set of plate and ball: force of the plate', set[0], flat),
    near('ball on a set of plate and ball: force of the ball', set[1], round),
  ];
}

/** The angular velocity of i over j in the read-out. */
function turning(): Figure[] {
  const turns: Pick<BodyModel, 'angularVelocity'>[] = [
    { angularVelocity: [1, -2, 0.5] },
    { angularVelocity: [0, 0.25, 2] },
  ];
  const run = makeSystem(
    modia3dModel({
      integrator: 'implicit-contact',
      bodies: [
        bodyModel('ball', 'prescribed', { position: [0, 0, RADIUS - DEPTH], ...turns[0] }),
        bodyModel('ground', 'prescribed', turns[1]),
      ],
      contacts: [steel(onGround(RADIUS))],
      step: 1e-3,
    }),
  );
  run.step(1e-3);
  const row = new Float64Array(CONTACT_READOUT.length);
  run.readContact(0, row, 0);
  return ['x', 'y', 'z'].map((axis, a) =>
    closedForm(
      `relative angular velocity, ${axis}`,
      'rad/s',
      row[ContactReadout.turning_x + a],
      turns[0].angularVelocity[a] - turns[1].angularVelocity[a],
      0,
    ),
  );
}

export const modia3dContactsCase: ValidationCase = {
  name: 'modia3d-contacts',
  title: 'Meshes, palettes, observed contacts, sets of pieces',
  source: 'Modia3D: FileMesh, palettes of materials, contact pairs, Composition',
  description:
    'The contact radius and the force of balls of 20 to 5120 triangles beside the round one; friction and rolling from pairs of materials; a palette of the user’s own; a ball that falls through one that only sees it; a ball on sets of convex pieces; the relative angular velocity of the read-out. Impulses and the tolerance 1e-5 are in bouncing-ball.',
  equation:
    'f = 4/3 E* √R δ^1.5 of each pair of pieces, R of a mesh half the least extent of its bounding box; an observed contact has f = 0.',
  tolerances:
    'Radii: rounding. Forces 1e-9 and 1e-8 of them: what portal refinement leaves of 10 µm. Numbers of palettes exact. An observer ends no step, so that the motion keeps its bits and the onset is seen at the end of its interval of 1 ms.',
  run() {
    const mesh = meshes();
    const ghost = observed();
    return {
      figures: [
        ...mesh.figures,
        ...pairs(),
        ...ghost.figures,
        ...ownPalette(),
        ...pieces(),
        ...turning(),
      ],
      plots: [
        {
          title: 'Radius of a ball of triangles in the stiffness',
          xLabel: 'triangles, 1',
          yLabel: 'radius, m',
          xScale: 'log',
          curves: mesh.curves,
        },
        {
          title: 'A ball falls through one that only sees it',
          xLabel: 'time, s',
          yLabel: 'height of the lowest point, m',
          curves: ghost.curves,
        },
      ],
    };
  },
};
