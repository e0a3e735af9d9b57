// The stage: bodies of a scenario in light, with a grid of 10 cm, contact forces and a view that can be turned.
import {
  Box3,
  Color,
  CylinderGeometry,
  DirectionalLight,
  DoubleSide,
  EdgesGeometry,
  GridHelper,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
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
/** First view: from the side, a little above and behind, so that a way in along x goes from left to right into the picture. */
const HOME = [-2, 0.42];

const glass = (opacity) =>
  new MeshStandardMaterial({
    roughness: 0.9,
    transparent: true,
    opacity,
    depthWrite: false,
    side: DoubleSide,
  });

/** Who draws, as far as the browser tells. */
function rendererName(context) {
  const detail = context.getExtension('WEBGL_debug_renderer_info');
  return String(context.getParameter(detail?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
}

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

/** How far a scene reaches, m: for what has no end. */
function reachOfAll(bodies) {
  const ends = bodies.flatMap(({ position_m, cells }) =>
    cells.map(
      (cell) => Math.hypot(...position_m) + Math.hypot(...cell.position_m) + reachOf(cell.shape),
    ),
  );
  return Math.max(0, ...ends) || 1;
}

const snap = (value) => GRID_M * Math.round(value / GRID_M);

export class Stage {
  /** @throws when the browser has no WebGL */
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    // asked for here, because the library complains on the console where there is none
    const wishes = { alpha: false, antialias: true, powerPreference: 'low-power' };
    const context = canvas.getContext('webgl2', wishes);
    if (context === null) throw new Error('no WebGL');
    /** Drawn by the processor: seldom, or nothing else gets its time. */
    this.slow = /swiftshader|llvmpipe|software/i.test(rendererName(context));
    this.renderer = new WebGLRenderer({ canvas, context });
    this.scene = new Scene();
    this.orbit = new Orbit(canvas, changed);
    this.bodies = [];
    this.wanderers = [];
    this.forces = null;
    this.materials = {
      face: new MeshStandardMaterial({ roughness: 0.65, metalness: 0.15 }),
      edge: new LineBasicMaterial(),
      siteFace: glass(0.22),
      siteEdge: new LineBasicMaterial({ transparent: true, opacity: 0.8 }),
      open: glass(0.12),
      grid: new LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false }),
      x: new MeshBasicMaterial({ depthTest: false, transparent: true }),
      y: new MeshBasicMaterial({ depthTest: false, transparent: true }),
      z: new MeshBasicMaterial({ depthTest: false, transparent: true }),
    };
    this.sky = new HemisphereLight(0xffffff, 0x707a84, 2.4);
    this.sun = new DirectionalLight(0xffffff, 1.8);
    this.sun.position.set(-1.5, -2.5, 2.5);
  }

  /** Everything anew for the scene of a scenario. */
  build(description) {
    this.scene.traverse((thing) => thing.geometry?.dispose());
    this.scene.clear();
    const reach = reachOfAll(description.bodies);
    this.wanderers = description.bodies.flatMap(({ role }, b) => (role === 'moving' ? [b] : []));
    this.bodies = description.bodies.map((body) => this.#body(body, reach));
    const box = this.#extent(description);
    const ball = box.getBoundingSphere(new Sphere());
    description.bodies.forEach(({ role }, b) => {
      if (role !== 'site' && role !== 'arm') this.bodies[b].add(this.#frame(0.35 * ball.radius));
    });
    this.forces = new Forces(ball.radius);
    this.grid = this.#grid(box, ball);
    this.scene.add(...this.bodies, this.forces.group, this.grid, this.sky, this.sun);
    this.orbit.setHome(ball.center, 0.85 * ball.radius, ...HOME);
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
        const mesh = new Mesh(part.geometry, part.open ? materials.open : face);
        mesh.userData.ends = !part.open;
        holder.add(mesh);
        holder.add(new LineSegments(new EdgesGeometry(part.geometry, EDGE_DEGREES), edge));
      }
    }
    place(group, [...body.position_m, ...body.orientation], 0);
    return group;
  }

  /** Box about everything that has an end: where it is at the start, and the payload where it is seated too. */
  #extent({ bodies, insertion }) {
    const box = new Box3();
    bodies.forEach(({ role, position_m }, b) => {
      const own = new Box3();
      this.bodies[b].updateMatrixWorld(true);
      this.bodies[b].traverse((mesh) => {
        if (mesh.userData.ends) own.expandByObject(mesh);
      });
      if (own.isEmpty()) return;
      box.union(own);
      if (role !== 'payload' || insertion === null) return;
      const way = new Vector3().fromArray(insertion.seated_position_m);
      box.union(own.translate(way.sub(new Vector3().fromArray(position_m))));
    });
    return box.isEmpty() ? box.setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1)) : box;
  }

  /** Axes of a body: what the hand controllers move. */
  #frame(length) {
    const rod = () => {
      const r = 0.012 * length;
      return new CylinderGeometry(r, r, length, 8).translate(0, length / 2, 0);
    };
    const rods = [
      new Mesh(rod().rotateZ(-Math.PI / 2), this.materials.x),
      new Mesh(rod(), this.materials.y),
      new Mesh(rod().rotateX(Math.PI / 2), this.materials.z),
    ];
    for (const mesh of rods) mesh.renderOrder = 1;
    return new Group().add(...rods);
  }

  #grid(box, ball) {
    const cells = 2 * Math.ceil(ball.radius / GRID_M + 1);
    const grid = new GridHelper(GRID_M * cells, cells);
    grid.material = this.materials.grid;
    grid.rotation.x = Math.PI / 2;
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
    this.#follow();
    return this.forces === null ? '' : this.forces.show(points);
  }

  /** Bodies that nobody carries may go anywhere: the view and its grid go with them. */
  #follow() {
    if (this.wanderers.length === 0) return;
    const middle = new Vector3();
    for (const b of this.wanderers) middle.add(this.bodies[b].position);
    if (!this.orbit.follow(middle.divideScalar(this.wanderers.length))) return;
    const { x, y } = this.orbit.target;
    this.grid.position.set(snap(x), snap(y), this.grid.position.z);
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
