import type { Palette } from './palette.ts';

/** A picture's numbers as a table; each row's first cell names the row. */
export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** What a picture is drawn on: pixels of the page, whatever the screen has. */
export interface Surface {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  palette: Palette;
  /** Seconds over the whole width. */
  durationSeconds: number;
}

/** Something over the time of a song: drawn once for each size, read at any place. */
export interface TimeChart {
  id: string;
  title: string;
  /** What it shows in one line, while nothing is read. */
  summary: string;
  heightPx: number;
  /** Labels beside it, from top to bottom, spread evenly. */
  labels: readonly string[];
  /** Rows that can be read each for itself; 1 where there is one. */
  rows: number;
  draw: (surface: Surface) => void;
  /** The numbers at a place; `row` counts from the top, null for the row that says most. */
  read: (seconds: number, row: number | null) => string;
  /** What stands at a place, for a label at the reading line; absent where the picture needs none. */
  labelAt?: (seconds: number) => string;
  /** Places where something begins, for the arrow keys; empty for one second at a time. */
  stops: readonly number[];
  table: () => ChartTable;
}

/** Where a time is on a surface, in pixels. */
export function xOf({ width, durationSeconds }: Surface, seconds: number): number {
  return durationSeconds > 0 ? (seconds / durationSeconds) * width : 0;
}

/** The place an arrow key leads to from `seconds`: the next of `stops`, or a second on; inside the song. */
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
