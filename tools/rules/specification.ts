import path from 'node:path';
import type { SourceText, Violation } from './source.ts';

/** A heading of the specification: one requirement of the product. */
export interface Promised {
  heading: string;
  /** Page that contains the heading, relative to the repository's root. */
  path: string;
  /** Line of the heading, from 1. */
  line: number;
  /** Linked modules, relative to the repository's root, in the order of the page. */
  modules: readonly string[];
}

/** A tag of a docblock that names a heading of the specification. */
export interface SpecTag {
  heading: string;
  path: string;
  /** Line of the tag, from 1. */
  line: number;
}

const headingLine = /^### (.+?)\s*$/;
const modulesLine = /^Modules: /;
const link = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const tagLine = /^\s*(?:\/\*\*|\*|\/\/).*@spec\s+(.+?)\s*(?:\*\/)?$/;

/** Returns the third-level headings of the specification's pages with the modules in the line `Modules:` below each. */
export function readSpecification(pages: readonly SourceText[]): Promised[] {
  const found: (Promised & { modules: string[] })[] = [];
  for (const { path: page, text } of pages) {
    const first = found.length;
    text.split('\n').forEach((line, index) => {
      const heading = headingLine.exec(line)?.[1];
      if (heading) found.push({ heading, path: page, line: index + 1, modules: [] });
      const current = found.at(-1);
      if (!modulesLine.test(line) || !current || found.length === first) return;
      for (const [, , target = ''] of line.matchAll(link)) current.modules.push(fromRoot(page, target));
    });
  }
  return found;
}

/** Returns every `@spec` tag in the comments of code files. */
export function readSpecTags(files: readonly SourceText[]): SpecTag[] {
  return files.flatMap(({ path: file, text }) =>
    text.split('\n').flatMap((line, index) => {
      const heading = tagLine.exec(line)?.[1];
      return heading ? [{ heading, path: file, line: index + 1 }] : [];
    }),
  );
}

/**
 * Reports invalid tags, headings and links: tags without a heading, headings without a module, duplicate headings, and
 * links to modules that do not exist.
 *
 * @param exists whether a path, relative to the repository's root, is a file
 */
export function checkSpecification(
  pages: readonly SourceText[],
  files: readonly SourceText[],
  exists: (file: string) => boolean,
): Violation[] {
  const violations: Violation[] = [];
  const report = (at: { path: string; line: number }, message: string) =>
    violations.push({ path: at.path, line: at.line, rule: 'specification', message });

  const headings = new Set<string>();
  for (const promised of readSpecification(pages)) {
    if (headings.has(promised.heading)) report(promised, `"${promised.heading}" is a heading already`);
    headings.add(promised.heading);
    if (promised.modules.length === 0) {
      report(promised, `"${promised.heading}" links no module: add a line "Modules: [file.ts](path)"`);
    }
    for (const file of promised.modules.filter((module) => !exists(module))) {
      report(promised, `${file} does not exist; after a move run: node tools/where.ts --relink`);
    }
  }
  for (const tag of readSpecTags(files)) {
    if (!headings.has(tag.heading)) {
      report(tag, `"${tag.heading}" is no heading of docs/specification.md`);
    }
  }
  return violations;
}

/**
 * Returns a page with the links of its `Modules:` lines repaired: a link to a missing file gets the path of the only
 * file of the same name, if there is exactly one.
 */
export function relinkModules(page: SourceText, files: readonly string[]): string {
  const known = new Set(files);
  const byName = Map.groupBy(files, (file) => path.posix.basename(file));
  return page.text
    .split('\n')
    .map((line) =>
      modulesLine.test(line)
        ? line.replace(link, (whole, label: string, target: string) => {
            const candidates = byName.get(path.posix.basename(target)) ?? [];
            const [moved] = candidates;
            if (known.has(fromRoot(page.path, target)) || !moved || candidates.length > 1) return whole;
            return `[${label}](${path.posix.relative(path.posix.dirname(page.path), moved)})`;
          })
        : line,
    )
    .join('\n');
}

function fromRoot(page: string, target: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(page), target));
}
