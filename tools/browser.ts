import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { Stop, say, tail } from './bootstrap/say.mjs';
import { installed, runCommand } from './command.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const shellNames = ['chromium-headless-shell', 'chrome-headless-shell'];
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

/** Returns the program that `CHROMIUM_PATH` names, or null if it is not set. */
function givenBrowser(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (!given) return null;
  if (isExecutable(given)) return given;
  throw new Stop(`CHROMIUM_PATH must be a program that can be run (got ${given})`);
}

/** Returns the path of the first installed program that has one of these names, or null. */
function findInstalled(programs: readonly string[]): string | null {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean)];
  const paths = folders.flatMap((folder) => programs.map((name) => path.join(folder, name)));
  return paths.find(isExecutable) ?? null;
}

/**
 * Returns the path of the Chromium for browser tests, or null if there is none. Candidates are `CHROMIUM_PATH`, an
 * installed browser, and Playwright's cache, in this order.
 *
 * @throws Stop if `CHROMIUM_PATH` cannot be run
 */
export function findBrowser(): string | null {
  const others = [...macPaths, chromium.executablePath()];
  return givenBrowser() ?? findInstalled(names) ?? others.find(isExecutable) ?? null;
}

/** Returns the path of the headless shell in Playwright's cache, which is beside that of its Chromium, or null. */
function cachedShell(): string | null {
  const [, cache, revision] = /^(.*)[\\/]chromium-(\d+)[\\/]/.exec(chromium.executablePath()) ?? [];
  if (cache === undefined || revision === undefined) return null;
  const folder = path.join(cache, `chromium_headless_shell-${revision}`);
  const [found] = globSync('*/{chrome-headless-shell,chrome-headless-shell.exe,headless_shell}', {
    cwd: folder,
  });
  return found === undefined ? null : path.join(folder, found);
}

/**
 * Returns the path of a headless shell, or null if there is none: Chromium without windows and their interface, which
 * needs less processor time for each page. Candidates are `CHROMIUM_PATH`, an installed one, and Playwright's cache, in
 * this order.
 *
 * @throws Stop if `CHROMIUM_PATH` cannot be run
 */
export function findHeadlessShell(): string | null {
  return givenBrowser() ?? findInstalled(shellNames) ?? cachedShell();
}

/** Checks whether this machine installs packages by apt: Debian, Ubuntu and their derivatives. */
function isDebian(): boolean {
  if (!existsSync('/etc/os-release') || !existsSync('/usr/bin/apt-get')) return false;
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/**
 * Returns the shell command that installs a package by apt, with the lists of packages that this machine has, or with
 * new ones.
 *
 * @param longestSeconds limit of each step, for a package that the tests can do without
 */
function aptInstall(name: string, longestSeconds: number | null): string {
  const limited = `timeout ${longestSeconds} apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=20`;
  const apt = longestSeconds === null ? 'apt-get' : limited;
  const install = `${apt} install -yq --no-install-recommends ${name}`;
  return `export DEBIAN_FRONTEND=noninteractive; ${install} || (${apt} update -q && ${install})`;
}

/**
 * Installs a Chromium and a headless shell if they are missing: by apt as root on Debian or Ubuntu; a Chromium else by
 * Playwright into the user's cache. Browser tests are never skipped; without a headless shell they only take longer.
 *
 * @throws Stop with the installation command if there is no Chromium and none can be installed
 */
export async function ensureBrowser(): Promise<void> {
  const tried: string[] = [];
  const attempt = async (
    label: string,
    command: string,
    args: readonly string[],
    find: () => string | null,
  ): Promise<boolean> => {
    say(`Bringing a browser for the tests (once): ${label}…`);
    const { code, output } = await runCommand(command, args).catch((error: unknown) => ({
      code: 1,
      output: String(error),
    }));
    if (code === 0 && find() !== null) return true;
    tried.push(`${label} ended with ${code}:\n${tail(output, 6)}`);
    return false;
  };
  const isRoot = process.getuid?.() === 0;
  const ensure = async (
    name: string,
    find: () => string | null,
    longestSeconds: number | null,
  ): Promise<boolean> => {
    if (find() !== null) return true;
    if (isRoot && isDebian()) {
      const apt = aptInstall(name, longestSeconds);
      if (await attempt(`apt-get install ${name}`, 'sh', ['-c', apt], find)) return true;
    }
    // Without a network, Playwright tries for minutes.
    if (longestSeconds !== null) return false;
    const cli = installed('playwright-core', 'cli.js');
    return attempt(`playwright-core install ${name}`, process.execPath, [cli, 'install', name], find);
  };
  if (!(await ensure('chromium', findBrowser, null))) {
    const command = isDebian()
      ? `${isRoot ? '' : 'sudo '}apt-get install -y chromium`
      : 'npx playwright-core install chromium';
    throw new Stop(
      `The browser tests need Chromium, and none could be brought.\n${tried.join('\n')}\n` +
        `Type:  ${command}\nor name one you have:  CHROMIUM_PATH=/path/to/chromium npm test`,
    );
  }
  if (!(await ensure('chromium-headless-shell', findHeadlessShell, 90)))
    say('There is no headless shell of Chromium: the browser tests take longer.');
}
