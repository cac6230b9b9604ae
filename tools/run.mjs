// The entry of every npm script. Plain JavaScript, so that any Node from 20 on can run it: it brings what is missing
// (Node 24, the dependencies, the page, for browser tests the browser) and hands over.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ensureDependencies } from './bootstrap/dependencies.mjs';
import { ensureNode } from './bootstrap/node.mjs';
import { ensurePage, viteCli } from './bootstrap/page.mjs';
import { root } from './bootstrap/paths.mjs';
import { Stop } from './bootstrap/say.mjs';

const server = 'packages/server/src/main.ts';
const standIns = 'packages/server/src/testing/stand-ins/main.ts';
const studio = path.join(root, 'packages', 'server', 'src', 'cli', 'studio.ts');

/**
 * Starts `nodePath` with `args` on this terminal, in the repository's root and with that Node first on PATH.
 *
 * @param {string} nodePath
 * @param {readonly string[]} args
 * @param {string} [cwd]
 * @param {Record<string, string>} [settings] environment beside our own
 */
function startNode(nodePath, args, cwd = root, settings = {}) {
  return spawn(nodePath, args, {
    cwd,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...settings,
      PATH: `${path.dirname(nodePath)}${path.delimiter}${process.env.PATH ?? ''}`,
    },
  });
}

/**
 * Waits for children and passes our signals on to them; when one ends, the others are asked to end too.
 *
 * @param {readonly import('node:child_process').ChildProcess[]} children
 * @returns {Promise<number>} the exit code of the first that ended, 128 + n for a signal, as a shell says it
 */
async function follow(children) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // A Ctrl+C in a terminal reaches the whole process group by itself; twice would read as "at once".
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      for (const child of children) child.kill(signal);
    });
  }
  const stopWatching = whenAbandoned(() => {
    for (const child of children) child.kill('SIGTERM');
  });
  const ends = children.map(
    (child) =>
      new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
      }),
  );
  const code = await Promise.race(ends);
  for (const child of children) if (child.exitCode === null) child.kill('SIGTERM');
  await Promise.all(ends);
  stopWatching();
  return code;
}

/**
 * Calls `abandoned` when the shell that npm started us in is gone: a signal to npm ends that shell, which passes it on
 * to nobody, and what we started would run on unseen.
 *
 * @param {() => void} abandoned
 * @returns {() => void} ends the watching
 */
function whenAbandoned(abandoned) {
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    abandoned();
  }, 300);
  return () => clearInterval(timer);
}

/**
 * Starts the stand-ins for the web catalog and the download tool.
 *
 * @param {string} nodePath
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, settings: Record<string, string> }>} the
 *   settings that lead the service to them
 */
async function startStandIns(nodePath) {
  const child = spawn(nodePath, [standIns], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, settings: JSON.parse(line) };
  }
  throw new Stop('the stand-ins did not start');
}

/** @type {Record<string, (nodePath: string, args: string[]) => Promise<number>>} */
const commands = {
  async start(nodePath, args) {
    await ensurePage(nodePath);
    return follow([startNode(nodePath, [server, ...args])]);
  },
  async dev(nodePath, args) {
    await ensurePage(nodePath);
    const own = args.filter((argument) => argument !== '--stand-ins');
    const played = own.length < args.length ? await startStandIns(nodePath) : null;
    return follow([
      ...(played ? [played.child] : []),
      startNode(
        nodePath,
        [viteCli, 'build', '--watch', '--logLevel', 'warn'],
        path.join(root, 'packages', 'web'),
      ),
      startNode(nodePath, ['--watch', '--watch-preserve-output', server, ...own], root, played?.settings),
    ]);
  },
  async build(nodePath) {
    await ensurePage(nodePath, { force: true });
    return 0;
  },
  check: (nodePath) => follow([startNode(nodePath, ['tools/check.ts'])]),
  unit: (nodePath) => follow([startNode(nodePath, ['tools/test.ts', 'unit', 'properties'])]),
  async e2e(nodePath, args) {
    await ensurePage(nodePath);
    return follow([startNode(nodePath, ['tools/test.ts', 'e2e', ...args])]);
  },
  async test(nodePath) {
    await ensurePage(nodePath);
    return follow([startNode(nodePath, ['tools/test.ts', 'check', 'unit', 'properties', 'server', 'e2e'])]);
  },
  bench: (nodePath, args) => follow([startNode(nodePath, ['bench/run.ts', ...args])]),
  async studio(nodePath, args) {
    if (args[0] === 'serve') await ensurePage(nodePath);
    // Files are meant as seen from where the command was called, settings and data from the root as for npm start.
    const takesFiles = args[0] === 'separate' || args[0] === 'analyze';
    const cwd = takesFiles ? (process.env.INIT_CWD ?? process.cwd()) : root;
    return follow([startNode(nodePath, [studio, ...args], cwd)]);
  },
  where: (nodePath, args) => follow([startNode(nodePath, ['tools/where.ts', ...args])]),
  format: (nodePath) =>
    follow([startNode(nodePath, ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.'])]),
};

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const command = commands[name];
  if (!command) throw new Stop(`usage: node tools/run.mjs ${Object.keys(commands).join(' | ')}`);
  const nodePath = await ensureNode();
  await ensureDependencies(nodePath);
  process.exitCode = await command(nodePath, args);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
