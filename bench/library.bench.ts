import { openDatabase } from '@stem-studio/server/platform/db/database';
import { createLog } from '@stem-studio/server/platform/log';
import { fillLibrary } from '@stem-studio/server/testing/fill-library';
import { databaseUrlOf } from '@stem-studio/server/testing/service-process';
import { createTestDatabase } from '@stem-studio/server/testing/test-postgres';
import type { Page } from 'playwright-core';
import type { Bench, BenchRow } from './bench.ts';
import { countFrames, lateMs } from './page-frames.ts';
import { openStudioPage } from './studio-page.ts';

const large = 100_000;
const rounds = 7;
const scrollSeconds = 10;
const listSelector = '[role="grid"] > [role="presentation"]';
const searches = ['artist c4', 'bpm:124', '~key:8A', 'genre:house bpm:100-101', '4242', 'tag:late -4'];

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Records when the first row was drawn. Runs in the page, before its own scripts. */
function recordFirstRow(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[role="row"][aria-selected]')) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      (globalThis as { firstRowMs?: number }).firstRowMs = performance.now();
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Returns the time from the request of the page to its first rows, in ms. */
async function firstRows(page: Page): Promise<number> {
  await page.reload();
  await page.waitForFunction(() => (globalThis as { firstRowMs?: number }).firstRowMs !== undefined);
  return page.evaluate(() => (globalThis as { firstRowMs?: number }).firstRowMs ?? 0);
}

/** Times of a search from its last key, in ms. */
interface SearchTimes {
  /** Until its rows were drawn. */
  readonly rows: number;
  /** Until all its matches were counted, or its rows if they came with the count. */
  readonly count: number;
}

/** Types a search and measures its last key. */
async function filter(page: Page, search: string): Promise<SearchTimes> {
  const field = page.getByRole('combobox', { name: 'Search the library and the catalog' });
  // A list that was shown before would come from the page's cache.
  await page.reload();
  await page.getByText(`${large.toLocaleString('en')} tracks`, { exact: true }).waitFor();
  await page.evaluate(() => {
    const times = { key: 0, rows: 0, firstCount: 0, count: 0 };
    (globalThis as { filterTimes?: typeof times }).filterTimes = times;
    addEventListener(
      'input',
      () => {
        Object.assign(times, { key: performance.now(), rows: 0, firstCount: 0, count: 0 });
      },
      { capture: true },
    );
    const stamp = (name: 'rows' | 'count') =>
      requestAnimationFrame(() => {
        times[name] = performance.now();
        if (name === 'count') times.firstCount ||= times.count;
      });
    // The grid is no longer busy when the rows of the requested list are drawn; a list without tracks has no grid.
    new MutationObserver((changes) => {
      if (times.key === 0) return;
      const ofGrid = changes.filter(
        ({ target }) => target instanceof Element && target.matches('[role="grid"]'),
      );
      const names = ofGrid.map(({ attributeName }) => attributeName);
      const isNewGrid = changes.some(({ addedNodes }) =>
        [...addedNodes].some((node) => node instanceof Element && node.querySelector('[role="grid"]')),
      );
      if (isNewGrid || names.includes('aria-busy')) stamp('rows');
      if (names.includes('aria-rowcount')) stamp('count');
    }).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['aria-busy', 'aria-rowcount'],
    });
  });
  await field.pressSequentially(search);
  const of = `of ${large.toLocaleString('en')} tracks`;
  await page.getByText(of).waitFor();
  // The last key's list: no request is under way.
  await page.waitForFunction(
    () => document.querySelector('[role="grid"]')?.getAttribute('aria-busy') === 'false',
  );
  await page.waitForTimeout(1000);
  const times = await page.evaluate(() => {
    const drawn = (globalThis as { filterTimes?: Record<'key' | 'rows' | 'firstCount' | 'count', number> })
      .filterTimes;
    const { key = 0, count = 0 } = drawn ?? {};
    // A list that arrives within a frame is never busy: its rows come with its first count.
    const rows = drawn?.rows || drawn?.firstCount || 0;
    return { rows: rows - key, count: Math.max(rows, count) - key };
  });
  if (times.rows <= 0) throw new Error(`the search ${search} changed nothing`);
  return times;
}

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const database = await createTestDatabase();
    ends.defer(() => database.drop());
    const page = await openStudioPage(ends, {
      settings: { DATABASE_URL: databaseUrlOf(database.connection) },
      beforeScripts: recordFirstRow,
    });
    const { db, close } = openDatabase({ connection: database.connection, log: createLog('silent') });
    const [owner] = await db.selectFrom('users').select('id').execute();
    await fillLibrary(db, owner?.id ?? 0, large);
    await close();
    log(`${large} tracks are in`);
    await firstRows(page);
    const rows: BenchRow[] = [];
    const loads: number[] = [];
    for (let round = 0; round < rounds; round++) loads.push(await firstRows(page));
    rows.push({
      what: 'first rows after a reload, median',
      value: median(loads),
      unit: 'ms',
      bar: '≤ 300 ms',
    });
    log(`first rows: ${loads.map(Math.round).join(', ')} ms`);
    for (const [name, px] of [
      ['a wheel', 40],
      ['a fast wheel', 400],
      ['the scroll bar', 4000],
    ] as const) {
      const { frames, late, longestMs } = await countFrames(page, scrollSeconds, {
        selector: listSelector,
        px,
      });
      rows.push(
        { what: `frames per second with ${name}`, value: frames / scrollSeconds, unit: '/s', bar: '≥ 60' },
        { what: `frames later than ${lateMs} ms with ${name}`, value: (100 * late) / frames, unit: '%' },
        { what: `longest frame with ${name}`, value: longestMs, unit: 'ms' },
      );
      log(
        `${name}: ${(frames / scrollSeconds).toFixed(1)}/s, ${late} late, longest ${longestMs.toFixed(0)} ms`,
      );
    }
    for (const search of searches) {
      const times: SearchTimes[] = [];
      for (let round = 0; round < 3; round++) times.push(await filter(page, search));
      const shown = times.map((time) => time.rows);
      const counted = times.map((time) => time.count);
      rows.push(
        { what: `filter: ${search}`, value: median(shown), unit: 'ms', bar: '≤ 100 ms' },
        { what: `filter: ${search}, counted`, value: median(counted), unit: 'ms' },
      );
      log(
        `${search}: ${shown.map(Math.round).join(', ')} ms, counted ${counted.map(Math.round).join(', ')} ms`,
      );
    }
    return rows;
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the library page with 100,000 tracks: first rows, scrolling, and filtering while typing. */
export const bench: Bench = {
  name: 'library',
  about:
    'The library page at 100,000 tracks: time to the first rows, frames while scrolling, time of a search.',
  run: ({ log }) => measure(log),
};
