import { clockText } from '../base/format.ts';
import type { ChartTable } from './time-chart.ts';

/** Most rows of a table. */
const TABLE_ROWS = 48;

/** A column of a table: values at equal distances over the song, and their text. */
export interface NumbersOverTime {
  name: string;
  values: readonly number[];
  text: (value: number) => string;
}

/** Returns a table of values over the song with a limited number of rows, each the mean of the values it covers. */
export function timeTable(numbers: readonly NumbersOverTime[], frameSeconds: number): ChartTable {
  const columns = numbers[0]?.values.length ?? 0;
  const step = Math.max(1, Math.ceil(columns / TABLE_ROWS));
  const starts = Array.from({ length: Math.ceil(columns / step) }, (_, i) => i * step);
  return {
    columns: ['From', ...numbers.map(({ name }) => name)],
    rows: starts.map((start) => [
      clockText(start * frameSeconds),
      ...numbers.map(({ values, text }) => text(meanOf(values, start, Math.min(columns, start + step)))),
    ]),
  };
}

/** Returns the mean of the values from `start` to `end` (excluded), or 0 for none. */
export function meanOf(values: readonly number[], start: number, end: number): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += values[i] ?? 0;
  return end > start ? sum / (end - start) : 0;
}
