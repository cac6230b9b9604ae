import path from 'node:path';
import type { SourceText, Violation } from './source.ts';

/** Head of a page of `docs/decisions`. */
export interface Decision {
  /** File name, such as `0001-jobs-are-one-table.md`. */
  file: string;
  /** Four digits at the start of the file name. */
  number: string;
  title: string;
  /** ISO date of the decision. */
  date: string;
  /** `accepted`, `accepted, in part superseded by 0212`, or `superseded by 0212`. */
  status: string;
}

/** Path of the index of all decisions, relative to the repository's root. */
export const decisionsIndex = 'docs/decisions/README.md';

const head = /^# (\d{4}): (.+)\n\n- Date: (\d{4}-\d{2}-\d{2})\n- Status: (.+)\n/;
const statusForm = /^(accepted|(accepted, in part )?superseded by \d{4}(, \d{4})*( and \d{4})?)$/;

const preface = `# Decisions

Choices that a newcomer would question, with their reasons and costs. Written by \`node tools/decisions-index.ts\`. A page begins with its number and title, and with the lines \`- Date: 2026-01-31\` and \`- Status: accepted\` (or \`superseded by NNNN\`, or \`accepted, in part superseded by NNNN\`).
`;

/** Reads the head of a decision's page. Returns null if number, title, date or status is missing. */
export function readDecision({ path: page, text }: SourceText): Decision | null {
  const file = path.posix.basename(page);
  const [, number = '', title = '', date = '', status = ''] = head.exec(text) ?? [];
  return number !== '' && file.startsWith(`${number}-`) ? { file, number, title, date, status } : null;
}

/** Returns the text of the index of these decisions, in the order of their numbers. */
export function indexOfDecisions(decisions: readonly Decision[]): string {
  const rows = [
    ['number', 'decision', 'date', 'status'],
    ...decisions
      .toSorted((a, b) => a.file.localeCompare(b.file))
      .map(({ file, number, title, date, status }) => [number, `[${title}](${file})`, date, status]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [heading = [], ...body] = rows;
  const rule = widths.map((width) => '-'.repeat(width));
  return `${preface}\n${[heading, rule, ...body].map(line).join('\n')}\n`;
}

/**
 * Reports invalid decisions and an incomplete index. Invalid are decisions without number, title, date or status,
 * statuses that name an unknown decision, and duplicate numbers.
 *
 * @param pages every page of `docs/decisions` except the index
 */
export function checkDecisions(pages: readonly SourceText[], index: string): Violation[] {
  const violations: Violation[] = [];
  const report = (page: string, line: number, message: string) =>
    violations.push({ path: page, line, rule: 'decision', message });

  const decisions = pages.flatMap((page) => readDecision(page) ?? []);
  const numbers = new Set(decisions.map(({ number }) => number));
  const seen = new Set<string>();
  for (const page of pages) {
    const decision = readDecision(page);
    if (!decision) {
      report(page.path, 1, 'begins with "# NNNN: Title", "- Date: 2026-01-31" and "- Status: accepted"');
      continue;
    }
    if (seen.has(decision.number)) report(page.path, 1, `${decision.number} is the number of another page`);
    seen.add(decision.number);
    const unknown = decision.status.match(/\d{4}/g)?.filter((number) => !numbers.has(number)) ?? [];
    if (!statusForm.test(decision.status) || unknown.length > 0) {
      report(page.path, 4, `status is "accepted" or "superseded by NNNN" (got "${decision.status}")`);
    }
  }
  if (violations.length === 0 && index !== indexOfDecisions(decisions)) {
    report(decisionsIndex, 1, 'is not complete: run node tools/decisions-index.ts');
  }
  return violations;
}
