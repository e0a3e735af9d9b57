/**
 * One strip: the last 10 s of some series, newest at the right. Silences of the feed are gaps;
 * intervals without good quality are shaded.
 */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { feed } from '../feed.ts';
import { HISTORY_S, type SeriesName } from '../history.ts';
import { onPicture } from './frames.ts';
import { axisRange } from './range.ts';
import './strips.css';
import { fillWindow, makeWindow, type PlotWindow, qualityRuns } from './window.ts';

/** An axis of values. */
export interface StripAxis {
  readonly unit: string;
  /** Factor from the unit of the series to that of the axis, 1 by default. */
  readonly factor?: number;
  /** Least extent of the axis from zero; 1 by default. */
  readonly least?: number;
  /** Whether negative values are shown. */
  readonly signed?: boolean;
  /** Range of a logarithmic axis; smaller values lie on its lower end. */
  readonly decades?: readonly [number, number];
  /** Text of a tick; number and unit by default. */
  readonly tickWords?: (value: number) => string;
}

/** One line. Its index in the list gives its colour, its dashes, and its order of drawing. */
export interface StripLine {
  readonly series: SeriesName;
  readonly label: string;
  /** Whether it belongs to the axis at the right. */
  readonly right?: boolean;
}

export interface StripProps {
  readonly title: string;
  readonly axis: StripAxis;
  /** A second axis, at the right. */
  readonly rightAxis?: StripAxis;
  /** At most four. */
  readonly lines: readonly StripLine[];
}

/** Height in strips.css. */
const HEIGHT = 92;
/** Width for the values, CSS pixels. */
const LEFT_WIDTH = 62;
const RIGHT_WIDTH = 76;
/** Width below which half of the times are shown. */
const NARROW = 320;
const FONT = '11px system-ui, sans-serif';
/** Dashes of the lines, CSS pixels, so that lines differ without colour. */
const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [9, 3, 2, 3]];
const TICKS = [-10, -8, -6, -4, -2, 0];
const FEW_TICKS = [-10, -5, 0];

/** Clock reading of the newest picture of each plot, s. */
const pictures = new WeakMap<uPlot, number>();

/** Present value of a colour of the style sheet. */
const colour = (plot: uPlot, name: string): string =>
  getComputedStyle(plot.root).getPropertyValue(name).trim();

/** A tick of an axis: 3 digits and a real minus. */
const figure = (value: number): string => String(Number(value.toPrecision(3))).replace('-', '−');

/** Shades and labels the intervals with held, extrapolated, stale or invalid values. */
function shadeQuality(plot: uPlot): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  const { history } = feed;
  const runs = qualityRuns(history.time_s, history.quality, pictures.get(plot) ?? 0, HISTORY_S);
  ctx.save();
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'top';
  ctx.textAlign = 'left';
  for (const run of runs) {
    const name = history.qualityName(run.quality);
    const left = plot.valToPos(run.from, 'x', true);
    const width = Math.max(ratio, plot.valToPos(run.to, 'x', true) - left);
    const light = name === 'held' || name === 'extrapolated';
    ctx.fillStyle = colour(plot, light ? '--shade-held' : '--shade-stale');
    ctx.fillRect(left, bbox.top, width, bbox.height);
    if (ctx.measureText(name).width + 4 * ratio > width) continue;
    ctx.fillStyle = colour(plot, '--ink');
    ctx.fillText(name, left + 2 * ratio, bbox.top + 2 * ratio);
  }
  ctx.restore();
}

function scaleOf({ decades, least = 1, signed = false }: StripAxis): uPlot.Scale {
  // uPlot declares its enums for the compiler but has no values of them
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
  if (decades !== undefined) return { distr: 3, range: [decades[0], decades[1]] };
  return {
    range: (_plot, low: number | null, high: number | null) => axisRange(low, high, least, signed),
  };
}

function options({ axis, rightAxis, lines }: StripProps, width: number): uPlot.Options {
  const quiet = (plot: uPlot): string => colour(plot, '--quiet');
  const common: uPlot.Axis = { stroke: quiet, ticks: { show: false }, font: FONT, gap: 4 };
  const grid: uPlot.Axis.Grid = { stroke: (plot: uPlot) => colour(plot, '--line'), width: 1 };
  const numberAndUnit =
    (unit: string) =>
    (value: number): string =>
      `${figure(value)} ${unit}`;
  const valueAxis = ({
    unit,
    decades,
    tickWords = numberAndUnit(unit),
  }: StripAxis): uPlot.Axis => ({
    ...common,
    space: 22,
    values: (_plot, ticks) =>
      ticks.map((tick: number | null) => (tick === null ? '' : tickWords(tick))),
    ...(decades === undefined
      ? {}
      : { splits: () => decadesOf(decades), filter: (_plot: uPlot, ticks: number[]) => ticks }),
  });
  return {
    width,
    height: HEIGHT,
    padding: [7, rightAxis === undefined ? 16 : 0, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-HISTORY_S, 0] },
      left: scaleOf(axis),
      ...(rightAxis === undefined ? {} : { right: scaleOf(rightAxis) }),
    },
    axes: [
      {
        ...common,
        grid,
        size: 18,
        splits: (plot) => (plot.width < NARROW ? FEW_TICKS : TICKS),
        values: (_plot, ticks) => ticks.map((t) => (t === 0 ? 'now' : `${figure(t)} s`)),
      },
      { ...valueAxis(axis), scale: 'left', size: LEFT_WIDTH, grid },
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- see decades
      ...(rightAxis === undefined
        ? []
        : [
            {
              ...valueAxis(rightAxis),
              scale: 'right',
              size: RIGHT_WIDTH,
              side: 1,
              grid: { show: false },
            },
          ]),
    ],
    series: [
      {},
      ...lines.map(({ right = false }, index) => ({
        scale: right ? 'right' : 'left',
        stroke: (plot: uPlot) => colour(plot, `--line-${index + 1}`),
        dash: [...(DASHES[index] ?? [])],
        width: 1.5,
        points: { show: false },
      })),
    ],
    hooks: { drawClear: [shadeQuality] },
  };
}

/** Every second decade, as many as fit. */
function decadesOf([low, high]: readonly [number, number]): number[] {
  const list: number[] = [];
  for (let p = Math.round(Math.log10(low)); p <= Math.round(Math.log10(high)); p += 2) {
    list.push(Number(`1e${p}`));
  }
  return list;
}

/** Raises values to the lower end of a logarithmic axis, because a logarithm has no zero. */
function raise(
  { y }: PlotWindow,
  lines: readonly StripLine[],
  axis: StripAxis,
  rightAxis?: StripAxis,
): void {
  lines.forEach(({ right }, index) => {
    const floor = (right ? rightAxis : axis)?.decades?.[0];
    if (floor === undefined) return;
    const column = y[index];
    column.forEach((value, row) => {
      if (value !== null && value < floor) column[row] = floor;
    });
  });
}

/** A strip with its legend. */
export function Strip(props: StripProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const { title, axis, rightAxis, lines } = props;

  useEffect(() => {
    const host = place.current!;
    const data = makeWindow(lines.length);
    const factors = lines.map(({ right }) => (right ? rightAxis : axis)?.factor ?? 1);
    const plot = new uPlot(options(props, Math.max(1, host.clientWidth)), [[], ...data.y], host);
    const resize = new ResizeObserver(() => {
      if (host.clientWidth > 0 && host.clientWidth !== plot.width) {
        plot.setSize({ width: host.clientWidth, height: HEIGHT });
      }
    });
    resize.observe(host);
    const stop = onPicture((now_s) => {
      const { history } = feed;
      const series = lines.map((line) => history.series(line.series));
      fillWindow(data, history.time_s, series, now_s, HISTORY_S, factors);
      raise(data, lines, axis, rightAxis);
      pictures.set(plot, now_s);
      plot.setData([data.x, ...data.y]);
    });
    return () => {
      stop();
      resize.disconnect();
      plot.destroy();
    };
    // the content of a strip never changes while it is on the page
  }, []);

  const units = [axis, ...(rightAxis === undefined ? [] : [rightAxis])].map(({ unit }) => unit);
  return (
    <figure class="strip">
      <figcaption>
        <span>
          <span class="strip-title">{title}</span> <span class="unit">{units.join(', ')}</span>
        </span>
        <span class="strip-legend">
          {lines.map(({ label }, index) => (
            <span key={label}>
              <svg class={`strip-key line-${index + 1}`} width="26" height="8" aria-hidden="true">
                <line
                  x1="0"
                  y1="4"
                  x2="26"
                  y2="4"
                  stroke-dasharray={(DASHES[index] ?? []).join(' ')}
                />
              </svg>
              {label}
            </span>
          ))}
        </span>
      </figcaption>
      <div
        ref={place}
        class="strip-plot"
        role="img"
        aria-label={`${title} of the last ${HISTORY_S} s`}
      />
    </figure>
  );
}
