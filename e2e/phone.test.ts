import { test } from 'node:test';
import { phone, visit } from './browser.ts';
import { trackRow, uploadSong } from './library-page.ts';
import { setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';
import { untilFits } from './until.ts';

test('phone screen', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' });
  const { page, shoot } = await visit(t, studio, { viewport: phone, isTouch: true });

  await t.test('the account pages fit the screen', async () => {
    await page.goto('/users/log-in');
    await untilFits(page);
    await setUp(page, studio);
  });

  await t.test('the first visit, the library and the jobs fit the screen', async () => {
    await page.getByRole('button', { name: 'Import demo album' }).waitFor();
    await untilFits(page);
    await shoot('phone-first-visit');
    const name = 'A song with quite a long name that no phone can show in one line';
    // Long enough that the song still plays when a slow machine checks it.
    await uploadSong(page, name, smallSong(30));
    await trackRow(page, 'A song with quite a long name').waitFor();
    await untilFits(page);
    await shoot('phone-library');
    await page.getByRole('link', { name: /^Jobs/ }).tap();
    await page.getByRole('region', { name: 'Jobs' }).waitFor();
    await untilFits(page);
    await shoot('phone-jobs');
  });

  await t.test('a tap on a song opens its player', async () => {
    await page.getByRole('link', { name: 'Library' }).tap();
    // The test taps the title, because the centre of the row may hold a button.
    await trackRow(page, 'A song with quite a long name')
      .getByText(/^A song with quite/)
      .tap();
    const player = page.getByRole('region', { name: /^Player: A song/ });
    await player.getByRole('button', { name: /^Play/ }).tap();
    await player.getByRole('button', { name: /^Pause/ }).waitFor();
    await untilFits(page);
    await shoot('phone-player');
  });
});
