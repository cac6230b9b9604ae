import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBoundaries, type Manifest } from './boundaries.ts';
import { parseSource } from './source.ts';

const manifests: Manifest[] = [
  { folder: '', devDependencies: { 'fast-check': '4.0.0' } },
  { folder: 'packages/dsp', dependencies: { mediabunny: '1.0.0' } },
  { folder: 'packages/server', dependencies: { zod: '4.0.0' }, devDependencies: { phoenix: '1.8.0' } },
  {
    folder: 'packages/web',
    dependencies: { react: '19.0.0', 'react-dom': '19.0.0', zod: '4.0.0', '@tanstack/react-query': '5.0.0' },
  },
];

/** Returns the violated rules of a small tree of files, given as path and text. */
function rulesBrokenBy(tree: Record<string, string>): string[] {
  const files = Object.entries(tree).map(([path, text]) => parseSource({ path, text }));
  const { violations, modules } = checkBoundaries(files, manifests, (path) => path.endsWith('.css'));
  assert.equal(modules, files.length);
  return violations.map(({ path, rule }) => `${path} ${rule}`);
}

const dsp = 'packages/dsp/src/a.ts';
const contract = 'packages/contract/src/c.ts';
const renderer = 'packages/renderer/src/r.ts';
const platform = 'packages/server/src/platform/db.ts';
const tracks = 'packages/server/src/features/tracks/index.ts';
const jobs = 'packages/server/src/features/jobs/index.ts';
const value = 'export const a = 1;';

test('accepts a tree that follows the dependency rules', () => {
  const broken = rulesBrokenBy({
    [dsp]: "import 'mediabunny'; import './b.ts';",
    'packages/dsp/src/b.ts': value,
    'packages/web/src/ui/x.tsx':
      "import './x.css'; import { a } from '@stem-studio/dsp/b'; import w from '@stem-studio/dsp/b?url';",
    [platform]: "import type { C } from './context.ts'; import 'node:fs'; import 'zod';",
    'packages/server/src/platform/context.ts': value,
    'packages/server/src/context.ts': "import './platform/db.ts';",
    [tracks]: "import '../../platform/db.ts';",
    [jobs]: "import '../tracks/index.ts';",
    'packages/server/src/app.ts': "import './pipeline.ts'; import './features/jobs/index.ts';",
    'packages/server/src/pipeline.ts': value,
    'packages/server/src/x.test.ts': "import 'phoenix'; import 'fast-check';",
  });
  assert.deepEqual(broken, []);
});

test('lets a package import only the packages below it', () => {
  assert.deepEqual(rulesBrokenBy({ [dsp]: "import '@stem-studio/contract/c';", [contract]: value }), [
    `${dsp} boundary`,
  ]);
  assert.deepEqual(rulesBrokenBy({ [dsp]: "import '../../contract/src/c.ts';", [contract]: value }), [
    `${dsp} boundary`,
  ]);
  assert.deepEqual(rulesBrokenBy({ [dsp]: "import '../../../tools/t.ts';", 'tools/t.ts': value }), [
    `${dsp} boundary`,
  ]);
  const server = 'packages/server/src/app.ts';
  const separator = 'packages/separator/src/main.ts';
  assert.deepEqual(rulesBrokenBy({ [server]: "import '@stem-studio/separator/main';", [separator]: value }), [
    `${server} boundary`,
  ]);
  assert.deepEqual(
    rulesBrokenBy({ 'tools/t.ts': "export * from '../packages/dsp/src/a.ts';", [dsp]: value }),
    ['tools/t.ts boundary'],
  );
});

test('applies the same rules to dynamic imports and type imports', () => {
  assert.deepEqual(rulesBrokenBy({ [dsp]: "await import('@stem-studio/contract/c');", [contract]: value }), [
    `${dsp} boundary`,
  ]);
  assert.deepEqual(
    rulesBrokenBy({ [dsp]: "import type { A } from '@stem-studio/contract/c';", [contract]: value }),
    [`${dsp} boundary`],
  );
});

test('refuses Node modules in contract, dsp, renderer and browser packages', () => {
  const browser = ['packages/web/src/ui/w.ts', 'packages/audio/src/w.ts'];
  for (const path of [dsp, contract, renderer, ...browser]) {
    assert.deepEqual(rulesBrokenBy({ [path]: "import 'node:fs';" }), [`${path} builtin`]);
  }
  assert.deepEqual(rulesBrokenBy({ 'packages/dsp/src/a.test.ts': "import 'node:fs';" }), []);
});

test('treats a Node module without its prefix as a package', () => {
  assert.deepEqual(rulesBrokenBy({ [platform]: "import 'fs';" }), [`${platform} dependency`]);
});

test('lets browser and server import the renderer, which imports neither', () => {
  const server = 'packages/server/src/platform/a.ts';
  const audio = 'packages/audio/src/a.ts';
  const separator = 'packages/separator/src/a.ts';
  for (const path of [audio, server]) {
    assert.deepEqual(rulesBrokenBy({ [path]: "import '@stem-studio/renderer/r';", [renderer]: value }), []);
  }
  assert.deepEqual(
    rulesBrokenBy({ [separator]: "import '@stem-studio/renderer/r';", [renderer]: value }).filter((rule) =>
      rule.endsWith('boundary'),
    ),
    [`${separator} boundary`],
  );
  assert.deepEqual(
    rulesBrokenBy({ [renderer]: "import '@stem-studio/audio/a';", [audio]: value }).filter((rule) =>
      rule.endsWith('boundary'),
    ),
    [`${renderer} boundary`],
  );
  assert.deepEqual(rulesBrokenBy({ [renderer]: 'export const c = document.title;' }), [
    `${renderer} host-global`,
  ]);
});

test('refuses browser and Node globals in contract and dsp', () => {
  assert.deepEqual(rulesBrokenBy({ [dsp]: 'export const w = document.title;' }), [`${dsp} host-global`]);
  assert.deepEqual(rulesBrokenBy({ [contract]: 'export const b = Buffer.alloc(1);' }), [
    `${contract} host-global`,
  ]);
  assert.deepEqual(
    rulesBrokenBy({
      [dsp]:
        'export function f(window: number[]) { return window.length; } export const o = { process: 1 }; o.process;',
    }),
    [],
  );
});

test('requires a dependency to be listed by the package that uses it', () => {
  assert.deepEqual(rulesBrokenBy({ [dsp]: "import 'zod';" }), [`${dsp} dependency`]);
  assert.deepEqual(rulesBrokenBy({ [platform]: "import 'phoenix';" }), [`${platform} dependency`]);
  assert.deepEqual(rulesBrokenBy({ 'bench/b.ts': "import 'zod';" }), ['bench/b.ts dependency']);
});

test('lets the platform import nothing above it', () => {
  assert.deepEqual(rulesBrokenBy({ [platform]: "import '../features/tracks/index.ts';", [tracks]: value }), [
    `${platform} boundary`,
  ]);
  const context = 'packages/server/src/context.ts';
  assert.deepEqual(rulesBrokenBy({ [platform]: "import { c } from '../context.ts';", [context]: value }), [
    `${platform} boundary`,
  ]);
  for (const path of [platform, tracks]) {
    const up = path === platform ? '../context.ts' : '../../context.ts';
    const broken = rulesBrokenBy({ [path]: `import type { C } from '${up}';`, [context]: value });
    assert.deepEqual(broken, [`${path} boundary`]);
  }
});

test('lets a feature import only features to its left', () => {
  assert.deepEqual(rulesBrokenBy({ [tracks]: "import '../jobs/index.ts';", [jobs]: value }), [
    `${tracks} boundary`,
  ]);
  const unknown = 'packages/server/src/features/novel/index.ts';
  assert.deepEqual(rulesBrokenBy({ [unknown]: "import '../tracks/index.ts';", [tracks]: value }), [
    `${unknown} boundary`,
  ]);
});

test('allows imports of a feature only through its index', () => {
  const store = 'packages/server/src/features/tracks/tracks.store.ts';
  assert.deepEqual(rulesBrokenBy({ [jobs]: "import '../tracks/tracks.store.ts';", [store]: value }), [
    `${jobs} boundary`,
  ]);
  const app = 'packages/server/src/app.ts';
  assert.deepEqual(rulesBrokenBy({ [app]: "import './features/tracks/tracks.store.ts';", [store]: value }), [
    `${app} boundary`,
  ]);
});

test('lets only config.ts import the settings of a feature besides its index', () => {
  const settings = 'packages/server/src/features/tracks/tracks.settings.ts';
  const imports = "import './features/tracks/tracks.settings.ts';";
  const tree = { [settings]: value };
  assert.deepEqual(rulesBrokenBy({ ...tree, 'packages/server/src/config.ts': imports }), []);
  assert.deepEqual(rulesBrokenBy({ ...tree, 'packages/server/src/main.ts': imports }), [
    'packages/server/src/main.ts boundary',
  ]);
});

test('lets only commands import the part of a feature that needs no service', () => {
  const standalone = 'packages/server/src/features/tracks/standalone.ts';
  const imports = "import '../features/tracks/standalone.ts';";
  assert.deepEqual(
    rulesBrokenBy({ [standalone]: value, 'packages/server/src/cli/separate-command.ts': imports }),
    [],
  );
  const main = 'packages/server/src/main.ts';
  assert.deepEqual(
    rulesBrokenBy({ [standalone]: value, [main]: "import './features/tracks/standalone.ts';" }),
    [`${main} boundary`],
  );
  assert.deepEqual(rulesBrokenBy({ [standalone]: value, [jobs]: "import '../tracks/standalone.ts';" }), [
    `${jobs} boundary`,
  ]);
});

test('lets only the app import the pipeline', () => {
  const pipeline = 'packages/server/src/pipeline.ts';
  assert.deepEqual(rulesBrokenBy({ [tracks]: "import '../../pipeline.ts';", [pipeline]: value }), [
    `${tracks} boundary`,
  ]);
  const main = 'packages/server/src/main.ts';
  assert.deepEqual(rulesBrokenBy({ [main]: "import './pipeline.ts';", [pipeline]: value }), [
    `${main} boundary`,
  ]);
});

/** Returns the violated rules of one import between two files of the page. */
function brokenInWeb(from: string, to: string, isTypeOnly = false): string[] {
  const [source, target] = [`packages/web/src/${from}`, `packages/web/src/${to}`];
  const way = `${'../'.repeat(from.split('/').length - 1) || './'}${to}`;
  return rulesBrokenBy({
    [source]: `import ${isTypeOnly ? 'type { A }' : '{ a }'} from '${way}';`,
    [target]: value,
  });
}

test('lets a module of the page import only modules before it in the order', () => {
  const order = ['base', 'client', 'state', 'canvas', 'ui', 'panels/library', 'app'];
  for (const [index, earlier] of order.entries()) {
    for (const later of order.slice(index + 1)) {
      assert.deepEqual(brokenInWeb(`${later}/x.ts`, `${earlier}/y.ts`), [], `${later} imports ${earlier}`);
      assert.deepEqual(
        brokenInWeb(`${earlier}/x.ts`, `${later}/y.ts`),
        [`packages/web/src/${earlier}/x.ts boundary`],
        `${earlier} imports ${later}`,
      );
    }
  }
  assert.deepEqual(brokenInWeb('main.tsx', 'app/app.tsx'), []);
  assert.deepEqual(brokenInWeb('app/app.tsx', 'main.tsx'), ['packages/web/src/app/app.tsx boundary']);
  assert.deepEqual(brokenInWeb('state/x.ts', 'ui/y.ts', true), ['packages/web/src/state/x.ts boundary']);
  assert.deepEqual(brokenInWeb('novel/x.ts', 'base/y.ts'), ['packages/web/src/novel/x.ts boundary']);
});

test('refuses imports between panels and lets the app compose them', () => {
  assert.deepEqual(brokenInWeb('panels/grid/x.ts', 'panels/track/y.ts'), [
    'packages/web/src/panels/grid/x.ts boundary',
  ]);
  assert.deepEqual(brokenInWeb('panels/grid/x.test.ts', 'panels/track/y.ts', true), [
    'packages/web/src/panels/grid/x.test.ts boundary',
  ]);
  assert.deepEqual(brokenInWeb('panels/grid/x.ts', 'panels/grid/y.ts'), []);
  assert.deepEqual(brokenInWeb('app/x.tsx', 'panels/grid/y.ts'), []);
});

test('refuses React in the canvas module', () => {
  for (const name of ['react', 'react-dom', '@tanstack/react-query'])
    assert.deepEqual(rulesBrokenBy({ 'packages/web/src/canvas/x.ts': `import '${name}';` }), [
      'packages/web/src/canvas/x.ts dependency',
    ]);
  assert.deepEqual(rulesBrokenBy({ 'packages/web/src/ui/x.ts': "import 'react';" }), []);
});

test('counts cycles and imports against the order', () => {
  const count = (tree: Record<string, string>) => {
    const files = Object.entries(tree).map(([path, text]) => parseSource({ path, text }));
    const { circles, misordered } = checkBoundaries(files, manifests, () => false);
    return { circles, misordered };
  };
  const ui = 'packages/web/src/ui/a.ts';
  const app = 'packages/web/src/app/a.ts';
  assert.deepEqual(count({ [ui]: value, [app]: "import '../ui/a.ts';" }), { circles: 0, misordered: 0 });
  assert.deepEqual(count({ [ui]: "import '../app/a.ts';", [app]: "import '../ui/a.ts';" }), {
    circles: 1,
    misordered: 1,
  });
});

test('refuses imports of tests, and imports of test helpers in code', () => {
  const unit = 'packages/dsp/src/b.test.ts';
  assert.deepEqual(rulesBrokenBy({ 'packages/dsp/src/c.test.ts': "import './b.test.ts';", [unit]: value }), [
    'packages/dsp/src/c.test.ts test-code',
  ]);
  const helper = 'packages/dsp/src/testing/tone.ts';
  assert.deepEqual(rulesBrokenBy({ [dsp]: "import './testing/tone.ts';", [helper]: value }), [
    `${dsp} test-code`,
  ]);
});

test('refuses import cycles, except for types, which are erased', () => {
  const b = 'packages/dsp/src/b.ts';
  const c = 'packages/dsp/src/c.ts';
  const round = { [dsp]: "import './b.ts';", [b]: "import './c.ts';", [c]: "import './a.ts';" };
  assert.deepEqual(rulesBrokenBy(round), [`${dsp} circle`]);
  assert.deepEqual(rulesBrokenBy({ ...round, [c]: "import type { A } from './a.ts';" }), []);
  assert.deepEqual(rulesBrokenBy({ ...round, [c]: "import { type A } from './a.ts';" }), [`${dsp} circle`]);
  assert.deepEqual(rulesBrokenBy({ [dsp]: "import './a.ts';" }), [`${dsp} circle`]);
});

test('reports an import of a missing file', () => {
  assert.deepEqual(rulesBrokenBy({ [dsp]: "import './gone.ts';" }), [`${dsp} missing`]);
});
