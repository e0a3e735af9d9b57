/**
 * The scene with its figures: loads the bodies of the scenario, offers the frames of the tool, and
 * gives values as text.
 */
import './scene.css';
import { computed, effect, signal } from '@preact/signals';
import { Fragment, type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Telemetry, ValueQuality, WitnessFrame } from '../../client/messages.ts';
import { freshness } from '../feed.ts';
import { Panel } from '../shell/panel.tsx';
import { Length, Value } from '../shell/value.tsx';
import { norm } from '../shell/words.ts';
import { connection, feed, get, loads } from '../store.ts';
import { POSE, type SceneDescription, TOOL_FRAMES, type ToolFrameName } from './description.ts';
import { type FaceFigures, faceFigures } from './face-figures.ts';
import { type InsertionFigures, insertionFigures } from './insertion.ts';
import type { Player } from './player.ts';
import { type SurfaceFigure, surfaceFigures } from './surface-figures.ts';

/** Refresh interval of figures, ms; faster ones cannot be read. */
const FIGURES_MS = 250;
const DEGREE = Math.PI / 180;
const MEGA = 1e6;

const description = signal<SceneDescription | null>(null);
/** Load of which `description` is. */
let described = 0;
/** Reason for a missing picture; '' while there is one. */
const trouble = signal('');
const frames = signal<readonly ToolFrameName[]>(TOOL_FRAMES);
/** Whether the view shows the arm to its base. An arm with links is much larger than its work area. */
const whole = signal(false);
const jointed = computed(
  () =>
    description.value?.bodies.some(({ role, cells }) => role === 'arm' && cells.length > 0) ??
    false,
);
const scale = signal('');
/** Overlay figures of the newest message, without the insertion. */
interface TouchFigures {
  readonly touching: number;
  readonly force_N: number;
  readonly moment_Nm: number;
  readonly penetration_m: number | undefined;
  /** Of bodies of facets, and its part of their standoff; null without them. */
  readonly distance_m: number | null;
  readonly reserve: number | null;
  /** Quality of the wrench: a modelled one is good, a measured one has that of its message. */
  readonly quality: ValueQuality;
}
const touch = signal<TouchFigures | null>(null);
/** Pairs of facets within the standoff, and how many of them have features of their own; null without facets. */
const near = signal<{ readonly pairs: number; readonly distinct: number } | null>(null);
/** Points of elastic faces; null where none pushes. */
const face = signal<FaceFigures | null>(null);
/** Surfaces of free form that touch. */
const surfaces = signal<readonly SurfaceFigure[]>([]);
const insertion = signal<InsertionFigures | null>(null);
/** The present load; 0 without a connection. */
const present = computed(() => (connection.value === 'up' ? loads.value : 0));

/** Fetches the scene of a load, and draws it. */
async function load(wanted: number, player: Player | null): Promise<void> {
  try {
    const known = description.peek();
    const scene =
      known !== null && described === wanted ? known : await get<SceneDescription>('/api/scene');
    if (present.peek() !== wanted) return;
    description.value = scene;
    described = wanted;
    if (player === null) return;
    trouble.value = '';
    if (player.description !== scene) player.build(scene);
  } catch (error) {
    trouble.value = `The scene could not be loaded: ${(error as Error).message}`;
  }
}

/** They come less often than other messages. */
let newestWitnesses: WitnessFrame | null = null;

function nearFigures(): typeof near.value {
  const contacts = newestWitnesses?.contacts ?? [];
  if (contacts.length === 0) return null;
  const sum = (name: 'pairs' | 'distinct'): number =>
    contacts.reduce((all, contact) => all + contact[name], 0);
  return { pairs: sum('pairs'), distinct: sum('distinct') };
}

function takeFigures(player: Player | null): void {
  const scene = feed.newest?.scene;
  const drawn = description.value;
  if (scene === undefined || drawn?.bodies.length !== scene.poses.length / POSE) return;
  touch.value = touchFigures(feed.newest!, scene.touching);
  near.value = nearFigures();
  face.value = faceFigures(scene.faces);
  surfaces.value = surfaceFigures(scene.touches, drawn.touches);
  scale.value = player?.scaleWords ?? '';
  const payload = drawn.bodies.findIndex(({ role }) => role === 'payload');
  insertion.value =
    drawn.insertion === null || payload < 0
      ? null
      : insertionFigures(drawn.insertion, scene.poses, payload);
}

/** The wrench is that of the accommodation. */
function touchFigures(message: Telemetry, touching: number): TouchFigures {
  const { wrench, state, contact } = message;
  const followed = (feed.hardware ? wrench?.measured : wrench?.model) ?? [
    NaN,
    NaN,
    NaN,
    NaN,
    NaN,
    NaN,
  ];
  return {
    touching,
    force_N: norm(followed),
    moment_Nm: norm(followed, 3),
    penetration_m: contact?.penetration_m,
    distance_m: contact?.least_distance_m ?? null,
    reserve: contact?.standoff_reserve ?? null,
    quality: feed.hardware ? (state?.link?.state_quality ?? 'invalid') : 'good',
  };
}

/**
 * Makes the player. The drawing library is large: it is loaded when a scene is shown for the first
 * time, after everything else.
 */
async function makePlayer(canvas: HTMLCanvasElement): Promise<Player | null> {
  const { Player } = await import('./player.ts');
  try {
    return new Player(canvas, feed);
  } catch {
    trouble.value =
      'The scene needs WebGL, which this browser does not offer. All figures are here.';
    return null;
  }
}

function start(canvas: HTMLCanvasElement): () => void {
  const stops: (() => void)[] = [
    feed.subscribe('scene', 'contact', 'witnesses'),
    feed.on(({ witnesses }) => {
      if (witnesses !== undefined) newestWitnesses = witnesses;
    }),
  ];
  let ended = false;
  let player: Player | null = null;
  const timer = setInterval(() => takeFigures(player), FIGURES_MS);
  void makePlayer(canvas).then((made) => {
    if (ended) {
      made?.dispose();
      return;
    }
    player = made;
    stops.push(
      effect(() => made?.showFrames(frames.value)),
      effect(() => made?.showWhole(whole.value)),
      effect(() => {
        if (present.value > 0) void load(present.value, made);
      }),
      () => made?.dispose(),
    );
  });
  return () => {
    ended = true;
    clearInterval(timer);
    for (const stop of stops) stop();
  };
}

export function ScenePanel(): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => start(canvas.current!), []);
  const title = description.value?.title ?? '';
  return (
    <Panel name="scene" title="Scene" aside={<Switches />}>
      <div class="scene-box" data-empty={trouble.value !== ''} data-quality={freshness.value}>
        <canvas
          id="scene"
          ref={canvas}
          role="img"
          aria-label={title === '' ? 'Scene' : `Scene: ${title}`}
          aria-describedby="scene-hint"
          tabIndex={0}
        />
        <Figures />
        <p id="scene-words">{trouble.value || scale.value || 'No contact.'}</p>
        <p id="scene-hint">
          Drag or arrow keys turn, + and − zoom, Home goes back. Squares are 10 cm.
        </p>
      </div>
    </Panel>
  );
}

function Switches(): JSX.Element {
  return (
    <div class="chips">
      {jointed.value ? (
        <label class="chip">
          <input
            id="whole-arm"
            type="checkbox"
            checked={whole.value}
            onChange={() => (whole.value = !whole.value)}
          />
          whole arm
        </label>
      ) : null}
      <FrameSwitches />
    </div>
  );
}

function FrameSwitches(): JSX.Element {
  const toggle = (name: ToolFrameName): void => {
    const now = frames.value;
    frames.value = now.includes(name) ? now.filter((other) => other !== name) : [...now, name];
  };
  return (
    <div class="chips" role="group" aria-label="Frames of the tool">
      {TOOL_FRAMES.map((name) => (
        <label key={name} class="chip">
          <input
            type="checkbox"
            checked={frames.value.includes(name)}
            onChange={() => toggle(name)}
          />
          <svg class={`dash dash-${name}`} viewBox="0 0 26 6" aria-hidden="true">
            <line x1="1" y1="3" x2="25" y2="3" />
          </svg>
          {name}
        </label>
      ))}
    </div>
  );
}

function Figures(): JSX.Element {
  const known = touch.value;
  const quality = known?.quality ?? 'good';
  const distance_m = known?.distance_m ?? null;
  const now = insertion.value;
  const full_m = description.value?.insertion?.depth_m;
  return (
    <dl class="scene-figures">
      <dt>Touching pairs</dt>
      <dd>
        <Value id="touching" value={known?.touching} />
      </dd>
      <dt>Force</dt>
      <dd>
        <Value id="force" value={known?.force_N} digits={1} unit="N" quality={quality} />
      </dd>
      <dt>Moment</dt>
      <dd>
        <Value id="moment" value={known?.moment_Nm} digits={2} unit="N m" quality={quality} />
      </dd>
      <dt>Penetration</dt>
      <dd>
        <Length id="penetration" metres={known?.penetration_m} />
      </dd>
      {distance_m === null ? null : (
        <>
          <dt>Least distance</dt>
          <dd>
            <Length id="least-distance" metres={distance_m} />
          </dd>
          <dt>Of the standoff</dt>
          <dd>
            <Value id="standoff-reserve" value={100 * (known?.reserve ?? 0)} digits={0} unit="%" />
          </dd>
        </>
      )}
      {face.value === null ? null : (
        <>
          <dt>Points that stick</dt>
          <dd>
            <Value id="sticking-points" value={face.value.stick} />
          </dd>
          <dt class="slides">Points that slide</dt>
          <dd>
            <Value id="sliding-points" value={face.value.slide} />
          </dd>
          <dt>Largest pressure</dt>
          <dd>
            <Value id="pressure" value={face.value.pressure_Pa / MEGA} digits={2} unit="MPa" />
          </dd>
        </>
      )}
      {surfaces.value.map(({ name, ratio, weak }) => (
        <Fragment key={name}>
          <dt class={weak ? 'slides' : ''}>k₂ L, {name}</dt>
          <dd class="curvature">
            <Value value={ratio} digits={4} />
          </dd>
        </Fragment>
      ))}
      {near.value === null ? null : (
        <>
          <dt>Near pairs</dt>
          <dd>
            <Value id="near-pairs" value={near.value.pairs} />
          </dd>
          <dt>Distinct</dt>
          <dd>
            <Value id="distinct-pairs" value={near.value.distinct} />
          </dd>
        </>
      )}
      {now === null || full_m === undefined ? null : (
        <>
          <dt>{now.depth_m < 0 ? 'Before the mouth' : 'Depth'}</dt>
          <dd>
            <Length id="depth" metres={Math.abs(now.depth_m)} />
          </dd>
          <dt>Full depth</dt>
          <dd>
            <Length id="full-depth" metres={full_m} />
          </dd>
          <dt>Tilt</dt>
          <dd>
            <Value id="tilt" value={now.tilt_rad / DEGREE} digits={2} unit="°" />
          </dd>
          <dt>Off the axis</dt>
          <dd>
            <Length id="aside" metres={now.aside_m} />
          </dd>
        </>
      )}
    </dl>
  );
}
