import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figure, sectionOf, tableOf, withSection } from './report.ts';

const circumstances = { date: '2026-01-02', machine: '2 cores', command: 'npm run bench -- decode' };
const bench = { name: 'decode', about: 'How fast.', run: () => Promise.resolve([]) };

test('a figure has four significant digits and no exponent', () => {
  assert.deepEqual(
    [figure(0.123456), figure(12.3456), figure(123456.7), figure(2)],
    ['0.1235', '12.35', '123457', '2'],
  );
});

test('a table has a line a row, aligned, with the bar of whoever has one', () => {
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

test('a new run takes the place of the older one and leaves the others', () => {
  const first = withSection(
    '',
    'decode',
    sectionOf(bench, [{ what: 'mp3', value: 1, unit: '×' }], circumstances),
  );
  const two = withSection(first, 'analysis', '## analysis\n\nkept\n');
  const again = withSection(
    two,
    'decode',
    sectionOf(bench, [{ what: 'mp3', value: 2, unit: '×' }], circumstances),
  );
  assert.match(again, /^# Benchmarks\n/);
  assert.deepEqual(again.match(/^## .*/gm), ['## analysis', '## decode']);
  assert.match(again, /kept/);
  assert.match(again, /\| mp3 {2}\| 2 /);
  assert.doesNotMatch(again, /\| mp3 {2}\| 1 /);
});
