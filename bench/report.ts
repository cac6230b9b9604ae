import type { Bench, BenchRow } from './bench.ts';

/** A number with four significant digits, without an exponent. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 1000) return Math.round(value).toString();
  return Number(value.toPrecision(4)).toString();
}

/** Characters as a person counts them, for columns that line up. */
const lengthOf = (text: string) => Array.from(text).length;

const headings = ['what', 'value', 'unit', 'against', 'ratio', 'bar'];

function cellsOf(row: BenchRow): string[] {
  const ratio = row.ratio === undefined ? '' : figure(row.ratio);
  return [row.what, figure(row.value), row.unit, row.against ?? '', ratio, row.bar ?? ''];
}

/** The rows of a benchmark as a Markdown table, its columns aligned for reading as plain text too. */
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

/** Where and how figures were made. */
export interface Circumstances {
  /** ISO date, `2026-11-21`. */
  date: string;
  /** Processor, cores, Node. */
  machine: string;
  command: string;
}

/** The section of a benchmark in `docs/benchmarks.md`. */
export function sectionOf(
  bench: Bench,
  rows: readonly BenchRow[],
  { date, machine, command }: Circumstances,
): string {
  return `## ${bench.name}\n\n${bench.about}\n\n${date}, ${machine}: \`${command}\`\n\n${tableOf(rows)}\n`;
}

const preface = `# Benchmarks

Written by \`npm run bench -- --write\`; each section is the newest run of one benchmark. Times depend on the machine, so
where time is involved the peer ran in the same process or right beside it, and the ratio is what counts. A ratio above
1 is better than the peer.
`;

/** Puts a section into the text of `docs/benchmarks.md` in place of the older one of that name; keeps the others. */
export function withSection(text: string, name: string, section: string): string {
  const [head = '', ...parts] = (text.trim() === '' ? preface : text).split(/^(?=## )/m);
  const others = parts.filter((part) => !part.startsWith(`## ${name}\n`)).map((part) => part.trimEnd());
  const all = [...others, section.trimEnd()].sort((a, b) => a.localeCompare(b, 'en'));
  return `${head.trimEnd()}\n\n${all.join('\n\n')}\n`;
}
