// Entry point of every npm script. Plain JavaScript, so that Node 20 and later can run it. Installs missing
// requirements (Node 24, the dependencies, the page, the browser for browser tests), then runs the command.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { follow, startNode } from './bootstrap/children.mjs';
import { ensureDependencies } from './bootstrap/dependencies.mjs';
import { ensureNode } from './bootstrap/node.mjs';
import { ensurePage, viteCli } from './bootstrap/page.mjs';
import { root } from './bootstrap/paths.mjs';
import { Stop } from './bootstrap/say.mjs';

const server = 'packages/server/src/main.ts';
const standIns = 'packages/server/src/testing/stand-ins/main.ts';
const studio = path.join(root, 'packages', 'server', 'src', 'cli', 'studio.ts');

/**
 * Starts the stand-ins for the web catalog and the download tool.
 *
 * @param {string} nodePath
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, settings: Record<string, string> }>} the
 * settings that make the service use them
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
    // Files are relative to the caller's folder; settings and data are relative to the root, as for npm start.
    const takesFiles = ['separate', 'analyze', 'notes'].includes(args[0] ?? '');
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
