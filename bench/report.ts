import type { Bench, BenchRow } from './bench.ts';

/** Formats a number with four significant digits, without an exponent. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 1000) return Math.round(value).toString();
  return Number(value.toPrecision(4)).toString();
}

/** Returns the number of code points, for aligned columns. */
const lengthOf = (text: string) => Array.from(text).length;

const headings = ['what', 'value', 'unit', 'against', 'ratio', 'bar'];

function cellsOf(row: BenchRow): string[] {
  const ratio = row.ratio === undefined ? '' : figure(row.ratio);
  return [row.what, figure(row.value), row.unit, row.against ?? '', ratio, row.bar ?? ''];
}

/** Returns the rows of a benchmark as a Markdown table with aligned columns. */
export function tableOf(rows: readonly BenchRow[]): string {
  const cells = [headings, ...rows.map(cellsOf)].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = headings.map((_, column) => Math.max(3, ...cells.map((row) => lengthOf(row[column] ?? ''))));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell))).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join(
    '\n',
  );
}

/** Date, machine and command of a measurement. */
export interface Circumstances {
  /** ISO date, `2026-11-21`. */
  date: string;
  /** Processor, cores, Node. */
  machine: string;
  command: string;
}

/** Returns the page of a benchmark below `docs/benchmarks`: its description, its circumstances and its table. */
export function pageOf(
  bench: Bench,
  rows: readonly BenchRow[],
  { date, machine, command }: Circumstances,
): string {
  return `# ${bench.name}\n\n${bench.about}\n\n${date}, ${machine}: \`${command}\`\n\n${tableOf(rows)}\n`;
}
