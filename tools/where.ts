// `npm run where -- stem separation` prints the files that implement the headings of the specification that contain
// all of these words; without words, every heading that code names.

import { root } from './command.ts';
import { listCode, readTexts } from './rules/source.ts';

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const places = new Map<string, string[]>();
for (const { path, text } of readTexts(root, listCode(root))) {
  text.split('\n').forEach((line, index) => {
    const heading = /^\s*(?:\/\*\*|\*|\/\/).*@spec\s+(.+?)\s*(?:\*\/)?$/.exec(line)?.[1];
    if (!heading || !words.every((word) => heading.toLowerCase().includes(word))) return;
    places.set(heading, [...(places.get(heading) ?? []), `${path}:${index + 1}`]);
  });
}
for (const heading of [...places.keys()].sort()) {
  process.stdout.write(
    `${heading}\n${(places.get(heading) ?? []).map((place) => `    ${place}\n`).join('')}`,
  );
}
if (places.size === 0) {
  process.stdout.write(`no docstring names a heading with: ${words.join(' ')}\n`);
  process.exitCode = 1;
}
