import { globSync, readFileSync } from 'node:fs';
import { type Comment, type EcmaScriptModule, type Program, parseSync } from 'oxc-parser';

/** A file of the repository as text. */
export interface SourceText {
  /** From the repository's root, with `/`. */
  path: string;
  text: string;
}

/** A code file, parsed. */
export interface SourceFile extends SourceText {
  program: Program;
  comments: readonly Comment[];
  module: EcmaScriptModule;
  /** The 1-based line of an offset into `text`. */
  lineAt(offset: number): number;
}

/** Where a rule is broken, and what to do instead. */
export interface Violation {
  path: string;
  line: number;
  rule: string;
  /** The rule in words, and the replacement. */
  message: string;
}

const codePatterns = [
  'packages/*/src/**/*.{ts,tsx}',
  'packages/*/*.ts',
  'tools/**/*.{ts,mjs}',
  'bench/**/*.ts',
  'e2e/**/*.ts',
];

/** Paths of every code file of the project under `root`, sorted. Tests and benches are code too. */
export function listCode(root: string): string[] {
  return list(root, codePatterns);
}

/** Paths of every style sheet of the packages under `root`, sorted. */
export function listStyles(root: string): string[] {
  return list(root, ['packages/*/src/**/*.css']);
}

/** Paths of the pages of the specification under `root`, sorted. */
export function listSpecification(root: string): string[] {
  return list(root, ['docs/specification.md', 'docs/specification/*.md']);
}

/** Paths of the decisions under `root`, sorted, without their index. */
export function listDecisions(root: string): string[] {
  return list(root, ['docs/decisions/[0-9]*.md']);
}

/** Paths of all files whose language is checked: code, style sheets, pages and documents, but no generated tables. */
export function listTexts(root: string): string[] {
  const others = [
    'packages/*/*.{html,md}',
    'packages/*/native/**/*.md',
    'packages/*/src/**/*.{html,md}',
    'training/*.{py,md}',
    'docs/*.md',
    'docs/decisions/*.md',
    'docs/specification/*.md',
    'README.md',
    'CONTRIBUTING.md',
  ];
  const own = /^(tools\/(rules\/)?retired-words\b|docs\/(benchmarks|glossary|decisions\/0285-[a-z-]+)\.md$)/;
  return [...listCode(root), ...listStyles(root), ...list(root, others)]
    .filter((path) => !own.test(path))
    .sort();
}

function list(root: string, patterns: string[]): string[] {
  return globSync(patterns, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

/** Reads files as text; a file that vanished since it was listed is left out. */
export function readTexts(root: string, paths: readonly string[]): SourceText[] {
  return paths.flatMap((path) => {
    try {
      return [{ path, text: readFileSync(`${root}/${path}`, 'utf8') }];
    } catch {
      return [];
    }
  });
}

/** Parses a code file. Throws on a syntax error, naming the file. */
export function parseSource({ path, text }: SourceText): SourceFile {
  const { program, comments, module, errors } = parseSync(path, text, { sourceType: 'module' });
  const [error] = errors;
  if (error) throw new Error(`${path} does not parse: ${error.message}`);
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    path,
    text,
    program,
    comments,
    module,
    lineAt(offset) {
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle;
      }
      return low + 1;
    },
  };
}

/** Whether a file is a test, a bench, or help for them: code that no user runs. */
export function isTestCode(path: string): boolean {
  return /\.(test|bench)\.tsx?$/.test(path) || path.includes('/testing/');
}

/** The package of a path under `packages/`, else null. */
export function packageOf(path: string): string | null {
  return /^packages\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** A node of the syntax tree, as far as a rule needs to know it. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Whether a value is a node of the syntax tree. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** Visits every node of a tree, parents first. */
export function visit(
  node: unknown,
  seen: (node: Node, parent: Node | null, field: string) => void,
  parent: Node | null = null,
  field = '',
): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, seen, parent, field);
    return;
  }
  if (!isNode(node)) return;
  seen(node, parent, field);
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'object' && value !== null) visit(value, seen, node, name);
  }
}
