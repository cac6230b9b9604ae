// `npm run where -- stem separation` prints the headings of the specification that contain all of these terms, each
// with its modules and the docblocks that name it; without terms, every heading. `--relink` repairs links of the
// specification to modules that have moved.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { root } from './command.ts';
import { listCode, listSpecification, readTexts } from './rules/source.ts';
import { readSpecification, readSpecTags, relinkModules } from './rules/specification.ts';

const { values, positionals } = parseArgs({
  options: { relink: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const codePaths = listCode(root);
const pages = readTexts(root, listSpecification(root));

if (values.relink) {
  for (const page of pages) writeFileSync(`${root}/${page.path}`, relinkModules(page, codePaths));
} else {
  const terms = positionals.map((term) => term.toLowerCase());
  const tags = Map.groupBy(readSpecTags(readTexts(root, codePaths)), ({ heading }) => heading);
  const found = readSpecification(pages).filter(({ heading }) =>
    terms.every((term) => heading.toLowerCase().includes(term)),
  );
  for (const { heading, path, line, modules } of found) {
    const docblocks = (tags.get(heading) ?? []).map((tag) => `${tag.path}:${tag.line}`);
    const lines = [...modules, ...docblocks.filter((tag) => !modules.includes(tag))];
    process.stdout.write(`${heading} (${path}:${line})\n${lines.map((entry) => `    ${entry}\n`).join('')}`);
  }
  if (found.length === 0) {
    process.stdout.write(`no heading of the specification contains: ${positionals.join(' ')}\n`);
    process.exitCode = 1;
  }
}
