#!/usr/bin/env node
// The command `studio` for any Node from 20 on: it runs `src/cli/studio.ts` with the project's Node, in the folder of
// the caller. Installed, it is a link to this file, from which all paths are found.
import { fileURLToPath } from 'node:url';
import { follow, startNode } from '../../../tools/bootstrap/children.mjs';
import { ensureNode } from '../../../tools/bootstrap/node.mjs';
import { ensurePage } from '../../../tools/bootstrap/page.mjs';
import { compileCacheFolder } from '../../../tools/bootstrap/paths.mjs';
import { Stop } from '../../../tools/bootstrap/say.mjs';

const program = fileURLToPath(new URL('../src/cli/studio.ts', import.meta.url));
const args = process.argv.slice(2);

try {
  const nodePath = await ensureNode();
  if (args[0] === 'serve') await ensurePage(nodePath);
  if (nodePath === process.execPath) {
    // Node 20 has no compile cache. The variable is for the child processes.
    const { enableCompileCache } = await import('node:module');
    process.env.NODE_COMPILE_CACHE ??= compileCacheFolder;
    enableCompileCache(process.env.NODE_COMPILE_CACHE);
    await import('../src/cli/studio.ts');
  } else process.exitCode = await follow([startNode(nodePath, [program, ...args], process.cwd())]);
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
