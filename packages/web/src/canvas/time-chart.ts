import type { Palette } from './palette.ts';

/** The values of a chart as a table; the first cell of a row is its heading. */
export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Canvas of a chart, measured in CSS pixels. */
export interface Surface {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  palette: Palette;
  /** Duration that the width shows, in seconds. */
  durationSeconds: number;
}

/** A chart over the time of a song: how to draw it, and its values at any position. */
export interface TimeChart {
  id: string;
  title: string;
  /** Text shown while there is no cursor. */
  summary: string;
  heightPx: number;
  /** Labels of the axis from top to bottom, evenly spaced. */
  labels: readonly string[];
  /** Number of rows with separate values, at least 1. */
  rows: number;
  draw: (surface: Surface) => void;
  /** Returns the text of the values at a position; `row` counts from the top, null for the row with the highest value. */
  read: (seconds: number, row: number | null) => string;
  /** Returns the label of the cursor at a position; absent if the chart has no such labels. */
  labelAt?: (seconds: number) => string;
  /** Positions for the arrow keys, in seconds; empty for steps of one second. */
  stops: readonly number[];
  table: () => ChartTable;
}

/** Returns the x coordinate of a time, in pixels. */
export function xOf({ width, durationSeconds }: Surface, seconds: number): number {
  return durationSeconds > 0 ? (seconds / durationSeconds) * width : 0;
}

/** Returns where an arrow key moves the cursor: to the next of `stops`, or by a second, within the song. */
export function stepFrom(
  stops: readonly number[],
  seconds: number,
  direction: 1 | -1,
  durationSeconds: number,
): number {
  const near = 0.001;
  const stop =
    direction > 0
      ? stops.find((time) => time > seconds + near)
      : stops.findLast((time) => time < seconds - near);
  const next = stops.length > 0 ? (stop ?? seconds) : Math.round(seconds) + direction;
  return Math.min(durationSeconds, Math.max(0, next));
}
