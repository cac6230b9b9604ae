import { checkRestrictedApis } from './restricted-apis.ts';
import { isNode, type SourceFile, type SourceText, type Violation, visit } from './source.ts';

const longestFile = 400;

/** Files that may be longer, each with its reason. */
const longFiles: Readonly<Record<string, string>> = {};

const drawers = /^(utils?|helpers?|common|shared|managers?|misc)$/;
const colour = /#[0-9a-f]{3,8}\b|\b(rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(|:\s*(white|black)\b/i;
const colourText = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$|^(rgba?|hsla?|oklch)\(/i;
const laterMarks = /\b(TO[D]O|FIX[M]E|XX[X])\b/;

/** Checks the name and length of any file, code or style sheet. */
export function checkFile({ path, text }: SourceText): Violation[] {
  const violations: Violation[] = [];
  const report = (line: number, rule: string, message: string) =>
    violations.push({ path, line, rule, message });

  const lines = text.endsWith('\n') ? text.split('\n').length - 1 : text.split('\n').length;
  const isAllowed = path in longFiles;
  if (lines > longestFile && !isAllowed) {
    report(
      longestFile,
      'length',
      `a file has at most ${longestFile} lines (got ${lines}): look for the seam; a data table is listed with its reason in tools/rules/code-rules.ts`,
    );
  }
  if (lines <= longestFile && isAllowed) {
    report(1, 'length', 'is short enough now: take it off the list in tools/rules/code-rules.ts');
  }
  const segments = path.split('/');
  const stem = (segments.pop() ?? '').replace(/\..*$/, '');
  for (const name of [...segments, stem]) {
    if (drawers.test(name)) report(1, 'name', `"${name}" says nothing: name the file after what it gives`);
  }
  if (path.startsWith('packages/') && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) {
    report(1, 'name', `file names are kebab-case after their main export (got "${stem}")`);
  }
  text.split('\n').forEach((line, index) => {
    const word = laterMarks.exec(line)?.[0];
    if (word)
      report(index + 1, 'later', `"${word}": do it, or say in the docstring what the code does not do`);
  });
  return violations;
}

/** Reports colours outside the tokens: a style sheet names them by `var(--…)`. */
export function checkStyle({ path, text }: SourceText): Violation[] {
  if (/(^|\/)tokens\.css$/.test(path)) return [];
  const violations: Violation[] = [];
  const plain = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
  plain.split('\n').forEach((line, index) => {
    const found = colour.exec(line)?.[0];
    // An id selector may look like a colour; only declarations contain a colon before it.
    if (found && line.includes(':')) {
      violations.push({
        path,
        line: index + 1,
        rule: 'colour',
        message: `colours stand in tokens.css: name one with var(--…) (got ${found.replace(/^:\s*/, '')})`,
      });
    }
  });
  return violations;
}

/** Checks the syntax tree of a code file. */
export function checkCode(file: SourceFile): Violation[] {
  return [...checkRestrictedApis(file), ...checkColours(file), ...checkSql(file), ...checkTests(file)];
}

function checkColours(file: SourceFile): Violation[] {
  if (!/^packages\/(web|audio)\//.test(file.path) || /\.test\.tsx?$/.test(file.path)) return [];
  const violations: Violation[] = [];
  visit(file.program, (node) => {
    if (node.type !== 'Literal' || typeof node.value !== 'string' || !colourText.test(node.value)) return;
    violations.push({
      path: file.path,
      line: file.lineAt(node.start),
      rule: 'colour',
      message: `colours stand in tokens.css: read the token's value where a canvas needs it (got ${node.value})`,
    });
  });
  return violations;
}

/** Reports database queries in a feature outside `*.store.ts`. */
function checkSql(file: SourceFile): Violation[] {
  if (!file.path.startsWith('packages/server/src/features/') || /\.(store|test)\.ts$/.test(file.path))
    return [];
  const violations: Violation[] = [];
  visit(file.program, (node) => {
    const isQuery =
      node.type === 'CallExpression' &&
      isNode(node.callee) &&
      node.callee.type === 'MemberExpression' &&
      isNode(node.callee.property) &&
      /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)$/.test(String(node.callee.property.name));
    const isSql = node.type === 'TaggedTemplateExpression' && isNode(node.tag) && node.tag.name === 'sql';
    if (!isQuery && !isSql) return;
    violations.push({
      path: file.path,
      line: file.lineAt(node.start),
      rule: 'sql',
      message: "SQL stands in the feature's *.store.ts: give the query a name there and call it",
    });
  });
  return violations;
}

/** Reports skipped, postponed and exclusive tests. */
function checkTests(file: SourceFile): Violation[] {
  if (!/\.test\.tsx?$/.test(file.path)) return [];
  const violations: Violation[] = [];
  const report = (at: number, what: string) =>
    violations.push({
      path: file.path,
      line: file.lineAt(at),
      rule: 'skipped-test',
      message: `every test runs, always: mend it or take it away (got ${what})`,
    });
  visit(file.program, (node) => {
    if (node.type !== 'CallExpression' || !isNode(node.callee)) return;
    const callee = node.callee;
    if (callee.type === 'MemberExpression' && isNode(callee.property) && isNode(callee.object)) {
      const isTest = /^(test|it|describe|suite|t|context)$/.test(String(callee.object.name));
      const name = String(callee.property.name);
      if (isTest && /^(only|skip|to[d]o)$/.test(name)) report(node.start, `.${name}(`);
    }
    if (callee.type !== 'Identifier' || !/^(test|it|describe|suite)$/.test(String(callee.name))) return;
    for (const argument of node.arguments as unknown[]) {
      if (!isNode(argument) || argument.type !== 'ObjectExpression') continue;
      for (const property of argument.properties as { key?: { name?: string }; start: number }[]) {
        if (/^(only|skip|to[d]o)$/.test(property.key?.name ?? ''))
          report(property.start, `{ ${property.key?.name} }`);
      }
    }
  });
  return violations;
}
