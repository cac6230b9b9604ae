import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../tools/browser.ts';
import type { Studio } from './studio.ts';

/** Only what hangs takes so long. */
const launchLimitMs = 180_000;

/** Where screenshots of the journeys go; git does not keep them. */
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

/** Make-believe devices, and a user who allows them. */
const outputFlags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** The widths that pages are looked at. */
export const desktop = { width: 1440, height: 900 };
/** A phone held upright. */
export const phone = { width: 390, height: 844 };

/** What a browser logs of a service that goes away, or is not there, while it is asked for something. */
const lossOfService =
  /net::ERR_(?:CONNECTION_(?:REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH)|(?:status of|response code:) 503|closed before receiving a handshake response/;

/** A browser with one window, as one person has it. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  browser: Browser;
  /** Keeps a picture of the page as `e2e/results/NAME.png`. */
  shoot: (name: string) => Promise<void>;
}

/** How a {@link Visit} looks at the service. */
export interface VisitOptions {
  viewport?: { width: number; height: number };
  javaScript?: boolean;
  isTouch?: boolean;
  /** The test takes the service away for a while: a connection that it refuses or cuts is no complaint. */
  mayLoseService?: boolean;
  /** The machine has a second and a third sound output, and a microphone, which nobody hears. */
  hasSecondOutput?: boolean;
  /** Another origin that the journey leads through. */
  otherOrigin?: string;
}

/**
 * Opens a browser without history. It is closed when the test ends; a page that threw, logged an error or asked
 * another host for something fails the test then.
 *
 * @param studio the service; the browser leaves before it ends
 */
export async function visit(
  t: Pick<TestContext, 'after' | 'name'>,
  studio: Studio,
  {
    viewport = desktop,
    javaScript = true,
    isTouch = false,
    mayLoseService = false,
    hasSecondOutput = false,
    otherOrigin,
  }: VisitOptions = {},
): Promise<Visit> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no Chromium: run the tests by "npm run e2e", which brings one');
  const args = hasSecondOutput ? [...flags, ...outputFlags] : flags;
  const browser = await chromium.launch({ executablePath, args, timeout: launchLimitMs });
  const context = await browser.newContext({
    baseURL: studio.url,
    viewport,
    javaScriptEnabled: javaScript,
    hasTouch: isTouch,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  context.on('weberror', (thrown) => {
    const error = thrown.error();
    complaints.push(`the page threw: ${error.stack ?? error.message}`);
  });
  context.on('console', (message) => {
    // A refused request is the service's answer, told by the page in its own words.
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
    let heard: readonly string[] = [];
    try {
      // What a failed journey saw last; a passed one leaves its end too.
      await page.screenshot({ path: path.join(resultsFolder, `end-of-${t.name.replace(/\W+/g, '-')}.png`) });
    } finally {
      // What is cut off by the end of the browser is nothing that the page did.
      heard = [...complaints];
      await browser.close();
    }
    if (heard.length > 0) throw new Error(heard.join('\n'));
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
