import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCues } from '@stem-studio/contract/endpoints/cues';
import { openTrackTab } from './player-page.ts';
import { openSmallSong } from './small-song-page.ts';
import { until, untilEqual } from './until.ts';

const cuesLimitMs = 120_000;

test('cue points of a track', async (t) => {
  const { page, shoot } = await openSmallSong(t, 20, { AUTO_SEPARATE: 'off' });
  const panel = page.getByRole('region', { name: 'Cue points' });
  const cues = panel.getByRole('listitem');
  const menuOf = (label: string) => panel.getByRole('button', { name: `Actions for ${label}`, exact: true });
  const choose = (label: string) => page.getByRole('menuitem', { name: label, exact: true }).click();
  const namesShown = () => cues.locator('button span:first-child').allInnerTexts();
  /** Returns the cue points that the service has stored. */
  const known = async () => {
    const [id] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];
    const reply = await page.request.get(`/api/tracks/${id}/cues`);
    return listCues.reply.parse(await reply.json()).data;
  };

  await t.test('detects cue points after the analysis', async () => {
    await openTrackTab(page, 'Grid & cues');
    await cues.first().waitFor({ timeout: cuesLimitMs });
    await page.getByRole('button', { name: 'Expand player' }).click();
    await until(
      'cue points shown',
      () => cues.count(),
      (count) => count >= 4,
    );
    await shoot('cue-points');
  });

  await t.test('shows the ten most important detected cue points, and all on demand', async () => {
    const { cues: all } = await known();
    const shown = await until(
      'cue points shown',
      () => cues.count(),
      (count) => count === Math.min(10, all.length),
    );
    if (shown < all.length) await panel.getByRole('button', { name: `Show all ${all.length}` }).click();
    await untilEqual('cue points shown', () => cues.count(), all.length);
  });

  await t.test('shows cue points with their names in the waveform', async () => {
    await openTrackTab(page, 'Analysis');
    const waveform = page.getByRole('slider', { name: 'Waveform', exact: true });
    await waveform.scrollIntoViewIfNeeded();
    await waveform.press('Home');
    const figure = page.locator('figure').filter({ has: waveform });
    await figure.locator('[data-readout]').getByText('cue: ').waitFor();
    await shoot('cue-waveform');
    await openTrackTab(page, 'Grid & cues');
    const all = panel.getByRole('button', { name: /^Show all/ });
    await cues.first().waitFor();
    if (await all.isVisible()) await all.click();
  });

  const before = await cues.count();
  const [first = ''] = await namesShown();

  await t.test('renames and recolours a cue point and keeps it as manual', async () => {
    await menuOf(first).click();
    await choose('Rename');
    const field = panel.getByRole('textbox', { name: `Name of ${first}` });
    await field.fill('Lift off');
    await field.press('Enter');
    await menuOf('Lift off').click();
    await shoot('cue-menu');
    await choose('Colour of Drop');
    await menuOf('Lift off').click();
    await page.getByRole('menuitem', { name: 'Colour of Drop, selected' }).waitFor();
    await choose('Keep as manual');
    await cues.filter({ hasText: 'Lift off' }).getByText('promoted').waitFor();
  });

  await t.test('deletes a cue point and restores it with Undo', async () => {
    await menuOf('Lift off').click();
    await choose('Delete');
    await menuOf('Lift off').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await menuOf('Lift off').waitFor();
    await untilEqual('cue points shown', () => cues.count(), before);
  });

  await t.test('detects cue points again without changing edited ones', async () => {
    const earlier = await known();
    await panel.getByRole('button', { name: 'Regenerate cue points' }).click();
    const anew = await until(
      'the cue points of the service',
      known,
      ({ placed_at }) => placed_at !== earlier.placed_at,
      cuesLimitMs,
    );
    assert.equal(anew.cues.length, before);
    const names = anew.cues.map(({ label }) => label);
    assert.ok(names.includes('Lift off'), names.join(', '));
    await untilEqual('names shown', namesShown, names);
  });
});
