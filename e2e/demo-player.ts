import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Visit } from './browser.ts';
import { importDemoAlbum, untilReady } from './demo-album.ts';
import { trackRow } from './library-page.ts';
import { songPosition, untilMeters, watchMeters } from './player-page.ts';
import { until, untilEqual } from './until.ts';

const stems = ['Vocals', 'Drums', 'Bass', 'Other'];

/** Plays from a few bars into the song, where all instruments play; also restarts a song that has ended. */
async function playFromBars(player: Locator): Promise<void> {
  const position = player.page().getByRole('slider', { name: 'Song position' });
  await position.press('Home');
  for (let press = 0; press < 6; press += 1) await position.press('ArrowRight');
  const play = player.getByRole('button', { name: /^Play/ });
  const pause = player.getByRole('button', { name: /^Pause/ });
  await play.or(pause).waitFor();
  if (await play.isVisible()) await play.click();
  await pause.waitFor();
}

/** Waits until the meters of the silent stems have fallen, then checks that they stay low while the others play. */
async function assertOnlyPlaying(
  page: Page,
  sounding: readonly string[],
  silent: readonly string[],
): Promise<void> {
  const isSilent = (levels: Readonly<Record<string, number>>) =>
    silent.every((name) => (levels[name] ?? 1) < 0.02);
  await until(`meters of ${silent.join(', ')} that fall`, () => watchMeters(page, 0.3), isSilent);
  const levels = await watchMeters(page, 2);
  assert.ok(isSilent(levels), `${silent.join(', ')} are silent (${JSON.stringify(levels)})`);
  await untilMeters(page, `${sounding.join(', ')} sound`, (loudest) =>
    sounding.every((name) => (loudest[name] ?? 0) > 0.1),
  );
}

/**
 * Tests the import of the demo album into an empty library and the player of one of its songs.
 *
 * @returns the titles of the album, which are separated and analysed
 */
export async function playDemoAlbum(
  t: TestContext,
  { page, shoot }: Pick<Visit, 'page' | 'shoot'>,
): Promise<string[]> {
  let titles: string[] = [];
  let title = '';
  const playerOf = () => page.getByRole('region', { name: `Player: ${title}` });

  await t.test(
    'imports with one click, shows its running jobs and ends with stems, tempo and key',
    async () => {
      [titles] = await Promise.all([
        importDemoAlbum(page),
        // Starts waiting before the click, because a fast machine could finish the jobs before a later check.
        page.getByRole('progressbar').first().waitFor(),
      ]);
      await shoot('demo-importing');
      await untilReady(page, titles);
      await shoot('demo-ready');
      title = titles[0] ?? '';
    },
  );

  await t.test('plays all of its stems', async () => {
    await trackRow(page, title).click();
    const player = playerOf();
    for (const stem of stems) await player.getByRole('group', { name: stem }).waitFor();
    await player.getByRole('button', { name: /^Play/ }).click();
    await player.getByRole('button', { name: /^Pause/ }).waitFor();
    await until(
      'position in the song',
      () => songPosition(page),
      (seconds) => seconds >= 1,
    );
    await playFromBars(player);
    await untilMeters(page, 'every stem plays', (levels) => stems.every((stem) => (levels[stem] ?? 0) > 0.1));
    await shoot('player');
  });

  await t.test('a soloed stem is the only one that plays', async () => {
    for (const stem of ['Drums', 'Bass']) {
      const solo = page.getByRole('button', { name: `Solo ${stem}` });
      await playFromBars(playerOf());
      await solo.click();
      await untilEqual(`Solo ${stem} is pressed`, () => solo.getAttribute('aria-pressed'), 'true');
      await assertOnlyPlaying(
        page,
        [stem],
        stems.filter((name) => name !== stem),
      );
      await shoot(`solo-${stem.toLowerCase()}`);
      await solo.click();
    }
  });

  await t.test('a muted stem is silent while the others play', async () => {
    await playFromBars(playerOf());
    await page.getByRole('button', { name: 'Mute Drums' }).click();
    await assertOnlyPlaying(page, ['Bass'], ['Drums']);
    await page.getByRole('button', { name: 'Mute Drums' }).click();
  });

  await t.test('playback is controlled by keyboard: Space, arrows, digits, Home', async () => {
    await playFromBars(playerOf());
    await page.getByRole('slider', { name: 'Song position' }).focus();
    await page.keyboard.press('Space');
    await playerOf().getByRole('button', { name: /^Play/ }).waitFor();
    const stopped = await songPosition(page);
    await page.keyboard.press('ArrowRight');
    await until(
      `position in the song, 5 s after ${stopped} s`,
      () => songPosition(page),
      (seconds) => seconds >= stopped + 4,
    );
    await page.keyboard.press('2');
    await page.locator('[aria-label^="Solo"][aria-pressed="true"]').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Home');
    await untilEqual('position in the song', () => songPosition(page), 0);
  });
  return titles;
}
