import { packageOf } from './source.ts';

/** Packages that each package may import. */
export const workspaces: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  dsp: [],
  separator: ['contract', 'dsp'],
  renderer: ['contract', 'dsp'],
  audio: ['contract', 'dsp', 'renderer'],
  server: ['contract', 'dsp', 'renderer'],
  web: ['contract', 'dsp', 'renderer', 'audio'],
};

/** Packages that use neither DOM nor Node. */
export const pureWorkspaces: readonly string[] = ['contract', 'dsp', 'renderer'];

/** Packages that run in a browser, without Node. */
export const browserWorkspaces: readonly string[] = ['audio', 'web'];

/** Folders next to the packages, and the packages that they may import. */
const rootFolders: Readonly<Record<string, readonly string[]>> = {
  tools: [],
  bench: Object.keys(workspaces),
  e2e: ['contract', 'dsp', 'audio', 'server'],
};

/** Features of the server in the order of the data flow: each imports only those before it. */
export const features: readonly string[] = [
  'audit',
  'users',
  'connections',
  'cloudsep',
  'quotas',
  'accounts',
  'catalog',
  'tracks',
  'crates',
  'downloads',
  'processing',
  'analysis',
  'cues',
  'notes',
  'decks',
  'projects',
  'midi',
  'exports',
  'jobs',
  'account-export',
  'storage-check',
  'llm',
  'agents',
  'admin',
  'pages',
];

const featureOf = (path: string) => /^packages\/server\/src\/features\/([^/]+)\//.exec(path)?.[1];
const inServer = (path: string) => /^packages\/server\/src\/(.+)$/.exec(path)?.[1];

/** Returns why a file may not import a package of this project, or null if it may. */
export function whyNotWorkspace(from: string, to: string): string | null {
  const target = packageOf(to);
  const own = packageOf(from);
  if (target === null) {
    if (own === null) return null;
    return `a package imports nothing outside packages/ (got ${to})`;
  }
  if (own === target) return null;
  const allowed = own === null ? (rootFolders[from.split('/')[0] ?? ''] ?? []) : (workspaces[own] ?? []);
  if (allowed.includes(target)) return null;
  const list = allowed.length > 0 ? allowed.join(', ') : 'no other workspace';
  return `${own ?? from.split('/')[0]} may import ${list} (got ${target}); what both need belongs into contract (types, texts) or dsp (numbers)`;
}

/** Returns why a file of the server may not import another one, types included, or null if it may. */
export function whyNotInServer(from: string, to: string): string | null {
  const source = inServer(from);
  const target = inServer(to);
  if (source === undefined || target === undefined || source.startsWith('testing/')) return null;
  const isTest = source.endsWith('.test.ts');

  if (target === 'pipeline.ts' && source !== 'app.ts' && !isTest) {
    return 'only app.ts imports pipeline.ts: emit an event, and the table says what follows';
  }
  if (isTest) return null;
  if (source.startsWith('platform/')) {
    if (target.startsWith('platform/')) return null;
    return `platform imports nothing above it (got ${target}): take what you need as a parameter, or let the feature call you`;
  }
  const feature = featureOf(from);
  if (feature !== undefined) return whyNotInFeature(feature, to, target);
  // The settings of a feature are read without loading the feature.
  if (source === 'config.ts' && target.endsWith('.settings.ts')) return null;
  // A command that needs no service must not load it.
  if (source.startsWith('cli/') && /^features\/[^/]+\/standalone\.ts$/.test(target)) return null;
  if (target.startsWith('features/') && !/^features\/[^/]+\/index\.ts$/.test(target)) {
    return `a feature is imported only through its index.ts (got ${target})`;
  }
  return null;
}

function whyNotInFeature(feature: string, to: string, target: string): string | null {
  const index = features.indexOf(feature);
  if (index < 0) {
    return `feature "${feature}" is not in the order; add it to the list in tools/rules/dependency-rules.ts`;
  }
  if (target.startsWith('platform/')) return null;
  const other = featureOf(to);
  if (other === undefined) return `a feature imports platform and features to its left (got ${target})`;
  if (other === feature) return null;
  if (features.indexOf(other) >= index) {
    return `feature ${feature} stands left of ${other} (${features.join(', ')}): emit an event instead`;
  }
  if (target === `features/${other}/index.ts`) return null;
  return `feature ${other} is imported only through its index.ts (got ${target})`;
}
