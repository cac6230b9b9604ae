import { test } from 'node:test';
import { openSmallSong } from './small-song-page.ts';
import { untilEqual } from './until.ts';

/** Time limit for a separation, in ms; only a hanging one reaches it. */
const separationLimitMs = 300_000;

test('separates a song into six stems with the six-stem model and plays them in six rows', async (t) => {
  const { page, shoot } = await openSmallSong(t, 12, { AUTO_ANALYZE: 'off' });
  await page.getByRole('button', { name: 'New separation' }).click({ timeout: separationLimitMs });
  await page.getByRole('radio', { name: 'Six stems' }).check();
  await page.getByText(/^Adds an approximate guitar and piano/).waitFor();
  await page.getByRole('button', { name: 'About Six stems' }).click();
  await page.getByText(/^hybrid_6\. .*guitar and piano roughly separated/).waitFor();
  await shoot('six-stems-choice');
  await page.getByRole('button', { name: 'Separate', exact: true }).click();
  await page.getByRole('group', { name: 'Piano' }).waitFor({ timeout: separationLimitMs });
  const rows = page.locator('[role="group"][data-row]');
  await untilEqual(
    'rows of the player',
    () => rows.evaluateAll((found) => found.map((row) => row.getAttribute('aria-label'))),
    ['Vocals', 'Drums', 'Bass', 'Guitar', 'Piano', 'Other'],
  );
  await page.keyboard.press('5');
  await page.getByRole('button', { name: 'Solo Piano', pressed: true }).waitFor();
  await untilEqual(
    'rows that are silent',
    () => rows.evaluateAll((found) => found.map((row) => row.getAttribute('data-silent'))),
    ['true', 'true', 'true', 'true', 'false', 'true'],
  );
  await shoot('six-stems');
  // A row clipped by its list could not be scrolled into view by the user.
  const list = page.locator('[data-rows="6"]');
  await untilEqual(
    'pixels that are cut off',
    () => list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
    0,
  );
  await page.getByRole('slider', { name: 'Volume of Other' }).scrollIntoViewIfNeeded();
  await shoot('six-stems-last');
  await page.getByRole('button', { name: 'Expand player' }).click();
  await shoot('six-stems-whole-page');
});
