// The scene on the page: asks for the bodies of the loaded scenario, follows the telemetry topic `scene`, writes its figures.
/* global request, put, fixed */
import { POSE, Stage } from './scene-stage.js';

/** Least time between two pictures while the view turns, and between two of what moves, ms. */
const PICTURE_MS = 45;
const SLOW_MS = 250;
const DEGREE = Math.PI / 180;

const byId = (id) => document.getElementById(id);
const canvas = byId('scene');
let stage = null;
let description = null;
let loading = '';
/** Scenario that the page says is loaded; asked for again after a refusal. */
let wanted = '';
let newest = null;
/** The view has changed; what is seen has moved. */
let dirty = false;
let moved = false;
let inSight = true;
let last_ms = -Infinity;

try {
  stage = new Stage(canvas, () => (dirty = true));
} catch {
  byId('scene-box').dataset.empty = 'true';
  put(
    'scene-words',
    'The scene needs WebGL, which this browser does not offer. All figures are here.',
  );
}

async function load(scenario) {
  wanted = scenario;
  if (description?.scenario === scenario || loading === scenario) return;
  loading = scenario;
  try {
    const answer = await request('GET', '/api/scene');
    if (answer.scenario !== wanted) return;
    description = answer;
    byId('insertion').hidden = answer.insertion === null;
    byId('seat').hidden = answer.insertion === null;
    canvas.setAttribute('aria-label', `Scene: ${answer.title}`);
    stage?.build(answer);
    newest = null;
  } catch (error) {
    put('scene-words', `The scene could not be loaded: ${error.message}`);
  } finally {
    loading = '';
  }
}

/** Messages of the scenario before are left out: its bodies are others. */
function take(message) {
  if (description === null || message.poses.length !== POSE * description.bodies.length) return;
  newest = message;
  if (stage === null) return;
  const words = stage.show(message);
  moved = true;
  put('scene-words', words === '' ? 'No contact.' : words);
}

const minus = (a, b) => a.map((value, axis) => value - b[axis]);
const dot = (a, b) => a.reduce((sum, value, axis) => sum + value * b[axis], 0);

/** Depth, tilt and offset of the payload against the place where it is seated. */
function showFigures() {
  if (newest === null || description === null) return;
  put('touching', String(newest.touching));
  const { insertion, bodies } = description;
  const at = POSE * bodies.findIndex(({ role }) => role === 'payload');
  if (insertion === null || at < 0) return;
  const away = minus(newest.poses.slice(at, at + 3), insertion.seated_position_m);
  const along = dot(away, insertion.direction);
  const aside = Math.sqrt(Math.max(0, dot(away, away) - along * along));
  const depth = insertion.depth_m + along;
  const turn = Math.abs(dot(newest.poses.slice(at + 3, at + POSE), insertion.seated_orientation));
  const tilt = 2 * Math.acos(Math.min(1, turn));
  put('depth', depth < 0 ? `${fixed(-depth * 1e3, 1)} mm to go` : `${fixed(depth * 1e3, 1)} mm`);
  put('tilt', `${fixed(tilt / DEGREE, 2)}°`);
  put('aside', `${fixed(aside * 1e3, 2)} mm`);
  put('full-depth', `${fixed(insertion.depth_m * 1e3, 0)} mm`);
  byId('depth-meter').value = Math.max(0, Math.min(1, depth / insertion.depth_m));
}

function draw(now_ms) {
  requestAnimationFrame(draw);
  const wait_ms = dirty || !stage.slow ? PICTURE_MS : SLOW_MS;
  if (!(dirty || moved) || !inSight || now_ms - last_ms < wait_ms) return;
  dirty = moved = false;
  last_ms = now_ms;
  stage.draw();
}

document.addEventListener('berth:scene', ({ detail }) => take(detail));
document.addEventListener('berth:scenario', ({ detail }) => void load(detail));
setInterval(showFigures, 250);
if (stage !== null) {
  new ResizeObserver(() => stage.resize(canvas.clientWidth, canvas.clientHeight)).observe(canvas);
  new IntersectionObserver(([entry]) => (inSight = entry.isIntersecting)).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => stage.paint());
  requestAnimationFrame(draw);
}
