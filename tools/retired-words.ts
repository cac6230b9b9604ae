// Counts the retired words (tools/rules/retired-words.ts) and compares them with the committed table. An increased
// count fails; a decreased one requires `--write`, which lowers the table. `--list WORD` prints the occurrences of a
// word, `--count` the sums.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { root } from './command.ts';
import {
  areaOf,
  compareCounts,
  countWords,
  findRetiredWords,
  retiredWords,
  totalsOf,
  type WordCounts,
} from './rules/retired-words.ts';
import { listTexts, readTexts } from './rules/source.ts';

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    count: { type: 'boolean', default: false },
    list: { type: 'string' },
    area: { type: 'string' },
  },
});
const tableFile = `${root}/tools/rules/retired-words.json`;
const uses = readTexts(root, listTexts(root)).flatMap(findRetiredWords);
const counts = countWords(uses);
const table = JSON.parse(readFileSync(tableFile, 'utf8')) as WordCounts;
const differences = compareCounts(table, counts);
const risen = differences.filter(({ was, is }) => is > was);
const print = (line: string) => process.stdout.write(`${line}\n`);
const insteadOf = (name: string) => retiredWords.find((word) => word.name === name)?.instead ?? '';

if (values.list !== undefined) {
  const listed = uses.filter(
    ({ path, word }) =>
      word.name === values.list && (values.area === undefined || areaOf(path) === values.area),
  );
  for (const { path, line } of listed) print(`${path}:${line}`);
} else if (values.write) {
  const [before, after] = [totalsOf(table), totalsOf(counts)];
  const rising = Object.keys(after).filter((name) => (after[name] ?? 0) > (before[name] ?? 0));
  if (rising.length > 0) {
    for (const name of rising) print(`"${name}" rose from ${before[name] ?? 0} to ${after[name] ?? 0}`);
    print('the table was not written: a count may move between areas, its sum may not rise');
    process.exitCode = 1;
  } else {
    writeFileSync(tableFile, `${JSON.stringify(counts, null, 2)}\n`);
  }
} else {
  for (const { area, name, was, is } of risen) {
    print(`${area}: "${name}" rose from ${was} to ${is}: write ${insteadOf(name)}`);
    print(`    where: node tools/retired-words.ts --list "${name}" --area ${area}`);
  }
  if (risen.length > 0)
    print('moved between areas, but not more in all: node tools/retired-words.ts --write');
  for (const { area, name, was, is } of differences.filter(({ was, is }) => is < was)) {
    print(`${area}: "${name}" fell from ${was} to ${is}: node tools/retired-words.ts --write`);
  }
  process.exitCode = risen.length > 0 ? 1 : 0;
}
if (values.count) {
  const totals = Object.entries(totalsOf(counts)).sort(([, a], [, b]) => b - a);
  for (const [name, count] of totals) print(`${String(count).padStart(6)} ${name}`);
  print(`${String(uses.length).padStart(6)} in all`);
}
