import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './browser.ts';
import { importDemoAlbum, untilReady } from './demo-album.ts';
import { trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { placeInSong, watchMeters } from './player-page.ts';
import { startStudio } from './studio.ts';

const stems = ['Vocals', 'Drums', 'Bass', 'Other'];

test('the demo album', async (t) => {
  const studio = await startStudio(t);
  const { page, shoot } = await visit(t, studio);
  await setUp(page, studio);
  let title = '';

  await t.test(
    'one press imports it; its jobs are seen running, and end in stems, tempo and key',
    async () => {
      const titles = await importDemoAlbum(page);
      await page.getByRole('progressbar').first().waitFor();
      await shoot('demo-importing');
      await untilReady(page, titles);
      await shoot('demo-ready');
      title = titles[0] ?? '';
    },
  );

  await t.test('its stems play at once, and every one is heard', async () => {
    await trackRow(page, title).click();
    const player = page.getByRole('region', { name: `Player: ${title}` });
    for (const stem of stems) await player.getByRole('group', { name: stem }).waitFor();
    await player.getByRole('button', { name: /^Play/ }).click();
    await player.getByRole('button', { name: /^Pause/ }).waitFor();
    await page.waitForFunction(
      () =>
        Number(document.querySelector('[aria-label="Place in the song"]')?.getAttribute('aria-valuenow')) >=
        1,
    );
    // Into the song, where all of its instruments play.
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('ArrowRight');
    const levels = await watchMeters(page, 6);
    for (const stem of stems)
      assert.ok((levels[stem] ?? 0) > 0.1, `${stem} is heard (${JSON.stringify(levels)})`);
    await shoot('player');
  });

  await t.test('a soloed stem sounds, and only it', async () => {
    for (const stem of ['Drums', 'Bass']) {
      const solo = page.getByRole('button', { name: `Solo ${stem}` });
      await solo.click();
      assert.equal(await solo.getAttribute('aria-pressed'), 'true');
      // The others fade out instead of clicking, and their meters fall.
      await watchMeters(page, 1);
      const levels = await watchMeters(page, 3);
      assert.ok((levels[stem] ?? 0) > 0.1, `${stem} sounds (${JSON.stringify(levels)})`);
      for (const other of stems.filter((name) => name !== stem)) {
        assert.ok((levels[other] ?? 1) < 0.02, `${other} is silent (${JSON.stringify(levels)})`);
      }
      await shoot(`solo-${stem.toLowerCase()}`);
      await solo.click();
    }
  });

  await t.test('a muted stem is silent while the others sound', async () => {
    await page.getByRole('button', { name: 'Mute Drums' }).click();
    await watchMeters(page, 1);
    const levels = await watchMeters(page, 3);
    assert.ok((levels.Drums ?? 1) < 0.02, `the drums are silent (${JSON.stringify(levels)})`);
    assert.ok((levels.Bass ?? 0) > 0.1, `the bass sounds (${JSON.stringify(levels)})`);
    await page.getByRole('button', { name: 'Mute Drums' }).click();
  });

  await t.test('it is played by keyboard: Space, arrows, digits, Home', async () => {
    await page.getByRole('slider', { name: 'Place in the song' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: /^Play/ }).first().waitFor();
    const stopped = await placeInSong(page);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      (from) =>
        Number(document.querySelector('[aria-label="Place in the song"]')?.getAttribute('aria-valuenow')) >=
        from + 4,
      stopped,
    );
    await page.keyboard.press('2');
    await page.locator('[aria-label^="Solo"][aria-pressed="true"]').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Home');
    await page.waitForFunction(
      () => document.querySelector('[aria-label="Place in the song"]')?.getAttribute('aria-valuenow') === '0',
    );
  });
});
