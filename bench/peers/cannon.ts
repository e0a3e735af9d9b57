/**
 * The scenes in cannon-es: constraints solved by SPOOK (Gauss–Seidel with stiffness and relaxation
 * d), double precision, JavaScript. SPOOK realises the share b = 4 d/(1 + 4 d) of the wanted change
 * of velocity, so an impact returns about (1 + e) b − 1: 0.66 for e = 0.8 and the default d = 3,
 * 0.796 for d = 100. Both are shown.
 */
import { Body, Box, Plane, Sphere, Vec3, World } from 'cannon-es';
import { type Engine, gravityOf, type Running } from './engine.ts';

function scene(
  gravity: readonly [number, number, number],
  step: number,
  shape: Sphere | Box,
  mass: number,
  height: number,
  restitution: number,
  friction: number,
  relaxation: number,
): Running {
  const world = new World({ gravity: new Vec3(...gravity) });
  world.defaultContactMaterial.restitution = restitution;
  world.defaultContactMaterial.friction = friction;
  world.defaultContactMaterial.contactEquationRelaxation = relaxation;
  world.addBody(new Body({ mass: 0, shape: new Plane() })); // its normal is z
  const body = new Body({
    mass,
    shape,
    position: new Vec3(0, 0, height),
    linearDamping: 0,
    angularDamping: 0,
  });
  world.addBody(body);
  return {
    step: () => world.step(step),
    read: (out) => {
      const { position: p, quaternion: q, velocity: v, angularVelocity: w } = body;
      out.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]);
    },
    free: () => undefined,
  };
}

function engine(name: string, relaxation: number): Engine {
  return {
    name,
    contact: `constraints on velocity with a coefficient of restitution, double precision, JavaScript; contact relaxation ${relaxation}, other solver settings default, damping off`,
    ball: (ball) =>
      scene(
        gravityOf(ball),
        ball.step,
        new Sphere(ball.radius),
        ball.mass,
        ball.radius + ball.drop,
        ball.restitution,
        0,
        relaxation,
      ),
    box: (box) =>
      scene(
        gravityOf(box),
        box.step,
        new Box(new Vec3(box.size[0] / 2, box.size[1] / 2, box.size[2] / 2)),
        box.mass,
        box.size[2] / 2 + box.drop,
        0,
        box.friction,
        relaxation,
      ),
  };
}

/** As it comes. */
export const CANNON: Engine = engine('cannon-es', 3);
/** Set so that restitution comes back. */
export const CANNON_RELAXED: Engine = engine('cannon-es, relaxation 100', 100);
