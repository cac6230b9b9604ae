import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { getProcessingJob } from '@stem-studio/contract/endpoints/processing';
import { visit } from './browser.ts';
import { dropFiles, trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { smallSong } from './sound.ts';
import { startStudio } from './studio.ts';

const separationLimitMs = 120_000;

test('a separation into six stems is played with six rows', async (t) => {
  const studio = await startStudio(t);
  const { page, shoot } = await visit(t, studio);
  // No model of the built-in engine gives six: two more are listed, whose files are those of bass and other.
  await page.route(`**${pathOf(getProcessingJob, { id: '*' })}`, async (route) => {
    const response = await route.fetch();
    const body = getProcessingJob.reply.parse(await response.json());
    const [, , third, fourth] = body.data.stems;
    if (third && fourth) {
      body.data.stems.push(
        { ...third, id: crypto.randomUUID(), stem_type: 'piano' },
        { ...fourth, id: crypto.randomUUID(), stem_type: 'guitar' },
      );
    }
    await route.fulfill({ response, json: body });
  });
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import the demo album' }).waitFor();
  await dropFiles(page, [{ name: 'Small song.wav', type: 'audio/wav', bytes: smallSong(12) }]);
  await trackRow(page, 'Small song')
    .getByText(/^Small song/)
    .click();
  await page.getByRole('group', { name: 'Piano' }).waitFor({ timeout: separationLimitMs });
  const rows = page.locator('[role="group"][data-row]');
  const names = await rows.evaluateAll((found) => found.map((row) => row.getAttribute('aria-label')));
  assert.deepEqual(names, ['Vocals', 'Drums', 'Bass', 'Guitar', 'Piano', 'Other']);
  await page.keyboard.press('5');
  await page.getByRole('button', { name: 'Solo Piano', pressed: true }).waitFor();
  const silent = await rows.evaluateAll((found) => found.map((row) => row.getAttribute('data-silent')));
  assert.deepEqual(silent, ['true', 'true', 'true', 'true', 'false', 'true']);
  await shoot('six-stems');
  // A row that its list cuts off could not be scrolled to by hand.
  const cutPx = await page
    .locator('[data-rows="6"]')
    .evaluate((list) => list.scrollHeight - list.clientHeight);
  assert.equal(cutPx, 0);
  await page.getByRole('slider', { name: 'Volume of Other' }).scrollIntoViewIfNeeded();
  await shoot('six-stems-last');
  await page.getByRole('button', { name: 'Give the track the whole page' }).click();
  await shoot('six-stems-whole-page');
});
