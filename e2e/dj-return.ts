import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { phone, type Visit } from './browser.ts';
import {
  controlOf,
  deckOf,
  letPlay,
  loadRow,
  measureMix,
  namelessControls,
  playFromStart,
  restOf,
  secondsOf,
  tapMix,
  timeOf,
  untilPressed,
  untilTime,
} from './dj-page.ts';
import { trackRow } from './library-page.ts';
import { untilEqual, untilFits } from './until.ts';

/** Tests two loaded decks with a second window, a reload, a failed download and a phone screen. */
export async function leaveAndReturn(
  t: TestContext,
  { page, context, shoot }: Pick<Visit, 'page' | 'context' | 'shoot'>,
  [one = '', two = '', three = '']: readonly string[],
): Promise<void> {
  const deckA = deckOf(page, 'A');
  const deckB = deckOf(page, 'B');
  const control = (name: string) => controlOf(page, name);

  await t.test('a second window shows and controls the decks without playing audio', async () => {
    await playFromStart(page, 'A', 'B');
    const other = await context.newPage();
    await other.addInitScript(tapMix);
    await other.goto('/?tab=dj');
    await other.getByText('Audio plays in another window').waitFor();
    await deckOf(other, 'A').getByRole('heading', { name: one }).waitFor();
    await other.getByRole('button', { name: 'Pause deck A', exact: true }).waitFor();
    // Waits longer than audio of the first window would need to reach the analyser of the second one.
    const positionHere = await timeOf(page, 'A');
    await untilTime(page, 'A', (seconds) => seconds > positionHere + 1);
    assert.equal((await measureMix(other)).level, 0);
    // Both pages belong to one browser and share its clock.
    await other.evaluate(() => {
      const button = document.querySelector('[aria-label="Kill mid, deck B"]');
      new MutationObserver(() => ((globalThis as { changedMs?: number }).changedMs = Date.now())).observe(
        button as Element,
        { attributes: true },
      );
    });
    const sentMs = await page.evaluate(() => {
      document.querySelector<HTMLElement>('[aria-label="Kill mid, deck B"]')?.click();
      return Date.now();
    });
    await other.waitForFunction(() => 'changedMs' in globalThis);
    const changedMs = await other.evaluate(() => (globalThis as unknown as { changedMs: number }).changedMs);
    t.diagnostic(`the second window followed after ${changedMs - sentMs} ms`);
    await other.getByRole('button', { name: 'Pause deck A', exact: true }).click();
    await control('Play deck A').waitFor();
    await other.close();
  });

  await t.test('a reload restores both decks, paused', async () => {
    await letPlay(page, 'A', false);
    await letPlay(page, 'B', true);
    await page.evaluate(() =>
      addEventListener('pagehide', () => {
        const gone = document.querySelector('[data-deck="b"] [title^="Hours"]')?.textContent ?? '';
        sessionStorage.setItem('gone', gone);
      }),
    );
    const divider = page.getByRole('separator', { name: 'Height of the library' });
    const libraryPx = await divider.getAttribute('aria-valuenow');
    const [position, left] = [await restOf(page, 'A'), await timeOf(page, 'B')];
    await page.reload();
    await deckA.getByRole('heading', { name: one }).waitFor();
    await deckB.getByRole('heading', { name: two }).waitFor();
    await control('Play deck A').waitFor();
    await control('Play deck B').waitFor();
    await untilTime(page, 'A', (seconds) => Math.abs(seconds - position) < 1);
    // Deck B kept playing until the page was unloaded.
    const gone = await page.evaluate(() => sessionStorage.getItem('gone') ?? '');
    const stopped = await untilTime(
      page,
      'B',
      (seconds) => seconds > left - 0.5 && seconds < secondsOf(gone) + 1,
    );
    t.diagnostic(`deck B was left from ${left} s on, at ${secondsOf(gone)} s, and stands at ${stopped} s`);
    await page.getByRole('button', { name: 'Play audio here' }).waitFor({ state: 'detached' });
    await untilPressed(page, 'Kill mid, deck B', true);
    await untilEqual('height of the library', () => divider.getAttribute('aria-valuenow'), libraryPx);
    await deckA.getByRole('button', { name: 'Loop of Drums, deck A: 2 beats', exact: true }).waitFor();
  });

  await t.test('a failed download can be retried', async () => {
    const isAudioFile = (url: URL) => /\/files\/.*\.(wav|flac|mp3|m4a|ogg|opus)$/.test(url.pathname);
    await page.route(isAudioFile, (route) => route.fulfill({ status: 404, body: '' }));
    await loadRow(trackRow(page, three), 'B');
    const again = control('Retry, deck B');
    await again.waitFor();
    await deckB.getByRole('heading', { name: three }).waitFor();
    await deckB.getByRole('button', { name: /Hot cue 2, deck B/ }).click();
    const position = await restOf(page, 'B');
    await shoot('dj-failed');
    await page.unroute(isAudioFile);
    await again.click();
    await again.waitFor({ state: 'detached' });
    assert.equal(await restOf(page, 'B'), position);
    await loadRow(trackRow(page, two), 'B');
    await deckB.getByRole('heading', { name: two }).waitFor();
  });

  await t.test('the decks fit a phone screen, one deck at a time', async () => {
    await page.setViewportSize(phone);
    await page.getByRole('button', { name: 'Deck B', exact: true }).click();
    await deckB.getByRole('heading', { name: two }).waitFor();
    await page.getByRole('slider', { name: 'Crossfader' }).waitFor();
    await untilFits(page);
    assert.deepEqual(await namelessControls(page), []);
    await shoot('dj-phone-deck');
    await page.getByRole('button', { name: 'Mixer', exact: true }).click();
    await page.getByRole('slider', { name: 'High of deck A' }).waitFor();
    await shoot('dj-phone-mixer');
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    await trackRow(page, three).waitFor();
    await shoot('dj-phone-library');
  });
}
