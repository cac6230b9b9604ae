import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { listTracks, updateTrack } from '@stem-studio/contract/endpoints/tracks';
import type { Page } from 'playwright-core';
import { phone, visit } from './browser.ts';
import { chooseInRow, clearSearch, searchField, trackRow, untilTitles } from './library-page.ts';
import { fillIn } from './people.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';
import { until, untilEqual, untilFits } from './until.ts';
import { registerVisitor, type Visitor } from './visitor.ts';

const person = { email: 'dora@example.org', password: 'three wet umbrellas' };

const songs: Readonly<Record<string, { artist: string; bpm?: number; key?: string; tags?: string[] }>> = {
  Amber: { artist: 'The Foresters', bpm: 124, key: 'A minor', tags: ['late'] },
  Birch: { artist: 'The Foresters', bpm: 126, key: 'E minor' },
  Cobalt: { artist: 'Night Drive', bpm: 62, key: 'C major', tags: ['live'] },
  Dune: { artist: 'Night Drive', bpm: 128, key: 'B minor' },
  Ember: { artist: 'Night Owls', bpm: 90, key: 'F# major' },
  Fern: { artist: 'Night Owls' },
};

/** Uploads the songs, waits until each is playable, and sets the metadata that the tests search for. */
async function fill(visitor: Visitor): Promise<void> {
  let pitch = 1;
  for (const title of Object.keys(songs)) {
    pitch += 0.05;
    await visitor.send(uploadFile, `${title}.wav`, smallSong(4, pitch));
  }
  const known = await until(
    'tracks of the library',
    async () => (await visitor.call(listTracks, { query: {} })).data,
    (tracks) => tracks.filter(({ audio }) => audio !== null).length === Object.keys(songs).length,
  );
  for (const { id, title } of known)
    await visitor.call(updateTrack, { params: { id }, body: { ...songs[title] } });
}

const shows = (page: Page, titles: string) => untilTitles(page, titles.split(' '));

test('search and compatible tracks in the library', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' });
  const visitor = await registerVisitor(studio, person.email);
  await fill(visitor);
  const { page, shoot } = await visit(t, studio);
  await page.goto('/users/log-in');
  await fillIn(page, person);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  const search = searchField(page);
  await trackRow(page, 'Amber').waitFor();
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
  await shows(page, 'Amber Birch Cobalt Dune Ember Fern');

  await t.test(
    'filters by tempo, key, field and exclusion, and shows how the query was understood',
    async () => {
      await search.fill('~key:8A bpm:120-128');
      await shows(page, 'Amber Birch');
      await page.getByText('2 tracks: keys compatible with A minor (8A) · tempo 120 to 128').waitFor();
      await search.fill('artist:night -tag:live');
      await shows(page, 'Dune Ember Fern');
      await search.fill('a bpm:quick');
      await page.getByText('“bpm:quick” is searched as text: a tempo is a number').waitFor();
      await page.getByText('Nothing in the library matches').waitFor();
      await shoot('search-not-understood');
      await search.fill('~bpm:124');
      await shows(page, 'Amber Birch Cobalt Dune');
      await page.getByText('4 tracks: tempo within 8 % of 124, its half or its double').waitFor();
      await shoot('search-understood');
      await clearSearch(page);
    },
  );

  await t.test('a search that fails is shown above the former list, and can be retried', async () => {
    const failing = (url: URL) => url.pathname === '/api/tracks' && url.searchParams.get('q') === 'cobalt';
    const error = 'The service is busy.';
    await page.route(failing, (route) =>
      route.fulfill({ status: 400, json: { error, code: 'INTERNAL_ERROR' } }),
    );
    await search.fill('cobalt');
    const alert = page.getByRole('alert').filter({ hasText: error });
    await alert.waitFor();
    await shows(page, 'Amber Birch Cobalt Dune Ember Fern');
    await page.unroute(failing);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await shows(page, 'Cobalt');
    await alert.waitFor({ state: 'detached' });
    await clearSearch(page);
  });

  await t.test('the search help is reachable by keyboard, and its examples run a search', async () => {
    await search.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const help = page.getByRole('dialog', { name: 'Search help' });
    await help.waitFor();
    await shoot('search-help');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Search help' }).click();
    await help.getByRole('button', { name: '~key:8A' }).click();
    await shows(page, 'Amber Birch Cobalt');
    await untilEqual('the search', () => search.inputValue(), '~key:8A');
    await clearSearch(page);
  });

  await t.test('highlights compatible tracks and sorts them by compatibility', async () => {
    await chooseInRow(page, 'Amber', /^Find tracks that mix well/);
    await shows(page, 'Amber Birch Cobalt Dune Fern Ember');
    await trackRow(page, 'Birch')
      .getByText('Mixes well with “Amber”: one step up the wheel (9A), 1.6 % slower')
      .waitFor({ state: 'attached' });
    await trackRow(page, 'Dune')
      .getByText('Energy boost after “Amber”: energy boost, a tone up (10A), 3.1 % slower')
      .waitFor({ state: 'attached' });
    await trackRow(page, 'Ember')
      .getByText(/Mixes well with|Energy boost after/)
      .waitFor({ state: 'detached' });
    await shoot('library-fits');
    const bar = page.getByRole('group', { name: 'Compare' });
    await bar.getByRole('button', { name: /^Amber/ }).click();
    await shows(page, 'Amber Birch Cobalt Dune Ember Fern');
    const amber = (await visitor.call(listTracks, { query: { q: 'title:amber' } })).data[0];
    const params = { id: amber?.id ?? '' };
    await visitor.call(updateTrack, { params, body: { bpm: 126 } });
    await trackRow(page, 'Birch')
      .getByText('Mixes well with “Amber”: one step up the wheel (9A), same tempo')
      .waitFor({ state: 'attached' });
    await visitor.call(updateTrack, { params, body: { bpm: 124 } });
    await trackRow(page, 'Birch')
      .getByText(/1\.6 % slower/)
      .waitFor({ state: 'attached' });
    await bar.getByRole('button', { name: 'Stop comparing' }).click();
    await bar.waitFor({ state: 'hidden' });
    await trackRow(page, 'Birch')
      .getByText(/Mixes well with/)
      .waitFor({ state: 'detached' });
  });

  await t.test('a track marked as played stays marked after a reload', async () => {
    await chooseInRow(page, 'Cobalt', 'Mark as played');
    await trackRow(page, 'Cobalt').getByText('Played:').waitFor({ state: 'attached' });
    await page.reload();
    await trackRow(page, 'Cobalt').getByText('Played:').waitFor({ state: 'attached' });
    await untilEqual('rows marked as played', () => page.getByText('Played:').count(), 1);
    await chooseInRow(page, 'Cobalt', 'Mark as not played');
    await trackRow(page, 'Cobalt').getByText('Played:').waitFor({ state: 'detached' });
  });

  await t.test('a dragged row carries the id and the title of its track', async () => {
    const carried = await trackRow(page, 'Birch').evaluate((row) => {
      const dataTransfer = new DataTransfer();
      row.dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true }));
      return Object.fromEntries(dataTransfer.types.map((type) => [type, dataTransfer.getData(type)]));
    });
    assert.match(carried['application/x-stem-studio-track'] ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(carried['text/plain'], 'Birch');
  });

  await t.test('the track page lists compatible tracks with the reason for each', async () => {
    await trackRow(page, 'Amber').getByText('Amber').click();
    await page.getByRole('button', { name: 'Expand player' }).click();
    await page.getByRole('tab', { name: 'Analysis' }).click();
    const related = page.getByRole('region', { name: 'Mixes well with' });
    const items = related.getByRole('listitem');
    const reasons = [/^Birch .*one step up the wheel/, /^Cobalt .*at half tempo/, /^Dune /];
    await until(
      'what goes with it',
      async () => (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
      (lines) => lines.length === 3 && reasons.every((reason, at) => reason.test(lines[at] ?? '')),
    );
    await related.scrollIntoViewIfNeeded();
    await shoot('related-tracks');
    await related.getByRole('button', { name: /^Cobalt/ }).click();
    await page.getByRole('region', { name: 'Player: Cobalt' }).waitFor();
    await page.getByRole('button', { name: 'Close player' }).click();
  });

  await t.test('on a phone the highlighted rows and the help fit the screen', async () => {
    await page.setViewportSize(phone);
    await chooseInRow(page, 'Amber', /^Find tracks that mix well/);
    await trackRow(page, 'Birch')
      .getByText(/Mixes well with/)
      .waitFor({ state: 'attached' });
    await search.fill('~bpm:124');
    await shows(page, 'Amber Birch Cobalt Dune');
    await page.getByText('4 tracks: tempo within').waitFor();
    await untilFits(page);
    await shoot('phone-library-fits');
    await page.getByRole('button', { name: 'Search help' }).click();
    await page.getByRole('dialog', { name: 'Search help' }).waitFor();
    await untilFits(page);
    await shoot('phone-search-help');
  });
});
