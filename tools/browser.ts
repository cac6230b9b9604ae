import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { Stop, say, tail } from './bootstrap/say.mjs';
import { installed, runCommand } from './command.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macPaths = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the path of the Chromium for browser tests, or null if there is none. Candidates are `CHROMIUM_PATH`, an
 * installed browser, and Playwright's cache, in this order.
 *
 * @throws Stop if `CHROMIUM_PATH` cannot be run
 */
export function findBrowser(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (isExecutable(given)) return given;
    throw new Stop(`CHROMIUM_PATH must be a program that can be run (got ${given})`);
  }
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean)];
  const own = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  return [...own, ...macPaths, chromium.executablePath()].find(isExecutable) ?? null;
}

/** Checks whether this machine installs packages by apt: Debian, Ubuntu and their derivatives. */
function isDebian(): boolean {
  if (!existsSync('/etc/os-release') || !existsSync('/usr/bin/apt-get')) return false;
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/**
 * Installs a Chromium if there is none: by apt as root on Debian or Ubuntu, else by Playwright into the user's cache.
 * Browser tests are never skipped.
 *
 * @returns the path of the program
 * @throws Stop with the installation command if neither works
 */
export async function ensureBrowser(): Promise<string> {
  const found = findBrowser();
  if (found) return found;
  const tried: string[] = [];
  const attempt = async (label: string, command: string, args: readonly string[]): Promise<string | null> => {
    say(`Bringing a browser for the tests (once): ${label}…`);
    const { code, output } = await runCommand(command, args).catch((error: unknown) => ({
      code: 1,
      output: String(error),
    }));
    const browser = code === 0 ? findBrowser() : null;
    if (!browser) tried.push(`${label} ended with ${code}:\n${tail(output, 6)}`);
    return browser;
  };
  const isRoot = process.getuid?.() === 0;
  if (isRoot && isDebian()) {
    const apt =
      'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends chromium';
    const browser = await attempt('apt-get install chromium', 'sh', ['-c', apt]);
    if (browser) return browser;
  }
  const cli = installed('playwright-core', 'cli.js');
  const browser = await attempt('playwright-core install chromium', process.execPath, [
    cli,
    'install',
    'chromium',
  ]);
  if (browser) return browser;
  const command = isDebian()
    ? `${isRoot ? '' : 'sudo '}apt-get install -y chromium`
    : 'npx playwright-core install chromium';
  throw new Stop(
    `The browser tests need Chromium, and none could be brought.\n${tried.join('\n')}\n` +
      `Type:  ${command}\nor name one you have:  CHROMIUM_PATH=/path/to/chromium npm test`,
  );
}
