// The stage: bodies of a scenario in light, with a grid of 10 cm, contact forces and a view that can be turned.
import {
  Box3,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  EdgesGeometry,
  GridHelper,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from './three.module.js';
import { Forces } from './scene-forces.js';
import { Orbit } from './scene-orbit.js';
import { partsOf, reachOf } from './scene-shapes.js';

/** Numbers of one pose in the topic `scene`: position and orientation. */
export const POSE = 7;
const GRID_M = 0.1;
/** Edges flatter than this are not drawn, degrees: round shapes keep their face. */
const EDGE_DEGREES = 25;
/** First view: from the side and a little above, so that a way in along x lies across the picture. */
const HOME = [-1.12, 0.42];

const glass = (opacity) =>
  new MeshStandardMaterial({
    roughness: 0.9,
    transparent: true,
    opacity,
    depthWrite: false,
    side: DoubleSide,
  });

/** Colours of the page in the scheme of the moment, by name. */
function colour(name) {
  return new Color(getComputedStyle(document.documentElement).getPropertyValue(name).trim());
}

function place(group, values, at) {
  group.position.fromArray(values, at);
  group.quaternion.fromArray(values, at + 3);
}

function nest(group, places) {
  return places.reduce((outer, { position_m, orientation }) => {
    const inner = new Group();
    place(inner, [...position_m, ...orientation], 0);
    outer.add(inner);
    return inner;
  }, group);
}

/** Everything that has an end: where it is at the start, and the payload where it is seated too. */
function extentOf({ bodies, insertion }) {
  const box = new Box3();
  for (const body of bodies) {
    const turn = new Quaternion().fromArray(body.orientation);
    const places = [body.position_m];
    if (body.role === 'payload' && insertion !== null) places.push(insertion.seated_position_m);
    for (const { shape, position_m } of body.cells) {
      const radius = 0.7 * reachOf(shape);
      if (radius === 0) continue;
      const offset = new Vector3().fromArray(position_m).applyQuaternion(turn);
      for (const origin of places) {
        const centre = new Vector3().fromArray(origin).add(offset);
        box.union(new Sphere(centre, radius).getBoundingBox(new Box3()));
      }
    }
  }
  return box.isEmpty() ? box.setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1)) : box;
}

export class Stage {
  /** @throws when the browser has no WebGL */
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'low-power' });
    this.scene = new Scene();
    this.orbit = new Orbit(canvas, changed);
    this.bodies = [];
    this.forces = null;
    this.materials = {
      face: new MeshStandardMaterial({ roughness: 0.65, metalness: 0.15 }),
      edge: new LineBasicMaterial(),
      siteFace: glass(0.28),
      siteEdge: new LineBasicMaterial({ transparent: true, opacity: 0.8 }),
      open: glass(0.12),
      grid: new LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false }),
      x: new LineBasicMaterial({ depthTest: false }),
      y: new LineBasicMaterial({ depthTest: false }),
      z: new LineBasicMaterial({ depthTest: false }),
    };
    this.sky = new HemisphereLight(0xffffff, 0x707a84, 2.4);
    this.sun = new DirectionalLight(0xffffff, 1.5);
    this.sun.position.set(-1, -2, 3);
  }

  /** Everything anew for the scene of a scenario. */
  build(description) {
    this.scene.traverse((thing) => thing.geometry?.dispose());
    this.scene.clear();
    const box = extentOf(description);
    const ball = box.getBoundingSphere(new Sphere());
    this.bodies = description.bodies.map((body) => this.#body(body, ball.radius));
    this.forces = new Forces(ball.radius);
    this.scene.add(...this.bodies, this.forces.group, this.#grid(box, ball), this.sky, this.sun);
    this.orbit.setHome(ball.center, ball.radius, ...HOME);
    this.paint();
  }

  #body(body, reach) {
    const group = new Group();
    const { materials } = this;
    const [face, edge] =
      body.role === 'site'
        ? [materials.siteFace, materials.siteEdge]
        : [materials.face, materials.edge];
    for (const cell of body.cells) {
      for (const part of partsOf(cell, reach)) {
        const holder = nest(group, part.places);
        holder.add(new Mesh(part.geometry, part.open ? materials.open : face));
        holder.add(new LineSegments(new EdgesGeometry(part.geometry, EDGE_DEGREES), edge));
      }
    }
    if (body.role !== 'site' && body.role !== 'arm') group.add(this.#frame(0.3 * reach));
    place(group, [...body.position_m, ...body.orientation], 0);
    return group;
  }

  /** Axes of a body: what the hand controllers move. */
  #frame(length) {
    const lines = ['x', 'y', 'z'].map((name, axis) => {
      const ends = [new Vector3(), new Vector3().setComponent(axis, length)];
      const geometry = new BufferGeometry().setFromPoints(ends);
      const line = new LineSegments(geometry, this.materials[name]);
      line.renderOrder = 1;
      return line;
    });
    return new Group().add(...lines);
  }

  #grid(box, ball) {
    const cells = 2 * Math.ceil(ball.radius / GRID_M + 1);
    const grid = new GridHelper(GRID_M * cells, cells);
    grid.material = this.materials.grid;
    grid.rotation.x = Math.PI / 2;
    const snap = (value) => GRID_M * Math.round(value / GRID_M);
    grid.position.set(snap(ball.center.x), snap(ball.center.y), box.min.z);
    return grid;
  }

  /** Colours of the page, light or dark. */
  paint() {
    const { materials } = this;
    this.scene.background = colour('--stage');
    materials.face.color = colour('--payload');
    materials.edge.color = colour('--payload-edge');
    materials.siteFace.color = materials.open.color = colour('--site');
    materials.siteEdge.color = colour('--site-edge');
    materials.grid.color = colour('--grid');
    for (const axis of ['x', 'y', 'z']) materials[axis].color = colour(`--axis-${axis}`);
    if (this.forces !== null) this.forces.material.color = colour('--force');
    this.changed();
  }

  /** Take in a message of the topic `scene`. @returns the words that say the scale of the arrows */
  show({ poses, points }) {
    const count = Math.min(this.bodies.length, poses.length / POSE);
    for (let b = 0; b < count; b++) place(this.bodies[b], poses, b * POSE);
    this.changed();
    return this.forces === null ? '' : this.forces.show(points);
  }

  resize(width, height) {
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.orbit.resize(width, height);
  }

  draw() {
    this.renderer.render(this.scene, this.orbit.camera);
  }
}
