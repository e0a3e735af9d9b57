// The strip charts of the status page: the last 20 s of one value, newest at the right.
/* exported Strip */
'use strict';

const GUTTER = 48;
const FOOT = 16;
const HEAD = 6;

class Strip {
  constructor(canvas, unit, least, samples) {
    this.canvas = canvas;
    this.unit = unit;
    this.least = least; // the scale never goes below this, so that noise looks like noise
    this.values = new Float64Array(samples);
    this.next = 0;
  }

  add(value) {
    this.values[this.next++ % this.values.length] = value;
  }

  /** Begin anew: what came before is not next to what comes now. */
  clear() {
    this.values.fill(0);
    this.next = 0;
  }

  get worst() {
    return Math.max(...this.values);
  }

  draw() {
    const { canvas, values } = this;
    const ratio = devicePixelRatio;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    const size = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    const pen = canvas.getContext('2d');
    const colour = (name) => getComputedStyle(canvas).getPropertyValue(name);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = '11px system-ui, sans-serif';
    pen.lineJoin = 'bevel';
    const top = Math.max(this.least, this.worst) * 1.05;
    const y = (value) => height - FOOT - (value / top) * (height - FOOT - HEAD);
    this.#drawGrid(pen, top, y, width, colour);
    pen.textAlign = 'left';
    pen.fillText('−20 s', GUTTER, height - 2);
    pen.textAlign = 'right';
    pen.fillText('now', width, height - 2);

    pen.strokeStyle = colour('--trace');
    pen.lineWidth = 1.5;
    pen.beginPath();
    const count = Math.min(this.next, values.length);
    for (let i = 0; i < count; i++) {
      const value = values[(this.next - count + i) % values.length];
      pen.lineTo(width - ((count - 1 - i) / (values.length - 1)) * (width - GUTTER), y(value));
    }
    pen.stroke();
  }

  #drawGrid(pen, top, y, width, colour) {
    const unit = 10 ** Math.floor(Math.log10(top));
    const step = [0.2, 0.5, 1, 2, 5].map((f) => f * unit).find((s) => top / s < 5.5);
    pen.fillStyle = colour('--quiet');
    pen.strokeStyle = colour('--line');
    pen.lineWidth = 1;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (let level = 0; level <= top; level += step) {
      pen.beginPath();
      pen.moveTo(GUTTER, y(level));
      pen.lineTo(width, y(level));
      pen.stroke();
      pen.fillText(`${Number(level.toPrecision(3))} ${this.unit}`, GUTTER - 5, y(level));
    }
    pen.textBaseline = 'alphabetic';
  }
}
