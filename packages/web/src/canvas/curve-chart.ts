import { clockText } from '../base/format.ts';
import { type CurvePoint, valueAt } from '../state/song-analysis.ts';
import { type TimeChart, xOf } from './time-chart.ts';

const HEIGHT_PX = 64;
/** Distance of the line from the edges. */
const INSET_PX = 3;

/** Title, range and texts of a curve. */
export interface CurveOptions {
  id: string;
  title: string;
  summary: string;
  /** Values at the bottom and at the top. */
  range: readonly [number, number];
  text: (value: number) => string;
  /** Shorter text for the axis. */
  shortText: (value: number) => string;
  /** Colour of the palette. */
  colour: 'chart' | 'wave';
}

/** Returns a chart of a curve over the song, or null for fewer than two points. */
export function curveChart(options: CurveOptions, points: readonly CurvePoint[]): TimeChart | null {
  if (points.length < 2) return null;
  const { id, title, summary, range, text, shortText, colour } = options;
  const [low, high] = range;
  return {
    id,
    title,
    summary,
    heightPx: HEIGHT_PX,
    labels: [shortText(high), shortText(low)],
    rows: 1,
    stops: [],
    draw: (surface) => {
      const { context, width, height, palette } = surface;
      const y = (value: number) => {
        const part = high > low ? (value - low) / (high - low) : 0.5;
        return height - INSET_PX - Math.min(1, Math.max(0, part)) * (height - 2 * INSET_PX);
      };
      context.beginPath();
      context.moveTo(0, y(points[0]?.value ?? low));
      for (const { seconds, value } of points) context.lineTo(xOf(surface, seconds), y(value));
      context.lineTo(width, y(points.at(-1)?.value ?? low));
      context.strokeStyle = palette[colour];
      context.lineWidth = 1.5;
      context.stroke();
      context.lineTo(width, height);
      context.lineTo(0, height);
      context.globalAlpha = 0.14;
      context.fillStyle = palette[colour];
      context.fill();
      context.globalAlpha = 1;
    },
    read: (seconds) => {
      const value = valueAt(points, seconds);
      return value === null ? '–' : text(value);
    },
    table: () => ({
      columns: ['Time', title],
      rows: points.map(({ seconds, value }) => [
        `${clockText(seconds)} (${seconds.toFixed(1)} s)`,
        text(value),
      ]),
    }),
  };
}

/** Returns the range of a tempo chart: at least 10 BPM wide, so that a steady tempo is a straight line. */
export function tempoRange(points: readonly CurvePoint[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { value } of points) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const middle = (low + high) / 2;
  const half = Math.max(5, (high - low) / 2 + 1);
  return [Math.floor(middle - half), Math.ceil(middle + half)];
}
