/**
 * View that rotates about a point by mouse, touch and keys. One finger rotates sideways and leaves
 * scrolling to the page.
 */
import { PerspectiveCamera, Vector3 } from 'three';
import { setCameraOrientation } from './camera-frame.ts';

const TURN_PER_PX = 0.006;
const TURN_PER_KEY = 0.1;
const ZOOM_PER_KEY = 1.15;
/** Largest angle above or below the horizon, rad. */
const STEEPEST = 1.5;

export class Orbit {
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly target = new Vector3();
  readonly #canvas: HTMLCanvasElement;
  readonly #changed: () => void;
  readonly #fingers = new Map<number, readonly [number, number]>();
  readonly #away = new Vector3();
  #home = { target: new Vector3(), radius: 1, azimuth: 0, height: 0 };
  #azimuth = 0;
  #height = 0;
  #distance = 1;

  /** @param changed called after every change of the view */
  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.#canvas = canvas;
    this.#changed = changed;
    this.camera.up.set(0, 0, 1);
    canvas.addEventListener('pointerdown', (event) => this.#press(event));
    canvas.addEventListener('pointermove', (event) => this.#drag(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      canvas.addEventListener(name, (event) => this.#fingers.delete(event.pointerId));
    }
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Radius of the ball that the home view shows, m. */
  get radius(): number {
    return this.#home.radius;
  }

  /**
   * Sets a view from `azimuth` and `height` (rad) that shows a whole ball about `target`. Objects
   * lie up to `furthest` from it, m.
   */
  setHome(
    target: Vector3,
    radius: number,
    azimuth: number,
    height: number,
    furthest: number,
  ): void {
    this.#home = { target: target.clone(), radius, azimuth, height };
    this.camera.near = radius / 100;
    this.camera.far = radius * 40 + furthest;
    this.goHome();
  }

  goHome(): void {
    const { target, radius, azimuth, height } = this.#home;
    this.target.copy(target);
    this.#azimuth = azimuth;
    this.#height = height;
    // a narrow canvas shows less to the sides
    const half = (this.camera.fov * Math.PI) / 360;
    this.#distance = radius / Math.sin(half) / Math.min(1, this.camera.aspect);
    this.#place();
  }

  /** Moves the view with a point that would leave the picture. @returns whether the view has moved */
  follow(point: Vector3): boolean {
    const away = this.#away.subVectors(point, this.target);
    const free = 0.6 * this.#home.radius;
    const length = away.length();
    if (!(length > free)) return false;
    this.target.addScaledVector(away, 1 - free / length);
    this.#place();
    return true;
  }

  resize(width: number, height: number): void {
    const before = this.camera.aspect;
    this.camera.aspect = width / height;
    // the same part of the scene stays visible when the canvas changes its shape
    this.#distance *= Math.min(1, before) / Math.min(1, this.camera.aspect);
    this.#place();
  }

  turn(azimuth: number, height: number): void {
    this.#azimuth += azimuth;
    this.#height = Math.max(-STEEPEST, Math.min(STEEPEST, this.#height + height));
    this.#place();
  }

  zoom(factor: number): void {
    const { radius } = this.#home;
    this.#distance = Math.max(radius / 4, Math.min(radius * 20, this.#distance * factor));
    this.#place();
  }

  #place(): void {
    const { camera, target } = this;
    const flat = this.#distance * Math.cos(this.#height);
    camera.position.set(
      target.x + flat * Math.cos(this.#azimuth),
      target.y + flat * Math.sin(this.#azimuth),
      target.z + this.#distance * Math.sin(this.#height),
    );
    camera.lookAt(target);
    camera.updateProjectionMatrix();
    const { x, y, z, w } = camera.quaternion;
    setCameraOrientation(x, y, z, w);
    this.#changed();
  }

  #press(event: PointerEvent): void {
    if (event.button > 0) return;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  #drag(event: PointerEvent): void {
    const last = this.#fingers.get(event.pointerId);
    if (last === undefined) return;
    const span = this.#span();
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const x = (event.clientX - last[0]) / this.#fingers.size;
    const y = (event.clientY - last[1]) / this.#fingers.size;
    this.turn(-x * TURN_PER_PX, y * TURN_PER_PX);
    if (this.#fingers.size === 2 && span > 0) this.zoom(span / this.#span());
  }

  /** Distance of two fingers, px. */
  #span(): number {
    const [a, b] = [...this.#fingers.values()];
    return a === undefined || b === undefined ? 0 : Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  /** Handles the wheel. The page scrolls until the scene has the focus; a pinch on a touch pad always zooms. */
  #wheel(event: WheelEvent): void {
    if (document.activeElement !== this.#canvas && !event.ctrlKey) return;
    event.preventDefault();
    this.zoom(Math.exp(event.deltaY * (event.ctrlKey ? 0.01 : 0.001)));
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const act = {
      ArrowLeft: () => this.turn(-TURN_PER_KEY, 0),
      ArrowRight: () => this.turn(TURN_PER_KEY, 0),
      ArrowUp: () => this.turn(0, TURN_PER_KEY),
      ArrowDown: () => this.turn(0, -TURN_PER_KEY),
      '+': () => this.zoom(1 / ZOOM_PER_KEY),
      '=': () => this.zoom(1 / ZOOM_PER_KEY),
      '-': () => this.zoom(ZOOM_PER_KEY),
      Home: () => this.goHome(),
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}
