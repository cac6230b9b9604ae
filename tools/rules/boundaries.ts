import { isBuiltin } from 'node:module';
import { findCircles } from './circles.ts';
import { browserWorkspaces, pureWorkspaces, whyNotInServer, whyNotWorkspace } from './dependency-rules.ts';
import { importsOf, resolveImport } from './imports.ts';
import {
  isNode,
  isTestCode,
  type Node,
  packageOf,
  type SourceFile,
  type Violation,
  visit,
} from './source.ts';
import { whyNotInWeb, whyNotPackageInWeb } from './web-order.ts';

/** Parts of a `package.json` that define what its code may import. */
export interface Manifest {
  /** `packages/dsp`, or the empty string for the root. */
  folder: string;
  name?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const hostGlobals = new Set(
  `window document navigator localStorage sessionStorage location history self screen XMLHttpRequest WebSocket Worker
   AudioContext OfflineAudioContext AudioBuffer AudioWorkletProcessor HTMLElement Image File FileReader
   requestAnimationFrame process Buffer global require __dirname __filename setImmediate`.split(/\s+/),
);

/**
 * Checks the dependency rules between the workspaces and within the server.
 *
 * @param files every code file of the project
 * @param manifests manifests of the root and of each package
 * @param isAsset whether a path that is not a code file exists (style sheets, fonts, JSON)
 * @returns the violations; the number of modules and imports read, so that a checker that reads nothing is noticed; the
 * number of import cycles, and of imports against the order of the modules
 */
export function checkBoundaries(
  files: readonly SourceFile[],
  manifests: readonly Manifest[],
  isAsset: (path: string) => boolean,
): { violations: Violation[]; modules: number; imports: number; circles: number; misordered: number } {
  const paths = new Set(files.map((file) => file.path));
  const violations: Violation[] = [];
  const edges = new Map<string, Set<string>>();
  let imports = 0;

  for (const file of files) {
    const reached = new Set<string>();
    edges.set(file.path, reached);
    const report = (line: number, rule: string, message: string) =>
      violations.push({ path: file.path, line, rule, message });

    for (const one of importsOf(file)) {
      imports += 1;
      const target = resolveImport(file.path, one.specifier, (path) => paths.has(path) || isAsset(path));
      if (target.kind === 'missing') {
        report(one.line, 'missing', `"${one.specifier}" leads to ${target.path}, which does not exist`);
      } else if (target.kind === 'file') {
        const why =
          whyNotWorkspace(file.path, target.path) ??
          whyNotInServer(file.path, target.path) ??
          whyNotInWeb(file.path, target.path);
        if (why) report(one.line, 'boundary', why);
        if (isTestCode(target.path) && !isTestCode(file.path) && !/^(e2e|bench|tools)\//.test(file.path)) {
          report(one.line, 'test-code', `code imports nothing made for tests (got ${target.path})`);
        }
        if (/\.test\.tsx?$/.test(target.path)) {
          report(
            one.line,
            'test-code',
            `nothing imports a test (got ${target.path}): move what is needed to testing/`,
          );
        }
        if (!one.isTypeOnly) reached.add(target.path);
      } else {
        const why =
          whyNotOutside(file.path, target.name, manifests) ?? whyNotPackageInWeb(file.path, target.name);
        if (why) report(one.line, target.kind === 'builtin' ? 'builtin' : 'dependency', why);
      }
    }
    for (const found of hostGlobalsOf(file)) report(found.line, 'host-global', found.message);
  }
  const circles = findCircles(edges);
  for (const circle of circles) {
    violations.push({
      path: circle[0] ?? '',
      line: 1,
      rule: 'circle',
      message: `imports go round: ${[...circle, circle[0]].join(' → ')}; move what both need into a third file, or pass it in`,
    });
  }
  const misordered = violations.filter(({ rule }) => rule === 'boundary').length;
  return { violations, modules: edges.size, imports, circles: circles.length, misordered };
}

function whyNotOutside(from: string, name: string, manifests: readonly Manifest[]): string | null {
  const own = packageOf(from);
  if (name.startsWith('node:')) {
    const isNodeless = own !== null && [...pureWorkspaces, ...browserWorkspaces].includes(own);
    const isOutsideSource = own !== null && !from.startsWith(`packages/${own}/src/`);
    if (!isNodeless || isTestCode(from) || isOutsideSource) return null;
    return `${own} runs without Node (got ${name}): take the value as a parameter`;
  }
  if (isBuiltin(name)) return `write "node:${name}", so that it is seen to be Node's`;
  const mine = manifests.find((manifest) => manifest.folder === (own === null ? '' : `packages/${own}`));
  const root = manifests.find((manifest) => manifest.folder === '');
  const development = isTestCode(from) || own === null || !from.startsWith(`packages/${own}/src/`);
  const listed = {
    ...mine?.dependencies,
    ...mine?.optionalDependencies,
    ...(development ? { ...mine?.devDependencies, ...root?.devDependencies } : undefined),
  };
  // Types of an untyped dependency are listed in devDependencies as @types/name.
  if (name in listed) return null;
  const where = own === null ? 'package.json' : `packages/${own}/package.json`;
  return `"${name}" is not among the ${development ? '' : 'runtime '}dependencies of ${where}: list it there, or do without`;
}

/** Returns the browser and Node globals that a pure workspace uses. */
function hostGlobalsOf(file: SourceFile): { line: number; message: string }[] {
  const own = packageOf(file.path);
  if (own === null || !pureWorkspaces.includes(own) || isTestCode(file.path)) return [];
  const declared = new Set<string>();
  const used: { name: string; at: number }[] = [];
  visit(file.program, (node, parent, field) => {
    if (node.type !== 'Identifier' || !hostGlobals.has(String(node.name))) return;
    if (isDeclaration(parent, field)) declared.add(String(node.name));
    else if (!isPropertyName(parent, field)) used.push({ name: String(node.name), at: node.start });
  });
  return used
    .filter(({ name }) => !declared.has(name))
    .map(({ name, at }) => ({
      line: file.lineAt(at),
      message: `${own} knows neither browser nor Node (got "${name}"): take what it gives as a parameter`,
    }));
}

function isDeclaration(parent: Node | null, field: string): boolean {
  if (!parent) return false;
  if (['params', 'id', 'local', 'elements'].includes(field)) return true;
  return (
    parent.type === 'TSParameterProperty' ||
    (parent.type === 'Property' && field === 'value' && isNode(parent.key))
  );
}

function isPropertyName(parent: Node | null, field: string): boolean {
  if (!parent) return false;
  if (field === 'property') return parent.computed !== true;
  if (field === 'key') return parent.computed !== true;
  return field === 'label' || parent.type === 'TSQualifiedName' || field === 'parameterName';
}
