import {
  isNode,
  isTestCode,
  type Node,
  packageOf,
  type SourceFile,
  type Violation,
  visit,
} from './source.ts';

/** An effect that only certain files of a package may use. All other code can be tested without it. */
interface RestrictedApi {
  rule: string;
  /** Returns the text of a match at a node of the tree, or null. */
  find(node: Node, parent: Node | null): string | null;
  /** Files that may use it, by package; a package without an entry may not use it at all. */
  allowedIn: Readonly<Record<string, RegExp>>;
  /** Packages to which the rule does not apply. */
  free?: readonly string[];
  replacement: string;
}

const browserBase = /^packages\/(audio|web)\/src\/base\//;

const rules: readonly RestrictedApi[] = [
  {
    rule: 'environment',
    find: (node) => (isMember(node, 'process', 'env') ? 'process.env' : null),
    allowedIn: {
      server: /^packages\/server\/src\/platform\/config(\.ts|\/)/,
    },
    replacement:
      'the environment is read in platform/config.ts: declare a setting in *.settings.ts of the feature',
  },
  {
    rule: 'clock',
    find(node) {
      if (node.type === 'CallExpression' && isNode(node.callee)) {
        if (isMember(node.callee, 'Date', 'now')) return 'Date.now()';
        if (isMember(node.callee, 'performance', 'now')) return 'performance.now()';
      }
      const isBare = node.type === 'NewExpression' && nameOf(node.callee) === 'Date';
      return isBare && (node.arguments as unknown[]).length === 0 ? 'new Date()' : null;
    },
    allowedIn: {
      server: /^packages\/server\/src\/platform\/(clock|ids)\.ts$/,
      separator: /^packages\/separator\/src\/(clock|main)\.ts$/,
      audio: browserBase,
      web: browserBase,
    },
    replacement:
      'time comes from the one clock (server: context.clock; separator: clock.ts; browser: base/): pass it in',
  },
  {
    rule: 'randomness',
    find(node) {
      if (node.type !== 'CallExpression' || !isNode(node.callee)) return null;
      if (isMember(node.callee, 'Math', 'random')) return 'Math.random()';
      const isUuid = nameOf(node.callee) === 'randomUUID' || isMember(node.callee, 'crypto', 'randomUUID');
      return isUuid ? 'randomUUID()' : null;
    },
    allowedIn: {
      server: /^packages\/server\/src\/platform\/(ids\.ts$|crypto(\.ts|\/))/,
      audio: browserBase,
      web: browserBase,
    },
    replacement:
      'random values come from one module (server: newId() of platform/ids.ts; elsewhere a seeded generator passed in)',
  },
  {
    rule: 'console',
    find: (node) =>
      node.type === 'MemberExpression' && nameOf(node.object) === 'console'
        ? `console.${nameOf(node.property)}`
        : null,
    allowedIn: {
      server: /^packages\/server\/src\/(platform\/log\.ts$|cli\/)/,
      audio: browserBase,
      web: browserBase,
    },
    replacement: 'messages to the operator go through context.log; the command line writes in cli/',
  },
  {
    rule: 'owner',
    find(node) {
      if (node.type === 'NewExpression') {
        const name = nameOf(node.callee);
        return name && /^(Resize|Intersection|Mutation)Observer$/.test(name) ? `new ${name}()` : null;
      }
      if (node.type !== 'CallExpression' || !isNode(node.callee)) return null;
      const timers = /^(setTimeout|setInterval|requestAnimationFrame|requestIdleCallback)$/;
      const own = nameOf(node.callee);
      if (own && timers.test(own)) return `${own}()`;
      if (node.callee.type !== 'MemberExpression') return null;
      const property = nameOf(node.callee.property) ?? '';
      const object = nameOf(node.callee.object) ?? '';
      if (property === 'addEventListener') return 'addEventListener()';
      return timers.test(property) && /^(window|globalThis|self)$/.test(object) ? `${property}()` : null;
    },
    allowedIn: {
      audio: browserBase,
      // A hook in a file of its own (use-….ts) connects an owner to the view library.
      web: /^packages\/web\/src\/(base\/|(.*\/)?use-[a-z-]+\.tsx?$)/,
    },
    free: ['server', 'separator', 'contract', 'dsp'],
    replacement:
      'listeners, timers and observers belong to an owner that lets them go: listen, after, every, onAnimationFrame or onResize of a Scope (packages/audio/src/base/scope.ts), or a hook in its own file use-….ts',
  },
  {
    rule: 'lazy',
    find(node, parent) {
      const isImported = node.type === 'ImportSpecifier' && nameOf(node.imported) === 'lazy';
      if (isImported && parent?.type === 'ImportDeclaration')
        return isNode(parent.source) && parent.source.value === 'react' ? "lazy of 'react'" : null;
      return isMember(node, 'React', 'lazy') ? 'React.lazy' : null;
    },
    allowedIn: { web: /^packages\/web\/src\/ui\/lazy\.ts$/ },
    replacement:
      'parts are loaded by lazy of ui/lazy.ts, which tries again after a failure and is loaded before it is needed',
  },
];

/** Reports uses of environment, clock, randomness, console, listeners and React's lazy outside the files that may use them. */
export function checkRestrictedApis(file: SourceFile): Violation[] {
  const own = packageOf(file.path);
  if (own === null || isTestCode(file.path) || !file.path.startsWith(`packages/${own}/src/`)) return [];
  const applied = rules.filter(
    (rule) => !rule.free?.includes(own) && !(rule.allowedIn[own]?.test(file.path) ?? false),
  );
  const violations: Violation[] = [];
  visit(file.program, (node, parent) => {
    for (const rule of applied) {
      const found = rule.find(node, parent);
      if (found === null) continue;
      violations.push({
        path: file.path,
        line: file.lineAt(node.start),
        rule: rule.rule,
        message: `${rule.replacement} (got ${found})`,
      });
    }
  });
  return violations;
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : null;
}

function isMember(node: Node, object: string, property: string): boolean {
  return (
    node.type === 'MemberExpression' && nameOf(node.object) === object && nameOf(node.property) === property
  );
}
