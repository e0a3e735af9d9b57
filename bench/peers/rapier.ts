/** The scenes in Rapier: constraints with restitution, single precision, WebAssembly. */
import RAPIER from '@dimforge/rapier3d-compat';
import { type Engine, gravityOf, type Running } from './engine.ts';

const GROUND = 0.5;

/** One body over a fixed slab whose top is z = 0. */
function scene(
  gravity: readonly number[],
  step: number,
  height: number,
  shape: RAPIER.ColliderDesc,
  restitution: number,
  friction: number,
): Running {
  const world = new RAPIER.World({ x: gravity[0], y: gravity[1], z: gravity[2] });
  world.timestep = step;
  // both colliders have the same coefficients, so no rule of combination but the product would change them
  const dress = (desc: RAPIER.ColliderDesc): RAPIER.ColliderDesc =>
    desc
      .setRestitution(restitution)
      .setRestitutionCombineRule(RAPIER.CoefficientCombineRule.Max)
      .setFriction(friction)
      .setFrictionCombineRule(RAPIER.CoefficientCombineRule.Max);
  world.createCollider(
    dress(RAPIER.ColliderDesc.cuboid(5, 5, GROUND).setTranslation(0, 0, -GROUND)),
  );
  const body = world.createRigidBody(
    RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 0, height).setCanSleep(false),
  );
  world.createCollider(dress(shape), body);
  return {
    step: () => world.step(),
    read: (out) => {
      const p = body.translation();
      const q = body.rotation();
      const v = body.linvel();
      const w = body.angvel();
      out.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]);
    },
    free: () => world.free(),
  };
}

/** Loads the engine. */
export async function loadRapier(): Promise<Engine> {
  await RAPIER.init();
  return {
    name: `Rapier ${RAPIER.version()}`,
    contact:
      'constraints on velocity with a coefficient of restitution, single precision, WebAssembly; default solver settings, sleeping off',
    ball: (ball) =>
      scene(
        gravityOf(ball),
        ball.step,
        ball.radius + ball.drop,
        RAPIER.ColliderDesc.ball(ball.radius).setMass(ball.mass),
        ball.restitution,
        0,
      ),
    box: (box) =>
      scene(
        gravityOf(box),
        box.step,
        box.size[2] / 2 + box.drop,
        RAPIER.ColliderDesc.cuboid(box.size[0] / 2, box.size[1] / 2, box.size[2] / 2).setMass(
          box.mass,
        ),
        0,
        box.friction,
      ),
  };
}
