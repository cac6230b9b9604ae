import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { figure, pageOf, tableOf } from './report.ts';
import { summaryOf } from './summary.ts';
import { writeResult } from './write-result.ts';

const circumstances = { date: '2026-01-02', machine: '2 cores', command: 'npm run bench -- decode' };
const bench = { name: 'decode', about: 'How fast.', run: () => Promise.resolve([]) };

test('formats a figure with four significant digits and no exponent', () => {
  assert.deepEqual(
    [figure(0.123456), figure(12.3456), figure(123456.7), figure(2)],
    ['0.1235', '12.35', '123457', '2'],
  );
});

test('writes a table with one aligned line per row, and the bar of rows that have one', () => {
  const rows = [
    { what: 'mp3', value: 468, unit: '×', against: 'ffmpeg 600 ×', ratio: 0.78, bar: '≥ 0.6' },
    { what: 'a|b', value: 1, unit: 's' },
  ];
  assert.equal(
    tableOf(rows),
    [
      '| what | value | unit | against      | ratio | bar   |',
      '| ---- | ----- | ---- | ------------ | ----- | ----- |',
      '| mp3  | 468   | ×    | ffmpeg 600 × | 0.78  | ≥ 0.6 |',
      '| a\\|b | 1     | s    |              |       |       |',
    ].join('\n'),
  );
});

test('replaces the page of an earlier run and keeps the others', () => {
  const docs = mkdtempSync(path.join(tmpdir(), 'bench-report-'));
  const read = (file: string) => readFileSync(path.join(docs, file), 'utf8');
  const summary = [
    { subject: 'Audio formats', bench: 'decode', row: 'mp3', shows: 'decoding MP3' },
    { subject: 'Analysis', bench: 'analysis', row: 'all', shows: 'everything' },
  ];
  const write = (name: string, value: number, what: string) =>
    writeResult(docs, name, pageOf({ ...bench, name }, [{ what, value, unit: '×' }], circumstances), summary);
  write('decode', 1, 'mp3');
  write('analysis', 7, 'all');
  write('decode', 2, 'mp3');
  assert.match(read('benchmarks.md'), /^# Benchmarks\n/);
  assert.deepEqual(globSync('*.md', { cwd: path.join(docs, 'benchmarks') }).sort(), [
    'analysis.md',
    'decode.md',
  ]);
  assert.match(read('benchmarks/analysis.md'), /^# analysis\n\nHow fast\.\n/);
  assert.match(read('benchmarks/decode.md'), /\| mp3 {2}\| 2 /);
  assert.doesNotMatch(read('benchmarks/decode.md'), /\| mp3 {2}\| 1 /);
  assert.match(
    read('benchmarks.md'),
    /\| decoding MP3 \| 2 × .*\[decode\]\(benchmarks\/decode\.md\), 2026-01-02/,
  );
  assert.match(read('benchmarks.md'), /\| everything \| 7 × /);
  rmSync(docs, { recursive: true });
});

test('the summary names existing rows of the committed tables', () => {
  const docs = path.resolve(import.meta.dirname, '..', 'docs');
  const files = globSync('*.md', { cwd: path.join(docs, 'benchmarks') });
  const pages = new Map(
    files.map((file) => [file.slice(0, -3), readFileSync(path.join(docs, 'benchmarks', file), 'utf8')]),
  );
  assert.equal(readFileSync(path.join(docs, 'benchmarks.md'), 'utf8'), summaryOf(pages));
  assert.throws(
    () => summaryOf(pages, [{ subject: 'x', bench: 'decode', row: 'no such row', shows: 'x' }]),
    /no row/,
  );
});
