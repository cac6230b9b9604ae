import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { desktop, phone, visit } from './browser.ts';
import { controlBoxes, untilUnmoved } from './control-boxes.ts';
import {
  controlOf,
  deckOf,
  isUncovered,
  letPlay,
  seekDeck,
  sliderOf,
  switchTo,
  untilPressed,
} from './dj-page.ts';
import { chooseInRow, trackRow } from './library-page.ts';
import { untilLevel } from './output-analysers.ts';
import { administrator, fillIn } from './people.ts';
import { loud, setStage } from './stage.ts';
import { startStudio } from './studio.ts';
import { untilEqual } from './until.ts';

/** Plays deck A in a loop, so that it does not reach the end of its song during the test. */
async function playOn(page: Page): Promise<void> {
  await seekDeck(page, 'A', 2);
  await letPlay(page, 'A', true);
  await switchTo(page, 'Toggle loop, deck A', true);
  await untilLevel(page, 'master', loud);
}

/** Reloads the page, dismisses the browser's dialog and returns the type of that dialog. */
async function stay(page: Page): Promise<string> {
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const dialog = await asked;
  await dialog.dismiss();
  return dialog.type();
}

test('playing decks are protected from accidental actions', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off' });
  const visitor = await visit(t, studio);
  const { page, shoot } = visitor;
  await setStage(visitor, studio);
  const control = (name: string) => controlOf(page, name);
  const deckA = deckOf(page, 'A');
  const question = page.getByRole('dialog', { name: 'Deck A is playing' });

  await t.test('the position slider shows the length of the song', async () => {
    await untilEqual(
      'seconds of the song on deck A',
      () => sliderOf(page, 'Position of deck A').getAttribute('aria-valuemax'),
      '40',
    );
  });

  await t.test('deleting a playing track by key or by menu opens a confirmation', async () => {
    await playOn(page);
    await trackRow(page, 'Low').press('Delete');
    await question.getByText('“Low” stops immediately when it is deleted.').waitFor();
    await shoot('dj-delete-question');
    await question.getByRole('button', { name: 'Keep playing' }).click();
    await question.waitFor({ state: 'hidden' });
    await chooseInRow(page, 'Low', /^Delete/);
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await trackRow(page, 'Low').waitFor();
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    await control('Pause deck A').waitFor();
    await untilLevel(page, 'master', loud);
  });

  await t.test('Undo restores a deleted track on its deck', async () => {
    await trackRow(page, 'Low').press('Delete');
    await question.getByRole('button', { name: 'Delete anyway' }).click();
    // A notification stays on the screen while the pointer is over it.
    await page.getByRole('button', { name: 'Undo' }).hover();
    await deckA.getByRole('heading', { name: 'No track' }).waitFor();
    await untilLevel(page, 'master', 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    await playOn(page);
  });

  await t.test('a track on a paused deck is deleted without confirmation', async () => {
    await letPlay(page, 'B', false);
    await trackRow(page, 'High').press('Delete');
    await page.getByRole('button', { name: 'Undo' }).last().hover();
    await deckOf(page, 'B').getByRole('heading', { name: 'No track' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await deckOf(page, 'B').getByRole('heading', { name: 'High' }).waitFor();
  });

  await t.test('leaving the page while it plays or records opens a confirmation', async () => {
    await playOn(page);
    await page.evaluate(() => void Object.assign(globalThis, { mark: 'the same page' }));
    assert.equal(await stay(page), 'beforeunload');
    assert.equal(await page.evaluate(() => (globalThis as { mark?: string }).mark), 'the same page');
    await untilLevel(page, 'master', loud);
    await letPlay(page, 'A', false);
    const before = await controlBoxes(page);
    await control('Record the mix').click();
    await control('Stop recording').waitFor();
    await untilUnmoved(page, before);
    assert.equal(await stay(page), 'beforeunload');
    await control('Stop recording').click();
    const link = page.getByRole('link', { name: 'Save WAV' });
    await link.waitFor();
    await untilUnmoved(page, before);
    assert.equal(await stay(page), 'beforeunload', 'the recording is not on the disk yet');
    const download = page.waitForEvent('download');
    await link.click();
    await (await download).path();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    assert.deepEqual(asked, []);
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    assert.equal(await page.evaluate(() => (globalThis as { mark?: string }).mark), undefined);
  });

  await t.test('playback continues after a logout, and the next login works without a reload', async () => {
    await control('Play deck A').waitFor();
    await playOn(page);
    const before = await controlBoxes(page);
    const other = await page.context().newPage();
    await other.goto('/users/settings');
    await other.getByRole('button', { name: 'Log out' }).first().click();
    await page.getByText('You are logged out. Playback continues').waitFor();
    await untilUnmoved(page, before);
    await shoot('dj-login-ended');
    // On a phone neither the decks nor their messages are covered: each message has its own space.
    await page.setViewportSize(phone);
    await control('Deck A').waitFor();
    const line = page.getByText('You are logged out. Playback continues');
    assert.equal(await isUncovered(line), true);
    assert.equal(await isUncovered(sliderOf(page, 'Crossfader')), true);
    assert.equal(await page.getByText('You are logged out').count(), 1);
    await shoot('dj-login-ended-phone');
    await page.setViewportSize(desktop);
    await other.goto('/users/log-in');
    await fillIn(other, administrator);
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.waitForURL((url) => url.pathname === '/');
    await page.getByText('You are logged out').waitFor({ state: 'hidden' });
    await other.close();
    await chooseInRow(page, 'High', /^Delete/);
    await page.getByText('Deleted “High”').waitFor();
    await control('Pause deck A').waitFor();
    await untilLevel(page, 'master', loud);
    // The decks belong to the new login: a reload restores them.
    await page.reload();
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    await control('Play deck A').waitFor();
    await untilPressed(page, 'Toggle loop, deck A', true);
  });
});
