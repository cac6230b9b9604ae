import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, type TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBrowser, findHeadlessShell } from '../tools/browser.ts';
import { limitFrameRate, slowFrameRateHz } from './frame-rate.ts';
import type { Studio } from './studio.ts';

/** Time limit for launching the browser, in ms; only a hanging process reaches it. */
const launchLimitMs = 180_000;

/** Folder of the screenshots; git ignores it. */
const resultsFolder = path.join(import.meta.dirname, 'results');

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--autoplay-policy=no-user-gesture-required',
];

/** Launches the browser with fake media devices and grants access to them. */
const outputFlags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** Desktop viewport of the tests, in CSS pixels. */
export const desktop = { width: 1440, height: 900 };
/** Phone viewport in portrait orientation, in CSS pixels. */
export const phone = { width: 390, height: 844 };

/** Matches the console errors that the browser logs while the service is unavailable or shutting down. */
const lossOfService =
  /net::ERR_(?:CONNECTION_(?:REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH)|(?:status of|response code:) 503|closed before receiving a handshake response/;

/** Browsers of this process by their options, shared by all tests because each start costs a second of a processor. */
const browsers = new Map<string, Promise<Browser>>();
after(async () => {
  await Promise.all([...browsers.values()].map(async (opened) => (await opened).close()));
});

/** Returns the shared browser with these options, launched by the first caller. */
function openBrowser(args: readonly string[], isWhole: boolean): Promise<Browser> {
  const executablePath = (isWhole ? null : findHeadlessShell()) ?? findBrowser();
  if (!executablePath) throw new Error('no Chromium: run the tests by "npm run e2e", which brings one');
  const key = args.join(' ');
  const open = browsers.get(key);
  if (open) return open;
  const launched = chromium.launch({ executablePath, args: [...args], timeout: launchLimitMs });
  browsers.set(key, launched);
  return launched;
}

/** A page in a browser context of its own. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  browser: Browser;
  /** Saves a screenshot of the page as `e2e/results/NAME.png`. */
  shoot: (name: string) => Promise<void>;
}

/** Options of {@link visit}. */
export interface VisitOptions {
  viewport?: { width: number; height: number };
  javaScript?: boolean;
  isTouch?: boolean;
  /** Time zone of the visitor; default: that of the machine. */
  timezoneId?: string;
  /** Ignores refused and interrupted connections, for a test that stops the service. */
  mayLoseService?: boolean;
  /** Lets the page keep its copy for times without the service. */
  hasServiceWorker?: boolean;
  /** Adds two fake audio outputs and a fake microphone. */
  hasSecondOutput?: boolean;
  /** Another origin that the page may request. */
  otherOrigin?: string;
  /** Most animation frames in a second; null: as many as the browser draws, for a test that reads each of them. */
  frameRateHz?: number | null;
}

/**
 * Opens a page in a browser context without history, and closes both when the test ends. The test fails then if the page
 * threw, logged an error or requested another host.
 *
 * @param studio service under test; the page closes before the service stops
 */
export async function visit(
  t: Pick<TestContext, 'after' | 'name'>,
  studio: Studio,
  {
    viewport = desktop,
    javaScript = true,
    isTouch = false,
    timezoneId,
    mayLoseService = false,
    hasServiceWorker = false,
    hasSecondOutput = false,
    otherOrigin,
    frameRateHz = slowFrameRateHz,
  }: VisitOptions = {},
): Promise<Visit> {
  // The identifiers of audio outputs change with each load of a page in the headless shell.
  const args = hasSecondOutput ? [...flags, ...outputFlags] : flags;
  const browser = await openBrowser(args, hasSecondOutput);
  const context = await browser.newContext({
    baseURL: studio.url,
    viewport,
    javaScriptEnabled: javaScript,
    hasTouch: isTouch,
    ...(timezoneId !== undefined && { timezoneId }),
    reducedMotion: 'reduce',
    // A copy of the page for each visit would cost more than most of the tests.
    serviceWorkers: hasServiceWorker ? 'allow' : 'block',
  });
  context.setDefaultTimeout(60_000);
  if (frameRateHz !== null) await context.addInitScript(limitFrameRate, frameRateHz);
  const complaints: string[] = [];
  context.on('weberror', (thrown) => {
    const error = thrown.error();
    complaints.push(`the page threw: ${error.stack ?? error.message}`);
  });
  context.on('console', (message) => {
    // A 4xx reply is expected: the page shows the error itself.
    const isReply =
      message.text().startsWith('Failed to load resource: the server responded with a status of 4') ||
      message.text().endsWith('failed: HTTP Authentication failed; no valid credentials available');
    const isLost = mayLoseService && lossOfService.test(message.text());
    if (message.type() === 'error' && !isReply && !isLost)
      complaints.push(`the page logged: ${message.text()}`);
  });
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== new URL(studio.url).origin && origin !== otherOrigin)
      complaints.push(`the page asked ${request.url()}`);
  });
  const page = await context.newPage();
  const close = async (): Promise<void> => {
    let reported: readonly string[] = [];
    try {
      // Shows the state of the page when the test failed; saved for passed tests too.
      await page.screenshot({ path: path.join(resultsFolder, `end-of-${t.name.replace(/\W+/g, '-')}.png`) });
    } finally {
      // Requests interrupted by closing the page are not errors of the page, so the list is copied before.
      reported = [...complaints];
      await context.close();
    }
    if (reported.length > 0) throw new Error(reported.join('\n'));
  };
  let closed: Promise<void> | null = null;
  const closeOnce = (): Promise<void> => (closed ??= close());
  t.after(closeOnce);
  studio.beforeEnd(closeOnce);
  mkdirSync(resultsFolder, { recursive: true });
  return {
    page,
    context,
    browser,
    async shoot(name) {
      await page.screenshot({ path: path.join(resultsFolder, `${name}.png`) });
    },
  };
}
