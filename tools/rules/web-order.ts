/**
 * Modules of the page in the order of their dependencies: each imports only itself and those before it. A module is a
 * folder of `packages/web/src`, or the entry file `main`.
 */
export const webModules: readonly string[] = [
  'styles',
  'base',
  'client',
  'state',
  'canvas',
  'ui',
  'panels',
  'app',
  'main',
  'service-worker',
];

/** Modules of the page that run without React. */
const modulesWithoutReact: readonly string[] = ['base', 'canvas'];

/** Returns the path of a file below `packages/web/src`, split at `/`, or null for a file elsewhere. */
function partsInWeb(path: string): readonly string[] | null {
  const inside = /^packages\/web\/src\/(.+)$/.exec(path)?.[1];
  return inside === undefined ? null : inside.split('/');
}

function moduleOf(parts: readonly string[]): string {
  return (parts[0] ?? '').replace(/\.tsx?$/, '');
}

/**
 * Returns why a file of the page may not import another one, or null if it may. Tests and type imports follow the same
 * order.
 *
 * @param from path of the importing file, relative to the repository's root
 * @param to path of the imported file, relative to the repository's root
 */
export function whyNotInWeb(from: string, to: string): string | null {
  const source = partsInWeb(from);
  const target = partsInWeb(to);
  if (!source || !target) return null;
  const own = moduleOf(source);
  const other = moduleOf(target);
  for (const name of [own, other]) {
    if (!webModules.includes(name)) {
      return `web module "${name}" is not in the order; add it to the list in tools/rules/web-order.ts`;
    }
  }
  if (webModules.indexOf(other) > webModules.indexOf(own)) {
    return `web module ${own} comes before ${other} (${webModules.join(', ')}): move what both need down, or pass it in`;
  }
  if (own === 'panels' && other === 'panels' && source[1] !== target[1]) {
    return `a panel imports no other panel (${source[1]} imports ${target[1]}): move what both need to state, canvas or ui, or compose the panels in app`;
  }
  return null;
}

/**
 * Returns why a file of the page may not import an npm package, or null if it may.
 *
 * @param from path of the importing file, relative to the repository's root
 * @param name name of the package, such as `react` or `@tanstack/react-query`
 */
export function whyNotPackageInWeb(from: string, name: string): string | null {
  const source = partsInWeb(from);
  if (!source || !modulesWithoutReact.includes(moduleOf(source)) || !/\breact\b/.test(name)) return null;
  return `web module ${moduleOf(source)} runs without React (got ${name}): components belong in ui`;
}
