import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { root } from './paths.mjs';
import { Stop, tail } from './say.mjs';

/**
 * Returns the JavaScript file of the npm command line, so that a chosen Node can run it. This is the npm that started
 * this process (`npm_execpath`), else the one on PATH.
 *
 * @returns {string}
 */
function findNpmCli() {
  const given = process.env.npm_execpath;
  if (given?.endsWith('npm-cli.js') && existsSync(given)) return given;
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const candidates = [
      path.join(folder, 'npm'),
      path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
      path.join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ];
    for (const candidate of candidates) {
      if (!existsSync(candidate)) continue;
      const file = realpathSync(candidate);
      if (file.endsWith('npm-cli.js')) return file;
    }
  }
  throw new Stop(
    'npm was not found. Install Node.js 20 or newer with npm (https://nodejs.org) and try again.',
  );
}

const unreachable =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|network/i;

/**
 * Runs npm quietly with `nodePath`, which is first on PATH for the scripts of packages. Rejects with a message that
 * suggests a fix and includes the registry's address if it could not be reached.
 *
 * @param {string} nodePath
 * @param {readonly string[]} args
 * @param {{ cwd: string, doing: string }} options `doing` completes "… failed"
 */
export async function runNpm(nodePath, args, { cwd, doing }) {
  // Variables that `npm start` set for its script must not configure npm in another folder.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_(package|lifecycle|command|node_execpath|config_local_prefix|config_prefix|config_global_prefix)/.test(
          name,
        ),
    ),
  );
  env.PATH = `${path.dirname(nodePath)}${path.delimiter}${process.env.PATH ?? ''}`;
  // npm before 11 has no list of scripts that may run; this script would download 300 MB that are not needed.
  env.ONNXRUNTIME_NODE_INSTALL = 'skip';
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error', '--no-progress'];
  const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const child = spawn(nodePath, [findNpmCli(), ...args, ...quiet, ...patience], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (bytes) => (output += bytes));
  child.stderr.on('data', (bytes) => (output += bytes));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  const reason = unreachable.test(output)
    ? `\nThe npm registry could not be reached (${process.env.npm_config_registry ?? 'https://registry.npmjs.org'}). ` +
      'Check the network or the proxy settings of npm; what was there before is untouched or will be brought again by the next run.'
    : '';
  throw new Stop(
    `${doing} failed (npm ended with ${code} in ${path.relative(root, cwd) || '.'}):\n${tail(output)}${reason}`,
  );
}
