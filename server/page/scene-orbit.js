// The view: turns about a point by mouse, touch and keys. One finger turns sideways and leaves scrolling to the page.
import { PerspectiveCamera, Vector3 } from './three.module.js';

const TURN_PER_PX = 0.006;
const TURN_PER_KEY = 0.1;
const ZOOM_PER_KEY = 1.15;
const STEEPEST = 1.5; // rad above or below the horizon

export class Orbit {
  /** `changed` is called after every change of the view. */
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.camera = new PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.target = new Vector3();
    this.fingers = new Map();
    this.home = { target: new Vector3(), distance: 1, azimuth: 0, height: 0 };
    canvas.addEventListener('pointerdown', (event) => this.#press(event));
    canvas.addEventListener('pointermove', (event) => this.#drag(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      canvas.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    }
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener('keydown', (event) => this.#key(event));
  }

  /** A view from `azimuth` and `height` (rad) in which a ball about `target` is seen whole. */
  setHome(target, radius, azimuth, height) {
    this.home = { target: target.clone(), radius, azimuth, height };
    this.camera.near = radius / 100;
    this.camera.far = radius * 40;
    this.goHome();
  }

  goHome() {
    const { target, radius, azimuth, height } = this.home;
    this.target.copy(target);
    this.azimuth = azimuth;
    this.height = height;
    // a narrow canvas sees less to the sides
    const half = (this.camera.fov * Math.PI) / 360;
    this.distance = radius / Math.sin(half) / Math.min(1, this.camera.aspect);
    this.#place();
  }

  /** Move with what would leave the picture. @returns whether the view has moved */
  follow(point) {
    const away = point.clone().sub(this.target);
    const free = 0.6 * this.home.radius;
    const length = away.length();
    if (!(length > free)) return false;
    this.target.addScaledVector(away, 1 - free / length);
    this.#place();
    return true;
  }

  resize(width, height) {
    const atHome = this.camera.aspect;
    this.camera.aspect = width / height;
    // the same part of the scene stays in view when the canvas changes its form
    this.distance *= Math.min(1, atHome) / Math.min(1, this.camera.aspect);
    this.#place();
  }

  turn(azimuth, height) {
    this.azimuth += azimuth;
    this.height = Math.max(-STEEPEST, Math.min(STEEPEST, this.height + height));
    this.#place();
  }

  zoom(factor) {
    const { radius } = this.home;
    this.distance = Math.max(radius / 4, Math.min(radius * 20, this.distance * factor));
    this.#place();
  }

  #place() {
    const flat = this.distance * Math.cos(this.height);
    this.camera.position.set(
      this.target.x + flat * Math.cos(this.azimuth),
      this.target.y + flat * Math.sin(this.azimuth),
      this.target.z + this.distance * Math.sin(this.height),
    );
    this.camera.lookAt(this.target);
    this.camera.updateProjectionMatrix();
    this.changed();
  }

  #press(event) {
    if (event.button > 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  #drag(event) {
    const last = this.fingers.get(event.pointerId);
    if (last === undefined) return;
    const span = this.#span();
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const x = (event.clientX - last[0]) / this.fingers.size;
    const y = (event.clientY - last[1]) / this.fingers.size;
    this.turn(-x * TURN_PER_PX, y * TURN_PER_PX);
    if (this.fingers.size === 2 && span > 0) this.zoom(span / this.#span());
  }

  /** Distance of two fingers, px. */
  #span() {
    const [a, b] = [...this.fingers.values()];
    return b === undefined ? 0 : Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  /** The page keeps its wheel until the scene was chosen; a pinch on a touch pad always zooms. */
  #wheel(event) {
    if (document.activeElement !== this.canvas && !event.ctrlKey) return;
    event.preventDefault();
    this.zoom(Math.exp(event.deltaY * (event.ctrlKey ? 0.01 : 0.001)));
  }

  #key(event) {
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
    act();
  }
}
