import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSmallSong } from './small-song-page.ts';

const cuesLimitMs = 120_000;

test('the cue points of a track', async (t) => {
  const { page, shoot } = await openSmallSong(t, 20, { AUTO_SEPARATE: 'off' });
  const panel = page.getByRole('region', { name: 'Cue points' });
  const cues = panel.getByRole('listitem');
  const menuOf = (label: string) => panel.getByRole('button', { name: `Actions for ${label}`, exact: true });
  const choose = (words: string) => page.getByRole('menuitem', { name: words, exact: true }).click();

  await t.test('come by themselves after the analysis', async () => {
    await cues.first().waitFor({ timeout: cuesLimitMs });
    await page.getByRole('button', { name: 'Give the track the whole page' }).click();
    assert.ok((await cues.count()) >= 4);
    await shoot('cue-points');
  });

  await t.test('stand in the waveform with their names', async () => {
    const waveform = page.getByRole('slider', { name: 'Waveform', exact: true });
    await waveform.scrollIntoViewIfNeeded();
    await waveform.press('Home');
    const figure = page.locator('figure').filter({ has: waveform });
    await figure.locator('[data-readout]').getByText('cue: ').waitFor();
    await shoot('cue-waveform');
    await panel.scrollIntoViewIfNeeded();
  });

  const before = await cues.count();
  const first = await cues.first().locator('button span').first().innerText();

  await t.test('are renamed, kept and re-coloured', async () => {
    await menuOf(first).click();
    await choose('Rename');
    const field = panel.getByRole('textbox', { name: `Name of ${first}` });
    await field.fill('Hands up');
    await field.press('Enter');
    await menuOf('Hands up').click();
    await shoot('cue-menu');
    await choose('Colour of Drop');
    await menuOf('Hands up').click();
    await page.getByRole('menuitem', { name: 'Colour of Drop, chosen' }).waitFor();
    await choose('Keep as your own');
    await cues.filter({ hasText: 'Hands up' }).getByText('promoted').waitFor();
  });

  await t.test('are deleted, and brought back by Undo', async () => {
    await menuOf('Hands up').click();
    await choose('Delete');
    await menuOf('Hands up').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await menuOf('Hands up').waitFor();
    assert.equal(await cues.count(), before);
  });

  await t.test('are placed anew without what was touched', async () => {
    const placed = page.waitForResponse((reply) => reply.url().endsWith('/cues') && reply.ok());
    await panel.getByRole('button', { name: 'Place anew' }).click();
    await placed;
    await menuOf('Hands up').waitFor();
    assert.equal(await cues.count(), before);
  });
});
