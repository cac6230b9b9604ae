import { isTestCode, type Node, type SourceFile, type Violation } from './source.ts';

const featureIndex = /^packages\/server\/src\/features\/[^/]+\/(index|standalone)\.ts$/;

/**
 * Reports exports without a docblock, and re-exports outside the `index.ts` and `standalone.ts` of a server feature: an
 * import path is a file path. Tests and configuration files of tools are left out.
 */
export function checkDocblocks(file: SourceFile): Violation[] {
  if (isTestCode(file.path) && !file.path.includes('/testing/')) return [];
  if (/(^|\/)[\w-]+\.config\.ts$/.test(file.path)) return [];
  const violations: Violation[] = [];
  const documented = new Set<string>();
  const report = (at: number, rule: string, message: string) =>
    violations.push({ path: file.path, line: file.lineAt(at), rule, message });

  // Names exported by a list at the end of the file are looked up where they are declared.
  const listed = new Map<string, number>();
  for (const statement of file.program.body as unknown as Node[]) {
    if (
      statement.type === 'ExportAllDeclaration' ||
      (statement.type === 'ExportNamedDeclaration' && statement.source)
    ) {
      if (!featureIndex.test(file.path)) {
        report(statement.start, 're-export', 'no barrels: let the importer name the file it needs');
      }
      continue;
    }
    if (statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportDefaultDeclaration') {
      if (isDocumented(file, statement.start)) for (const name of namesOf(statement)) documented.add(name);
      continue;
    }
    const declaration = statement.declaration as Node | null;
    if (!declaration) {
      for (const specifier of statement.specifiers as { local: { name: string }; start: number }[]) {
        listed.set(specifier.local.name, specifier.start);
      }
      continue;
    }
    const names = namesOf(declaration);
    if (isDocumented(file, statement.start)) {
      for (const name of names) documented.add(name);
    } else if (!names.some((name) => documented.has(name) && isOverload(declaration))) {
      report(statement.start, 'docblock', missing(names.join(', ') || 'the default export'));
    }
  }
  for (const [name, at] of listed) if (!documented.has(name)) report(at, 'docblock', missing(name));
  return violations;
}

const missing = (name: string) =>
  `"${name}" is exported without a docstring: say what it answers, shapes, units, ranges and errors`;

/** Checks whether a declaration may be an overload: later signatures of a function share the first docblock. */
function isOverload(declaration: Node): boolean {
  return declaration.type === 'TSDeclareFunction' || declaration.type === 'FunctionDeclaration';
}

function namesOf(declaration: Node): string[] {
  const id = declaration.id as { name?: string } | null | undefined;
  if (id?.name) return [id.name];
  const declarators = (declaration.declarations ?? []) as { id: { name?: string } }[];
  return declarators.flatMap((one) => (one.id.name ? [one.id.name] : []));
}

/** Checks whether a non-empty `/**` comment ends right before `at`, with only space and linter hints between. */
function isDocumented(file: SourceFile, at: number): boolean {
  let end = at;
  for (let index = file.comments.length - 1; index >= 0; index -= 1) {
    const comment = file.comments[index];
    if (!comment || comment.end > end) continue;
    if (file.text.slice(comment.end, end).trim() !== '') return false;
    if (comment.type === 'Block' && comment.value.startsWith('*')) return /\w/.test(comment.value);
    end = comment.start;
  }
  return false;
}
