/** The replay of a recording: scene, time line with its faults, state and force. Nothing of it is live. */
import { effect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { cause, fixed, levelOf, norm, SYMBOLS, words } from '../shell/words.ts';
import { Panel } from '../shell/panel.tsx';
import type { Player } from '../scene/player.ts';
import type { Replay } from './replay.ts';
import { span } from './words.ts';

const SPEEDS = [0.1, 0.5, 1, 2, 5] as const;

/** Draws the replay. The drawing library is loaded when it is needed for the first time. */
function start(canvas: HTMLCanvasElement, replay: Replay): () => void {
  let player: Player | null = null;
  let ended = false;
  let stop = (): void => undefined;
  void import('../scene/player.ts').then(({ Player }) => {
    if (ended) return;
    try {
      player = new Player(canvas, replay);
    } catch {
      replay.trouble.value = 'The scene needs WebGL, which this browser does not offer.';
      return;
    }
    player.showFrames(['commanded', 'measured']);
    stop = effect(() => {
      const scene = replay.scene.value;
      if (scene !== null && player?.description !== scene) player?.build(scene);
    });
  });
  return () => {
    ended = true;
    stop();
    player?.dispose();
  };
}

export interface ReplayPanelProps {
  readonly replay: Replay;
  readonly close: () => void;
}

export function ReplayPanel({ replay, close }: ReplayPanelProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => start(canvas.current!, replay), [replay]);
  const aside = (
    <button type="button" onClick={close}>
      Close
    </button>
  );
  return (
    <Panel
      name="replay"
      title={`Replay: ${replay.scene.value?.title ?? replay.name}`}
      aside={aside}
    >
      <p class="replay-banner">↻ A recording, nothing is live: {replay.name}</p>
      <div class="replay-box">
        <canvas ref={canvas} role="img" aria-label="Scene of the recording" tabIndex={0} />
        <Figures replay={replay} />
      </div>
      <TimeLine replay={replay} />
      {replay.trouble.value === '' ? null : (
        <p class="hint" role="alert">
          {replay.trouble.value}
        </p>
      )}
    </Panel>
  );
}

function Figures({ replay }: { readonly replay: Replay }): JSX.Element | null {
  const frame = replay.shown.value;
  const mode = replay.scene.value?.mode;
  if (frame === null) return null;
  const { state, wrench, scene } = frame;
  const force = mode === 'hardware' ? wrench.measured : wrench.model;
  const causes = [...state.faults, ...state.holds];
  return (
    <dl class="scene-figures replay-figures">
      {mode === 'simulated' ? null : ( // without a loop there is no state of one
        <>
          <dt>State</dt>
          <dd data-level={levelOf(state.state)}>
            {SYMBOLS[levelOf(state.state)]} {words(state.state)}
          </dd>
        </>
      )}
      <dt>Force</dt>
      <dd>{fixed(norm(force), 1)} N</dd>
      <dt>Touching pairs</dt>
      <dd>{scene.touching}</dd>
      {causes.length === 0 ? null : (
        <>
          <dt>Cause</dt>
          <dd>{causes.join(', ')}</dd>
        </>
      )}
    </dl>
  );
}

function TimeLine({ replay }: { readonly replay: Replay }): JSX.Element {
  const scene = replay.scene.value;
  const length_s = scene?.length_s ?? 0;
  const at_s = replay.at_s.value;
  return (
    <div class="time-line">
      <button
        type="button"
        class="primary"
        onClick={() => replay.toggle()}
        disabled={scene === null}
      >
        {replay.playing.value ? 'Pause' : 'Play'}
      </button>
      <div class="time-slider">
        <input
          type="range"
          aria-label="Time of the recording"
          aria-valuetext={span(at_s)}
          min="0"
          max={length_s}
          step="0.02"
          value={at_s}
          onInput={({ currentTarget }) => replay.seek(Number(currentTarget.value))}
        />
        {scene?.faults.map(({ code, at_s: fault_s }) => (
          <button
            key={`${code} ${fault_s}`}
            type="button"
            class="fault-mark"
            style={{ left: `${(100 * fault_s) / Math.max(length_s, 1e-9)}%` }}
            title={`${code} at ${span(fault_s)}: ${cause(code)}`}
            aria-label={`Go to ${code}`}
            onClick={() => replay.seek(fault_s - 1)}
          >
            ▲
          </button>
        ))}
      </div>
      <output class="time-words">
        {span(at_s)} of {span(length_s)}
      </output>
      <label>
        Speed{' '}
        <select
          value={replay.speed.value}
          onChange={({ currentTarget }) => (replay.speed.value = Number(currentTarget.value))}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed}>
              {speed}×
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
