import { clockText } from '../base/format.ts';
import type { ChartTable } from './time-chart.ts';

/** Rows of a table of a whole song. */
const TABLE_ROWS = 48;

/** Numbers at equal distances over the time of a song, and how they are told. */
export interface NumbersOverTime {
  name: string;
  values: readonly number[];
  text: (value: number) => string;
}

/** Numbers over the time of a song side by side, no longer than can be read: each row the mean of what it covers. */
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

/** The mean of numbers from `start` to `end`, excluded; 0 of none. */
export function meanOf(values: readonly number[], start: number, end: number): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += values[i] ?? 0;
  return end > start ? sum / (end - start) : 0;
}
