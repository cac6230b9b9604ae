import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type SummaryRow, summaryOf } from './summary.ts';

/**
 * Writes the page of a benchmark to `benchmarks/NAME.md` and updates the summary `benchmarks.md` next to that folder.
 *
 * @param docs folder of the documents
 */
export function writeResult(docs: string, name: string, page: string, rows?: readonly SummaryRow[]): void {
  const folder = path.join(docs, 'benchmarks');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.md`), page);
  const files = globSync('*.md', { cwd: folder }).sort();
  const pages = new Map(
    files.map((file) => [file.slice(0, -3), readFileSync(path.join(folder, file), 'utf8')]),
  );
  writeFileSync(`${folder}.md`, summaryOf(pages, rows));
}

// `node bench/write-result.ts` updates the summary after a change of bench/summary.ts.
if (import.meta.main) {
  const docs = path.resolve(import.meta.dirname, '..', 'docs');
  writeResult(docs, 'analysis', readFileSync(path.join(docs, 'benchmarks', 'analysis.md'), 'utf8'));
}
