// Checks the dependency rules, docblocks, code rules and documents of the whole repository; `--only
// dependencies|tables|docblocks|rules|documents` selects one.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkBoundaries, type Manifest } from './rules/boundaries.ts';
import { checkCode, checkFile, checkStyle } from './rules/code-rules.ts';
import { checkDecisions, decisionsIndex } from './rules/decisions.ts';
import { checkDocblocks } from './rules/docblocks.ts';
import {
  listCode,
  listDecisions,
  listSpecification,
  listStyles,
  parseSource,
  readTexts,
  type Violation,
} from './rules/source.ts';
import { checkSpecification } from './rules/specification.ts';
import { checkTableOwners, tableOwnersOf } from './rules/table-owners.ts';
import { checkThirdPartyCode, listSources } from './rules/third-party-code.ts';

const root = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const isAsked = (part: string) => values.only === undefined || values.only === part;

const codePaths = listCode(root);
const files = readTexts(root, codePaths).map(parseSource);
const styles = readTexts(root, listStyles(root));
const violations: Violation[] = [];

if (isAsked('dependencies')) {
  const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: root })].map(
    (file): Manifest => ({
      ...(JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Omit<Manifest, 'folder'>),
      folder: path.posix.dirname(file.replaceAll('\\', '/')).replace(/^\.$/, ''),
    }),
  );
  const found = checkBoundaries(files, manifests, (file) => existsSync(path.join(root, file)));
  violations.push(...found.violations);
  // A checker that reads no files would report no violations.
  if (found.modules === 0 || found.imports === 0 || found.modules !== codePaths.length) {
    throw new Error(`dependency rules were checked in ${found.modules} modules of ${codePaths.length} files`);
  }
  const count = (number: number) => (number === 0 ? 'none' : String(number));
  process.stdout.write(
    `dependency rules: ${found.modules} modules, ${found.imports} imports; circles: ${count(found.circles)}; ` +
      `imports against the order: ${count(found.misordered)}\n`,
  );
}
if (isAsked('tables')) {
  const { owners, violations: declared } = tableOwnersOf(files);
  if (owners.size === 0) throw new Error('no declaration of a table was found');
  violations.push(...declared, ...files.flatMap((file) => checkTableOwners(file, owners)));
  process.stdout.write(`tables: ${owners.size}, each with its owner\n`);
}
if (isAsked('docblocks')) violations.push(...files.flatMap(checkDocblocks));
if (isAsked('rules')) {
  violations.push(...files.flatMap((file) => [...checkFile(file), ...checkCode(file)]));
  violations.push(...styles.flatMap((style) => [...checkFile(style), ...checkStyle(style)]));
  violations.push(...readTexts(root, listSources(root)).flatMap(checkThirdPartyCode));
}
if (isAsked('documents')) {
  const exists = (file: string) => existsSync(path.join(root, file));
  violations.push(...checkSpecification(readTexts(root, listSpecification(root)), files, exists));
  const index = readTexts(root, [decisionsIndex])[0]?.text ?? '';
  violations.push(...checkDecisions(readTexts(root, listDecisions(root)), index));
}

violations.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
for (const { path: file, line, rule, message } of violations) {
  process.stdout.write(`${file}:${line}  ${rule}: ${message}\n`);
}
process.stdout.write(
  `${files.length} code files, ${styles.length} style sheets, ${violations.length} violations\n`,
);
process.exitCode = violations.length > 0 ? 1 : 0;
