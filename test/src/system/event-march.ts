/**
 * Requirements of the Modia3D source on contact events, checked at every event of runs with many
 * contacts. A15: right after an event the gap of every touching contact is below 0 and that of
 * every other one above 0. A16: an event does not change a continuing contact. The march is that of
 * the located steppers, with an observer around its events.
 */
import assert from 'node:assert/strict';
import type { ContactModel } from '../../../src/contact/contact-model.ts';
import { GAP } from '../../../src/contact/pair.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import type {
  ContactModelSpec,
  FrictionLawModel,
  NormalLawModel,
  SystemModel,
} from '../../../src/index.ts';
import { March } from '../../../src/integrate/march.ts';
import { makeMethod, type OdeMethod } from '../../../src/integrate/ode.ts';
import { StepControl } from '../../../src/integrate/step-control.ts';
import { ContactEvents } from '../../../src/system/contact-events.ts';
import { DynamicsProblem } from '../../../src/system/dynamics-problem.ts';
import { body, contact, system } from '../../fixtures/models.ts';

/** Damping fixed at onset; 1 kg at 1 m/s touches for about 10 ms. */
const MODIA3D: NormalLawModel = {
  kind: 'modia3d',
  contactModulus: 2.5e9,
  restitution: 0.7,
  smallVelocity: 0.01,
  maximumDamping: 100,
  reductionFactor: 1e-3,
};
const FRICTION: FrictionLawModel = {
  kind: 'regularized-coulomb',
  coulomb: 0.3,
  regularization: 'modia3d',
  velocityTolerance: 0.05,
};

/**
 * A ball that rests on the floor and gets hit by two others, one that bounces beside them, and a turning ellipsoid that lands on a
 * feeler: contacts of all ages at once.
 */
function crowd(): SystemModel {
  const ball = (name: string, x: number, z: number, vx: number): SystemModel['bodies'][number] =>
    body(name, 'dynamic', {
      inertia: [0.004, 0.004, 0.004, 0, 0, 0],
      position: [x, 0, z],
      velocity: [vx, 0, 0],
    });
  const shared = { normalLaw: MODIA3D, frictionLaw: FRICTION };
  const touch = (i: string, j: string): ContactModelSpec =>
    contact(i, j, {
      ...shared,
      pair: {
        kind: 'sphere-sphere',
        radius: 0.1,
        center: [0, 0, 0],
        radiusJ: 0.1,
        centerJ: [0, 0, 0],
      },
    });
  return system({
    gravity: [0, 0, -9.81],
    bodies: [
      body('floor', 'fixed'),
      ball('a', 0, 0.1 + 1e-4, 0),
      ball('b', 0.003, 0.36, 0),
      ball('c', -0.5, 0.105, 1.5),
      ball('d', 3, 0.2, 0.3),
      body('egg', 'dynamic', {
        inertia: [0.004, 0.006, 0.007, 0, 0, 0],
        position: [-3, 0, 0.25],
        orientation: [0.5, -0.1, 0.7, 0.5],
        angularVelocity: [3, 5, -2],
      }),
    ],
    contacts: [
      ...['a', 'b', 'c', 'd'].map((name) => contact(name, 'floor', shared)),
      touch('a', 'b'),
      touch('a', 'c'),
      touch('b', 'c'),
      contact('egg', 'floor', {
        ...shared,
        pair: {
          kind: 'convex',
          shapeI: {
            shape: { kind: 'ellipsoid', size: [0.3, 0.2, 0.15] },
            position: [0.01, 0, 0],
            orientation: [0, 0, 0, 1],
          },
          shapeJ: {
            shape: { kind: 'box', size: [2, 2, 0.2] },
            position: [-3, 0, -0.1],
            orientation: [0, 0, 0, 1],
          },
        },
      }),
    ],
  });
}

/** Every number that a contact keeps from its onset on, and its materials. */
function kept(contact: ContactModel): number[] {
  const { normalLaw, friction } = contact;
  const { constants } = normalLaw as unknown as { constants: Float64Array };
  return [...constants, ...normalLaw.internals, ...friction.states];
}

/** Looks at the contacts around each event. */
class Observer extends ContactEvents {
  events = 0;
  begun = 0;
  /** Contacts that touched before and after an event, over all events. */
  gone = 0;
  /** Largest of z1 and −z2 right after an event, m. */
  worst = -Infinity;
  private readonly crew: readonly ContactModel[];
  private readonly onsets = new Map<ContactModel, number[]>();

  constructor(dynamics: Dynamics) {
    super(dynamics);
    this.crew = dynamics.contacts;
  }

  override happen(first: number): void {
    const touched = this.crew.map((one) => one.active);
    const before = this.crew.map(kept);
    super.happen(first);
    if (first >= 0) this.events++;
    this.crew.forEach((one, k) => {
      if (one.active && !touched[k]) {
        this.begun++;
        this.onsets.set(one, kept(one));
      } else if (one.active) {
        if (first >= 0) this.gone++;
        assert.deepEqual(kept(one), before[k], `A16: ${one.name} at event ${this.events}`);
        assert.deepEqual(kept(one), this.onsets.get(one), `A16: ${one.name} since its onset`);
      }
    });
    this.measure();
    if (first < 0) return; // the start of a span: no event
    this.crew.forEach((one) => {
      const gap = one.kinematics[GAP];
      const margin = one.active ? gap : -gap;
      this.worst = Math.max(this.worst, margin);
    });
  }
}

/** Marches through the events of the crowd by a method, and checks A15 and A16 at each. */
export function marchThroughEvents(name: OdeMethod): void {
  const dynamics = new Dynamics({
    ...crowd(),
    integrator: name === 'rosenbrock' ? 'rosenbrock' : 'dormand-prince',
  });
  const problem = new DynamicsProblem(dynamics, true);
  const tolerance = { relative: 1e-7, absolute: 1e-9 };
  const method = makeMethod(name, problem, tolerance);
  const adaptive = method.estimateOrder > 0;
  const events = new Observer(dynamics);
  const march = new March({
    problem,
    method,
    control: adaptive
      ? new StepControl(problem, method.estimateOrder, tolerance, dynamics.stepMemory)
      : null,
    events,
    mostSteps: adaptive ? 1e6 : 64,
    longestStep: Infinity,
    onStep: null,
  });
  const span = Float64Array.of(adaptive ? 0.01 : 5e-4);
  dynamics.stepLength[0] = span[0];
  for (let n = 0; n * span[0] < 0.8; n++) assert.ok(march.run(Float64Array.of(0), span));
  // 27 touches in 0.8 s; five methods differ in the last small hops of a ball that comes to rest
  assert.ok(events.begun >= 20, `${events.begun} touches`);
  assert.ok(events.events >= 40, `${events.events} events`);
  assert.ok(events.gone >= 30, `${events.gone} contacts went on through an event`);
  assert.ok(events.worst < 0, `A15: a gap is ${events.worst} m on the wrong side`);
}
