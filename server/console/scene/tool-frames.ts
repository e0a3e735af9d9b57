/**
 * Frames of the tool: commanded, simulated and measured. Each has its own line (solid, dashed,
 * dotted), as the switches above the scene show. Letters label the axes. A name stands in the picture
 * only where frames are apart, so that no words lie over the tool.
 */
import {
  CanvasTexture,
  Color,
  Group,
  LinearFilter,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { TOOL_FRAMES, type ToolFrameName } from './description.ts';

/** Width of the line, px, and its dashes as parts of the axis' length: on, off; null is solid. */
const LINES: Readonly<
  Record<ToolFrameName, { readonly width: number; readonly dash: readonly [number, number] | null }>
> = {
  commanded: { width: 2.5, dash: [0.11, 0.06] },
  simulated: { width: 3, dash: null },
  measured: { width: 3.5, dash: [0.025, 0.05] },
};
const AXES = ['x', 'y', 'z'] as const;
/** Distance from the simulated frame, in lengths of an axis, from which a frame is named. */
const APART = 0.5;
/** Height of a letter as a part of the picture's height. */
const TEXT = 0.032;

type Colours = (name: string) => Color;

/** Words in the picture, always of the same size and in front. */
class Label {
  readonly sprite: Sprite;
  readonly #text: string;
  readonly #canvas = document.createElement('canvas');
  readonly #texture = new CanvasTexture(this.#canvas);

  /**
   * @param row lines above the point it belongs to; negative below
   * @param side where it stands beside the point
   */
  constructor(text: string, row: number, side: 'left' | 'right' = 'right') {
    this.#text = text;
    this.#texture.minFilter = LinearFilter;
    this.#texture.colorSpace = SRGBColorSpace;
    const material = new SpriteMaterial({
      map: this.#texture,
      sizeAttenuation: false,
      depthTest: false,
      transparent: true,
    });
    this.sprite = new Sprite(material);
    this.sprite.center.set(side === 'right' ? -0.06 : 1.06, 0.5 - row);
    this.sprite.renderOrder = 4;
  }

  paint(ink: string, ground: string): void {
    const pen = this.#canvas.getContext('2d')!;
    const size = 40;
    const font = `600 ${size}px system-ui, sans-serif`;
    pen.font = font;
    this.#canvas.width = Math.ceil(pen.measureText(this.#text).width) + 16;
    this.#canvas.height = size * 1.4;
    pen.font = font;
    pen.textBaseline = 'middle';
    pen.lineJoin = 'round';
    pen.lineWidth = 10;
    pen.strokeStyle = ground;
    pen.strokeText(this.#text, 8, size * 0.7);
    pen.fillStyle = ink;
    pen.fillText(this.#text, 8, size * 0.7);
    this.#texture.dispose(); // its size may have changed
    this.#texture.needsUpdate = true;
    this.sprite.scale.set((TEXT * this.#canvas.width) / this.#canvas.height, TEXT, 1);
  }

  dispose(): void {
    this.#texture.dispose();
    this.sprite.material.dispose();
  }
}

class ToolFrame {
  readonly group = new Group();
  readonly #geometry = new LineSegmentsGeometry();
  readonly #material: LineMaterial;
  readonly #labels: readonly Label[];
  readonly #title: Label;

  constructor(name: ToolFrameName, length: number) {
    const { width, dash } = LINES[name];
    this.#material = new LineMaterial({
      linewidth: width,
      vertexColors: true,
      dashed: dash !== null,
      dashSize: (dash?.[0] ?? 1) * length,
      gapSize: (dash?.[1] ?? 1) * length,
      depthTest: false,
      transparent: true,
    });
    const tips = AXES.map((_, axis) => AXES.map((__, k) => (k === axis ? length : 0)));
    this.#geometry.setPositions(tips.flatMap((tip) => [0, 0, 0, ...tip]));
    const lines = new LineSegments2(this.#geometry, this.#material);
    lines.computeLineDistances();
    lines.renderOrder = 1;
    lines.frustumCulled = false;
    this.group.add(lines);
    // clear of the axes as they stand at first: x goes to the right, y and z go up
    const title = new Label(name, -TOOL_FRAMES.indexOf(name), 'left');
    const letters = AXES.map((axis, k) => {
      const letter = new Label(axis, 0);
      letter.sprite.position.fromArray(tips[k]);
      return letter;
    });
    this.#title = title;
    title.sprite.visible = false;
    this.#labels = name === 'simulated' ? [title, ...letters] : [title];
    this.group.add(...this.#labels.map(({ sprite }) => sprite));
    this.group.visible = false;
  }

  set named(named: boolean) {
    this.#title.sprite.visible = named;
  }

  paint(colour: Colours): void {
    const colours = AXES.flatMap((axis) => {
      const { r, g, b } = colour(`--axis-${axis}`);
      return [r, g, b, r, g, b];
    });
    this.#geometry.setColors(colours);
    const [ink, ground] = [colour('--ink'), colour('--stage')];
    for (const label of this.#labels)
      label.paint(`#${ink.getHexString()}`, `#${ground.getHexString()}`);
  }

  dispose(): void {
    this.#geometry.dispose();
    this.#material.dispose();
    for (const label of this.#labels) label.dispose();
  }
}

export class ToolFrames {
  readonly group = new Group();
  readonly #frames: Readonly<Record<ToolFrameName, ToolFrame>>;
  readonly #apart_m: number;

  /** @param length of an axis, m */
  constructor(length: number) {
    this.#apart_m = APART * length;
    this.#frames = {
      commanded: new ToolFrame('commanded', 1.12 * length),
      simulated: new ToolFrame('simulated', length),
      measured: new ToolFrame('measured', 1.06 * length),
    };
    this.group.add(...TOOL_FRAMES.map((name) => this.#frames[name].group));
  }

  /**
   * Put a frame where it is.
   * @param position three numbers from `at` on; null hides the frame
   * @param orientation four numbers (x, y, z, w) from `turnAt` on
   */
  place(
    name: ToolFrameName,
    position: readonly number[] | null,
    orientation: readonly number[],
    at = 0,
    turnAt = 0,
  ): void {
    const { group } = this.#frames[name];
    group.visible = position !== null;
    if (position === null) return;
    group.position.fromArray(position, at);
    group.quaternion.fromArray(orientation, turnAt);
  }

  /** Names frames that are apart from the simulated one, after all are in place. */
  nameApart(): void {
    const middle = this.#frames.simulated.group;
    let some = false;
    for (const name of TOOL_FRAMES) {
      const { group } = this.#frames[name];
      const apart =
        group.visible &&
        middle.visible &&
        group.position.distanceTo(middle.position) > this.#apart_m;
      this.#frames[name].named = apart;
      some ||= apart;
    }
    this.#frames.simulated.named = some;
  }

  paint(colour: Colours): void {
    for (const name of TOOL_FRAMES) this.#frames[name].paint(colour);
  }

  dispose(): void {
    for (const name of TOOL_FRAMES) this.#frames[name].dispose();
  }
}
