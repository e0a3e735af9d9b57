/**
 * The stage: bodies of a scenario with light, a grid of 10 cm, contact forces, frames of the tool
 * and a view that rotates.
 */
import {
  Box3,
  Color,
  DirectionalLight,
  DoubleSide,
  GridHelper,
  type Group,
  HemisphereLight,
  LineBasicMaterial,
  type Mesh,
  MeshStandardMaterial,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import type { Pose, SceneFrame } from '../../client/messages.ts';
import { BentBody, type BodyMaterials, makeBody } from './body-drawing.ts';
import { type Body, POSE, type SceneDescription, type ToolFrameName } from './description.ts';
import { Forces } from './forces.ts';
import { Orbit } from './orbit.ts';
import { reachOf } from './shapes.ts';
import { ToolFrames } from './tool-frames.ts';
import { TouchWays } from './touch-ways.ts';
import { WitnessLines } from './witness-lines.ts';

const GRID_M = 0.1;
/**
 * First view: from the side, a little above and behind, so that an insertion along x goes from left
 * to right into the picture.
 */
const HOME = [-2, 0.42] as const;

const glass = (opacity: number): MeshStandardMaterial =>
  new MeshStandardMaterial({
    roughness: 0.9,
    transparent: true,
    opacity,
    depthWrite: false,
    side: DoubleSide,
  });

/** Name of the renderer, if the browser reports it. */
function rendererName(context: WebGL2RenderingContext): string {
  const detail = context.getExtension('WEBGL_debug_renderer_info');
  return String(context.getParameter(detail?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
}

/** Colour of the page in the present scheme, by name. */
const colour = (name: string): Color =>
  new Color(getComputedStyle(document.documentElement).getPropertyValue(name).trim());

/** Extent to which infinite shapes are drawn, m. */
function reachOfAll(bodies: readonly Body[]): number {
  const ends = bodies.flatMap(({ position_m, cells }) =>
    cells.map(
      (cell) => Math.hypot(...position_m) + Math.hypot(...cell.position_m) + reachOf(cell.shape),
    ),
  );
  return Math.max(0, ...ends) || 1;
}

const snap = (value: number): number => GRID_M * Math.round(value / GRID_M);

export class Stage {
  /** Whether the processor renders; pictures are then rare, because they would take all its time. */
  readonly slow: boolean;
  readonly orbit: Orbit;
  /** Selected frames of the tool. */
  readonly wanted = new Set<ToolFrameName>();
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #changed: () => void;
  readonly #sky = new HemisphereLight(0xffffff, 0x707a84, 2.4);
  readonly #sun = new DirectionalLight(0xffffff, 1.8);
  readonly #materials = {
    // a face of free form is open, and seen from behind too
    face: new MeshStandardMaterial({ roughness: 0.65, metalness: 0.15, side: DoubleSide }),
    edge: new LineBasicMaterial(),
    armFace: new MeshStandardMaterial({ roughness: 0.6, metalness: 0.2 }),
    armEdge: new LineBasicMaterial(),
    siteFace: glass(0.22),
    siteEdge: new LineBasicMaterial({ transparent: true, opacity: 0.8 }),
    open: glass(0.12),
    grid: new LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false }),
  };
  readonly #middle = new Vector3();
  #bodies: Group[] = [];
  /** Flexible bodies among them. */
  #bent: BentBody[] = [];
  /** Bounding spheres of the home view: without the arm, and with it. */
  #near = new Sphere();
  #all = new Sphere();
  #whole = false;
  #wanderers: readonly number[] = [];
  #payload = -1;
  #grid: GridHelper | null = null;
  #forces: Forces | null = null;
  readonly #witnesses = new WitnessLines();
  #ways: TouchWays | null = null;
  #frames: ToolFrames | null = null;

  /**
   * @param changed called whenever the picture must be drawn again
   * @throws when the browser has no WebGL
   */
  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    // created here, because the library logs an error where WebGL is missing; with alpha, because a
    // canvas without it is black until the first picture
    const wishes = { alpha: true, antialias: true, powerPreference: 'low-power' };
    const context = canvas.getContext('webgl2', wishes) as WebGL2RenderingContext | null;
    if (context === null) throw new Error('no WebGL');
    this.slow = /swiftshader|llvmpipe|software/i.test(rendererName(context));
    this.#renderer = new WebGLRenderer({ canvas, context });
    this.#changed = changed;
    this.orbit = new Orbit(canvas, changed);
    this.#sun.position.set(-1.5, -2.5, 2.5);
  }

  /** Words for the scale of the arrows; '' before the first force. */
  get scaleWords(): string {
    const newtons = this.#forces?.newtons ?? 0;
    return newtons > 0 ? `Arrows: ${newtons} N for each 10 cm` : '';
  }

  /** Builds the scene of a scenario. */
  build(description: SceneDescription): void {
    this.#clear();
    const { bodies } = description;
    const reach = reachOfAll(bodies);
    this.#wanderers = bodies.flatMap(({ role }, b) => (role === 'moving' ? [b] : []));
    this.#payload = bodies.findIndex(({ role }) => role === 'payload');
    this.#bent = [];
    this.#bodies = bodies.map((body) => this.#body(body, reach));
    this.#bend();
    const near = bodies.some(({ role }) => role === 'payload' || role === 'site');
    const box = this.#extent(description, (role) => !near || role !== 'arm');
    const ball = box.getBoundingSphere(this.#near);
    this.#extent(description, () => true).getBoundingSphere(this.#all);
    this.#forces = new Forces(ball.radius);
    this.#ways = new TouchWays(description.touches, this.#bodies, ball.radius);
    this.#frames = new ToolFrames(0.35 * ball.radius);
    this.#grid = this.#makeGrid(box, ball);
    this.#scene.add(...this.#bodies, this.#forces.group, this.#frames.group, this.#grid);
    this.#witnesses.show([]);
    this.#scene.add(this.#witnesses.group, this.#ways.group);
    this.#scene.add(this.#sky, this.#sun);
    this.#setHome();
    this.paint();
  }

  /** Sets whether the home view shows the arm to its base, or only the work area of its tool. */
  showWhole(whole: boolean): void {
    if (whole === this.#whole) return;
    this.#whole = whole;
    if (this.#bodies.length > 0) this.#setHome();
  }

  #setHome(): void {
    const { center, radius } = this.#whole ? this.#all : this.#near;
    this.orbit.setHome(center, 0.85 * radius, ...HOME, 3 * this.#all.radius);
  }

  /** Applies the colours of the page, light or dark. */
  paint(): void {
    const materials = this.#materials;
    this.#scene.background = colour('--stage');
    materials.face.color = colour('--payload');
    materials.edge.color = colour('--payload-edge');
    materials.armFace.color = colour('--arm');
    materials.armEdge.color = colour('--arm-edge');
    materials.siteFace.color = materials.open.color = colour('--site');
    materials.siteEdge.color = colour('--site-edge');
    materials.grid.color = colour('--grid');
    this.#frames?.paint(colour);
    this.#forces?.paint(colour('--force'), colour('--slip'));
    if (this.#ways !== null) this.#ways.line.color = colour('--witness');
    this.#witnesses.line.color = this.#witnesses.dot.color = colour('--witness');
    this.#changed();
  }

  /** Moves all objects to the poses of the newest message. */
  show({ poses, points, faces, touches }: SceneFrame, commanded?: Pose, measured?: Pose): void {
    const count = Math.min(this.#bodies.length, poses.length / POSE);
    for (let b = 0; b < count; b++) {
      this.#bodies[b].position.fromArray(poses, b * POSE);
      this.#bodies[b].quaternion.fromArray(poses, b * POSE + 3);
    }
    this.#bend();
    this.#follow();
    this.#forces?.show(points, faces);
    this.#ways?.show(points, touches);
    this.#showFrame('commanded', commanded);
    this.#showFrame('measured', measured);
    const at = POSE * this.#payload;
    const known = at >= 0 && this.wanted.has('simulated');
    this.#frames?.place('simulated', known ? poses : null, poses, at, at + 3);
    this.#frames?.nameApart();
  }

  /** Draws the closest points of the newest message that has them. */
  showWitnesses(lines: readonly number[]): void {
    this.#witnesses.show(lines);
  }

  resize(width: number, height: number): void {
    if (width === 0 || height === 0) return;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.orbit.resize(width, height);
  }

  draw(): void {
    this.#renderer.render(this.#scene, this.orbit.camera);
  }

  /** Releases all resources; the canvas cannot be used again. */
  dispose(): void {
    this.#clear();
    for (const material of Object.values(this.#materials)) material.dispose();
    this.#witnesses.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  #clear(): void {
    this.#frames?.dispose();
    this.#ways?.dispose();
    this.#forces?.material.dispose();
    this.#scene.traverse((thing) => (thing as Partial<Mesh>).geometry?.dispose());
    this.#scene.clear();
  }

  #showFrame(name: ToolFrameName, pose: Pose | undefined): void {
    if (pose === undefined || !this.wanted.has(name)) this.#frames?.place(name, null, []);
    else this.#frames?.place(name, pose.position_m, pose.orientation);
  }

  #body(body: Body, reach: number): Group {
    const materials = this.#materialsOf(body);
    if (body.bends === undefined) return makeBody(body, reach, materials);
    const bent = new BentBody(body, body.bends, materials);
    this.#bent.push(bent);
    return bent.group;
  }

  #materialsOf({ role }: Body): BodyMaterials {
    const { open, face, edge, armFace, armEdge, siteFace, siteEdge } = this.#materials;
    if (role === 'site') return { open, face: siteFace, edge: siteEdge };
    return role === 'arm' ? { open, face: armFace, edge: armEdge } : { open, face, edge };
  }

  /** Bends flexible links to the poses of their tips. */
  #bend(): void {
    for (const bent of this.#bent) bent.follow(this.#bodies[bent.end]);
  }

  /** Box around all finite bodies at their start poses, and around the seated payload. */
  #extent({ bodies, insertion }: SceneDescription, counts: (role: Body['role']) => boolean): Box3 {
    const box = new Box3();
    bodies.forEach(({ role, position_m }, b) => {
      if (!counts(role)) return;
      const own = new Box3();
      this.#bodies[b].updateMatrixWorld(true);
      this.#bodies[b].traverse((mesh) => {
        if (mesh.userData['ends'] === true) own.expandByObject(mesh);
      });
      if (own.isEmpty()) return;
      box.union(own);
      if (role !== 'payload' || insertion === null) return;
      const way = new Vector3().fromArray(insertion.seated_position_m);
      box.union(own.translate(way.sub(new Vector3().fromArray(position_m))));
    });
    return box.isEmpty() ? box.setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1)) : box;
  }

  #makeGrid(box: Box3, ball: Sphere): GridHelper {
    const cells = 2 * Math.ceil(ball.radius / GRID_M + 1);
    const grid = new GridHelper(GRID_M * cells, cells);
    grid.material.dispose();
    grid.material = this.#materials.grid;
    grid.rotation.x = Math.PI / 2;
    grid.position.set(snap(ball.center.x), snap(ball.center.y), box.min.z);
    return grid;
  }

  /** Moves the view and its grid with bodies that float freely. */
  #follow(): void {
    if (this.#wanderers.length === 0) return;
    const middle = this.#middle.set(0, 0, 0);
    for (const b of this.#wanderers) middle.add(this.#bodies[b].position);
    if (!this.orbit.follow(middle.divideScalar(this.#wanderers.length))) return;
    const { x, y } = this.orbit.target;
    this.#grid?.position.set(snap(x), snap(y), this.#grid.position.z);
  }
}
