// Refuses retired words (tools/rules/retired-words.ts): prints each use with its replacement and fails if there is one.
// `--list WORD` prints only the uses of one word, `--count` only the number of uses of each word.
import { parseArgs } from 'node:util';
import { root } from './command.ts';
import { findRetiredWords, violationOf } from './rules/find-retired-words.ts';
import { retiredWords } from './rules/retired-words.ts';
import { listTexts, readTexts } from './rules/source.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'boolean', default: false },
    list: { type: 'string' },
  },
});
const texts = readTexts(root, listTexts(root));
// A checker that reads no files would report no uses.
if (texts.length === 0) throw new Error('no text was found');
const uses = texts.flatMap(findRetiredWords);
const print = (line: string) => process.stdout.write(`${line}\n`);

if (values.count) {
  const counts = retiredWords.map(({ name }) => ({
    name,
    count: uses.filter(({ word }) => word.name === name).length,
  }));
  for (const { name, count } of counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count))
    print(`${String(count).padStart(6)} ${name}`);
  print(`${String(uses.length).padStart(6)} in all`);
} else {
  const shown = uses.filter(({ word }) => values.list === undefined || word.name === values.list);
  for (const { path, line, rule, message } of shown.map(violationOf))
    print(`${path}:${line}  ${rule}: ${message}`);
  print(`${texts.length} files, ${shown.length === 0 ? 'no' : shown.length} retired words`);
  process.exitCode = shown.length > 0 ? 1 : 0;
}
