import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { Stop, say, tail } from './bootstrap/say.mjs';
import { installed, runCommand } from './command.ts';

/** Browsers without windows: a page costs about a quarter of the processor time that it costs in a whole browser. */
const shellNames = ['chromium-headless-shell', 'chrome-headless-shell'];
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

/** Returns the paths of the installed programs with these names. */
function installedPrograms(programs: readonly string[]): string[] {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean)];
  return folders.flatMap((folder) => programs.map((name) => path.join(folder, name))).filter(isExecutable);
}

/** Returns the path of the headless shell in Playwright's cache, which lies beside that of its Chromium. */
function cachedShell(): string | null {
  const [, cache, revision] = /^(.*)[\\/]chromium-(\d+)[\\/]/.exec(chromium.executablePath()) ?? [];
  if (cache === undefined) return null;
  const [found] = globSync(
    `chromium_headless_shell-${revision}/*/{chrome-headless-shell,chrome-headless-shell.exe,headless_shell}`,
    { cwd: cache },
  );
  return found === undefined ? null : path.join(cache, found);
}

/** Returns the path of an installed or cached headless shell, or null. */
function findShell(): string | null {
  return installedPrograms(shellNames)[0] ?? cachedShell();
}

/**
 * Returns the path of the Chromium for browser tests, or null if there is none. Candidates are `CHROMIUM_PATH`, a headless
 * shell, an installed browser, and Playwright's cache, in this order.
 *
 * @throws Stop if `CHROMIUM_PATH` cannot be run
 */
export function findBrowser(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (isExecutable(given)) return given;
    throw new Stop(`CHROMIUM_PATH must be a program that can be run (got ${given})`);
  }
  const others = [...installedPrograms(names), ...macPaths, chromium.executablePath()];
  return findShell() ?? others.find(isExecutable) ?? null;
}

/** Checks whether this machine installs packages by apt: Debian, Ubuntu and their derivatives. */
function isDebian(): boolean {
  if (!existsSync('/etc/os-release') || !existsSync('/usr/bin/apt-get')) return false;
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/**
 * Installs a headless shell if there is none and `CHROMIUM_PATH` names no browser: by apt as root on Debian or Ubuntu,
 * else, where there is no other browser, by Playwright into the user's cache. If that fails, an installed Chromium runs
 * the tests more slowly. Browser tests are never skipped.
 *
 * @returns the path of the program
 * @throws Stop with the installation command if there is no browser and none can be installed
 */
export async function ensureBrowser(): Promise<string> {
  const found = findBrowser();
  if (found !== null && (process.env.CHROMIUM_PATH || findShell() !== null)) return found;
  const tried: string[] = [];
  const attempt = async (label: string, command: string, args: readonly string[]): Promise<boolean> => {
    say(`Bringing a browser for the tests (once): ${label}…`);
    const { code, output } = await runCommand(command, args).catch((error: unknown) => ({
      code: 1,
      output: String(error),
    }));
    const hasShell = code === 0 && findShell() !== null;
    if (!hasShell) tried.push(`${label} ended with ${code}:\n${tail(output, 6)}`);
    return hasShell;
  };
  const isRoot = process.getuid?.() === 0;
  // Without a network, apt and Playwright would wait for minutes for what only makes the tests faster.
  const aptGet = 'timeout 90 apt-get -q -o Acquire::Retries=0 -o Acquire::http::Timeout=20';
  const install = `${aptGet} install -y --no-install-recommends chromium-headless-shell`;
  const apt = `export DEBIAN_FRONTEND=noninteractive; ${install} || (${aptGet} update && ${install})`;
  const cli = installed('playwright-core', 'cli.js');
  const hasShell =
    (isRoot && isDebian() && (await attempt('apt-get install chromium-headless-shell', 'sh', ['-c', apt]))) ||
    (found === null &&
      (await attempt('playwright-core install chromium-headless-shell', process.execPath, [
        cli,
        'install',
        'chromium-headless-shell',
      ])));
  const browser = findBrowser();
  if (browser !== null) {
    if (!hasShell) say(`The tests use ${browser}, because no headless shell could be brought.`);
    return browser;
  }
  const command = isDebian()
    ? `${isRoot ? '' : 'sudo '}apt-get install -y chromium`
    : 'npx playwright-core install chromium-headless-shell';
  throw new Stop(
    `The browser tests need Chromium, and none could be brought.\n${tried.join('\n')}\n` +
      `Type:  ${command}\nor name one you have:  CHROMIUM_PATH=/path/to/chromium npm test`,
  );
}
