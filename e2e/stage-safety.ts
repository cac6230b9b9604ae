import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Dialog, Page } from 'playwright-core';
import { controlOf, deckOf, letPlay, loadRow, sliderOf } from './dj-page.ts';
import { untilHeard } from './ears.ts';
import { chooseInRow, trackRow } from './library-page.ts';
import { loud, type Stage } from './stage.ts';

/** What the browser asked when the page was to be loaded anew, which it was not; null where it asked nothing. */
async function askedOnReload(page: Page): Promise<string | null> {
  let asked: string | null = null;
  const stay = (dialog: Dialog) => {
    asked = dialog.type();
    void dialog.dismiss();
  };
  page.on('dialog', stay);
  try {
    // The page that stays loads nothing: what is waited for is only the question.
    await page.reload({ waitUntil: 'commit' }).catch(() => null);
  } finally {
    page.off('dialog', stay);
  }
  return asked;
}

/** Shows that what plays is not ended by a slip of the hand; leaves the page loaded anew, both decks standing. */
export async function keepStage(t: TestContext, { page, shoot }: Stage): Promise<void> {
  const control = (name: string) => controlOf(page, name);
  const deckA = deckOf(page, 'A');
  const question = page.getByRole('dialog', { name: 'Deck A is playing' });

  await t.test('the place in a song says how long the song is', async () => {
    assert.equal(await sliderOf(page, 'Place in the song of deck A').getAttribute('aria-valuemax'), '40');
  });

  await t.test('a track that plays is not deleted without a question, by key or by menu', async () => {
    await letPlay(page, 'A', true);
    await untilHeard(page, 'master', loud);
    await trackRow(page, 'Low').focus();
    await page.keyboard.press('Delete');
    await question.getByText('“Low” stops at once when it is deleted.').waitFor();
    await shoot('stage-delete-question');
    await question.getByRole('button', { name: 'Keep playing' }).click();
    await question.waitFor({ state: 'hidden' });
    await chooseInRow(page, 'Low', /^Delete/);
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await trackRow(page, 'Low').waitFor();
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    await control('Pause deck A').waitFor();
    await untilHeard(page, 'master', loud);
  });

  await t.test('one that was deleted comes back onto its deck with Undo', async () => {
    await trackRow(page, 'Low').focus();
    await page.keyboard.press('Delete');
    await question.getByRole('button', { name: 'Delete anyway' }).click();
    await deckA.getByRole('heading', { name: 'No track' }).waitFor();
    await untilHeard(page, 'master', 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    await letPlay(page, 'A', true);
    await untilHeard(page, 'master', loud);
  });

  await t.test('one that stands on its deck is deleted without a question', async () => {
    await letPlay(page, 'B', false);
    await trackRow(page, 'High').focus();
    await page.keyboard.press('Delete');
    await deckOf(page, 'B').getByRole('heading', { name: 'No track' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await deckOf(page, 'B').getByRole('heading', { name: 'High' }).waitFor();
  });

  await t.test('a page is not left by accident while it sounds or records', async () => {
    await letPlay(page, 'A', true);
    await page.evaluate(() => void Object.assign(globalThis, { mark: 'the same page' }));
    assert.equal(await askedOnReload(page), 'beforeunload');
    assert.equal(await page.evaluate(() => (globalThis as { mark?: string }).mark), 'the same page');
    await untilHeard(page, 'master', loud);
    await letPlay(page, 'A', false);
    await control('Record the mix').click();
    await control('Stop recording').waitFor();
    assert.equal(await askedOnReload(page), 'beforeunload');
    await control('Stop recording').click();
    const link = page.getByRole('link', { name: 'Save WAV' });
    await link.waitFor();
    assert.equal(await askedOnReload(page), 'beforeunload', 'the recording is not on the disk yet');
    const download = page.waitForEvent('download');
    await link.click();
    await (await download).path();
    assert.equal(await askedOnReload(page), null);
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    assert.equal(await page.evaluate(() => (globalThis as { mark?: string }).mark), undefined);
  });

  await t.test(
    'the page plays on when the login has ended, and takes a new one without a reload',
    async () => {
      await loadRow(trackRow(page, 'Low'), 'A');
    },
  );
}
