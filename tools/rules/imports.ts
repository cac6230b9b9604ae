import { posix } from 'node:path';
import type { SourceFile } from './source.ts';

/** One import or re-export of a file. */
export interface Import {
  /** Specifier as written. */
  specifier: string;
  line: number;
  /** Whether it is erased before the code runs: a whole `import type` or `export type` statement. */
  isTypeOnly: boolean;
  /** Whether it is an `export … from`. */
  isReExport: boolean;
}

/** Returns every import and re-export of a file, including dynamic imports of a plain string. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  for (const { start, end, moduleRequest } of file.module.staticImports) {
    found.push({
      specifier: moduleRequest.value,
      line: file.lineAt(start),
      isTypeOnly: /^import\s+type\b/.test(file.text.slice(start, end)),
      isReExport: false,
    });
  }
  for (const { start, end, entries } of file.module.staticExports) {
    const request = entries.find((entry) => entry.moduleRequest)?.moduleRequest;
    if (!request) continue;
    found.push({
      specifier: request.value,
      line: file.lineAt(start),
      isTypeOnly: /^export\s+type\b/.test(file.text.slice(start, end)),
      isReExport: true,
    });
  }
  for (const { start, moduleRequest } of file.module.dynamicImports) {
    const written = file.text.slice(moduleRequest.start, moduleRequest.end);
    const specifier = /^(['"])(.*)\1$/.exec(written)?.[2];
    if (specifier !== undefined) {
      found.push({ specifier, line: file.lineAt(start), isTypeOnly: false, isReExport: false });
    }
  }
  return found;
}

/** Resolved target of an import. */
export type Target =
  | { kind: 'file'; path: string }
  | { kind: 'builtin'; name: string }
  | { kind: 'package'; name: string }
  | { kind: 'missing'; path: string };

const ownScope = '@stem-studio/';

/**
 * Resolves an import as Node and the bundler do here: an import path is a file path.
 *
 * @param exists whether a path, relative to the repository's root, is a file
 */
export function resolveImport(from: string, specifier: string, exists: (path: string) => boolean): Target {
  const plain = specifier.replace(/\?.*$/, '');
  if (plain.startsWith('.')) {
    const path = posix.normalize(posix.join(posix.dirname(from), plain));
    return exists(path) ? { kind: 'file', path } : { kind: 'missing', path };
  }
  if (plain.startsWith(ownScope)) {
    const [name = '', ...rest] = plain.slice(ownScope.length).split('/');
    const path = `packages/${name}/src/${rest.join('/')}.ts`;
    return exists(path) ? { kind: 'file', path } : { kind: 'missing', path };
  }
  if (plain.startsWith('node:')) return { kind: 'builtin', name: plain };
  const [first = '', second = ''] = plain.split('/');
  return { kind: 'package', name: first.startsWith('@') ? `${first}/${second}` : first };
}
