import { globSync, readFileSync } from 'node:fs';
import { type Comment, type EcmaScriptModule, type Program, parseSync } from 'oxc-parser';

/** A file of the repository as text. */
export interface SourceText {
  /** Path relative to the repository's root, with `/`. */
  path: string;
  text: string;
}

/** A parsed code file. */
export interface SourceFile extends SourceText {
  program: Program;
  comments: readonly Comment[];
  module: EcmaScriptModule;
  /** Returns the 1-based line of an offset into `text`. */
  lineAt(offset: number): number;
}

/** Position of a broken rule, with its replacement. */
export interface Violation {
  path: string;
  line: number;
  rule: string;
  /** The rule as text, with the replacement. */
  message: string;
}

const codePatterns = [
  'packages/*/src/**/*.{ts,tsx}',
  'packages/*/*.ts',
  'tools/**/*.{ts,mjs}',
  'bench/**/*.ts',
  'e2e/**/*.ts',
];

/** Returns the sorted paths of every code file of the project under `root`, including tests and benchmarks. */
export function listCode(root: string): string[] {
  return list(root, codePatterns);
}

/** Returns the sorted paths of every style sheet of the packages under `root`. */
export function listStyles(root: string): string[] {
  return list(root, ['packages/*/src/**/*.css']);
}

/** Returns the sorted paths of the pages of the specification under `root`. */
export function listSpecification(root: string): string[] {
  return list(root, ['docs/specification.md', 'docs/specification/*.md']);
}

/** Returns the sorted paths of the decisions under `root`, without their index. */
export function listDecisions(root: string): string[] {
  return list(root, ['docs/decisions/[0-9]*.md']);
}

/**
 * Returns the paths of all files whose language is checked: code, style sheets, pages and documents, without generated
 * tables.
 */
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
  const own =
    /^(tools\/(rules\/)?(find-)?retired-words\b|docs\/(benchmarks|glossary|decisions\/0285-[a-z-]+)\.md$)/;
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

/** Reads files as text; a file deleted since it was listed is left out. */
export function readTexts(root: string, paths: readonly string[]): SourceText[] {
  return paths.flatMap((path) => {
    try {
      return [{ path, text: readFileSync(`${root}/${path}`, 'utf8') }];
    } catch {
      return [];
    }
  });
}

/**
 * Parses a code file.
 *
 * @throws Error with the file's path for a syntax error
 */
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

/** Checks whether a file is a test, a benchmark, or a helper of them. */
export function isTestCode(path: string): boolean {
  return /\.(test|bench)\.tsx?$/.test(path) || path.includes('/testing/');
}

/** Returns the package of a path under `packages/`, or null. */
export function packageOf(path: string): string | null {
  return /^packages\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** A node of the syntax tree, with the fields that rules need. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Checks whether a value is a node of the syntax tree. */
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
