import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desktop, phone, visit } from './browser.ts';
import { playDemoAlbum } from './demo-player.ts';
import {
  bpmOf,
  deckOf,
  letPlay,
  loadRow,
  measureMix,
  namelessControls,
  playFromStart,
  restOf,
  settledValue,
  smallControls,
  tapMix,
  timeOf,
  toStart,
  untilMix,
  untilPressed,
  untilTime,
  untilValue,
  valueOf,
} from './dj-page.ts';
import { leaveAndReturn } from './dj-return.ts';
import { fitScreens } from './dj-screens.ts';
import { withCoarsePointer } from './fingers.ts';
import { limitFrameRate, slowFrameRateHz } from './frame-rate.ts';
import { searchField, trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { testStemColors } from './stem-colors.ts';
import { startStudio } from './studio.ts';
import { until, untilEqual } from './until.ts';

// The decks play the songs that the first tests import: synthesising, analysing and separating them takes long.
test('the demo album in the player and on two decks', async (t) => {
  const studio = await startStudio(t);
  // The meters of the player are read in every frame.
  const { page, context, shoot } = await visit(t, studio, { frameRateHz: null });
  await setUp(page, studio);
  const titles = await playDemoAlbum(t, { page, shoot });
  const [one = '', two = '', three = ''] = titles;
  await page.addInitScript(tapMix);
  await context.addInitScript(limitFrameRate, slowFrameRateHz);
  const deckA = deckOf(page, 'A');
  const deckB = deckOf(page, 'B');
  const control = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  /** Presses keys with nothing focused, so that the shortcuts of the decks receive them. */
  const key = async (...names: string[]) => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (const name of names) await page.keyboard.press(name);
  };

  await t.test('the old address of the decks opens them, empty and beside the library', async () => {
    await page.goto('/dj');
    await page.waitForURL('**/?tab=dj');
    await deckA.getByRole('heading', { name: 'No track' }).waitFor();
    await page.getByRole('grid', { name: 'Tracks' }).waitFor();
    assert.deepEqual(await namelessControls(page), []);
    await shoot('dj-empty');
  });

  await t.test('tracks are loaded from their rows by keyboard, by drag and by double click', async () => {
    await loadRow(trackRow(page, one), 'A');
    await deckA.getByRole('heading', { name: one }).waitFor();
    await trackRow(page, two).dragTo(deckB);
    await deckB.getByRole('heading', { name: two }).waitFor();
    for (const letter of ['A', 'B'] as const)
      await page.waitForFunction(
        (deck) => Number(document.querySelector(`[data-deck="${deck}"] [data-bpm]`)?.textContent) > 0,
        letter.toLowerCase(),
      );
    await until(
      'Play deck A can be pressed',
      () => control('Play deck A').isEnabled(),
      (isEnabled) => isEnabled,
    );
    await shoot('dj-loaded');
  });

  await t.test('Space plays the active deck, and both decks play at once', async () => {
    const before = await measureMix(page);
    assert.ok(before.level < 1e-4, JSON.stringify(before));
    await key('1', 'Space');
    await control('Pause deck A').waitFor();
    await untilTime(page, 'A', (seconds) => seconds > 1);
    const alone = await untilMix(page, 'deck A alone', ({ level }) => level > 0.01);
    t.diagnostic(`deck A alone ${JSON.stringify(alone)}`);
    await key('2', 'Space');
    await control('Pause deck B').waitFor();
    await untilTime(page, 'B', (seconds) => seconds > 1);
    const [a, b] = [await timeOf(page, 'A'), await timeOf(page, 'B')];
    await untilTime(page, 'A', (seconds) => seconds > a + 0.5);
    await untilTime(page, 'B', (seconds) => seconds > b + 0.5);
    await shoot('dj-both-playing');
  });

  await t.test('the crossfader fades from one deck to the other', async () => {
    await key('1', 'Space');
    await control('Play deck A').waitFor();
    await key(...Array<string>(10).fill('a'));
    await untilMix(page, 'deck A is paused, B is faded out', ({ level }) => level < 1e-3);
    await playFromStart(page, 'B');
    await key(...Array<string>(20).fill('s'));
    await untilMix(page, 'deck B is audible', ({ level }) => level > 0.01);
    await untilEqual(
      'text of the crossfader',
      () => page.getByRole('slider', { name: 'Crossfader' }).getAttribute('aria-valuetext'),
      '100 % to B',
    );
  });

  await t.test('killing a band removes it, and restoring it brings it back', async () => {
    await playFromStart(page, 'B');
    await untilTime(page, 'B', (seconds) => seconds > 21);
    const whole = await untilMix(page, 'the whole of deck B', ({ level }) => level > 0.01);
    await control('Kill low, deck B').click();
    const killed = await untilMix(
      page,
      `deck B without its lows, which were ${whole.low}`,
      ({ level, low }) => level > 3e-3 && low < whole.low / 4,
    );
    t.diagnostic(`lows ${JSON.stringify({ whole, killed })}`);
    await control('Kill low, deck B').click();
    await untilMix(page, `lows that were ${killed.low} when killed`, ({ low }) => low > killed.low * 2);
  });

  await t.test('a loop repeats, and playback continues when it ends', async () => {
    await key('2');
    await control('Half: Loop length, deck B').click();
    await control('Half: Loop length, deck B').click();
    await playFromStart(page, 'B');
    await key('k');
    await untilPressed(page, 'Toggle loop, deck B', true);
    const positions: number[] = [];
    for (let look = 0; look < 20; look++) {
      positions.push(await timeOf(page, 'B'));
      await page.waitForTimeout(150);
    }
    const beat = 60 / (await bpmOf(page, 'B'));
    const spread = Math.max(...positions) - Math.min(...positions);
    assert.ok(spread < beat * 1.5, `three seconds within a loop of a beat (${spread} s)`);
    await shoot('dj-loop');
    const inLoop = await timeOf(page, 'B');
    await key('l');
    await untilTime(page, 'B', (seconds) => seconds > inLoop + 2);
  });

  await t.test('a hot cue can be set, recalled and cleared', async () => {
    await letPlay(page, 'A', false);
    await toStart(page, 'A');
    await key('1', 'ArrowRight', 'Shift+M', 'm');
    const pad = deckA.getByRole('button', { name: /Hot cue 7, deck A/ });
    await pad.waitFor();
    const position = await restOf(page, 'A');
    await key('ArrowRight', 'ArrowRight');
    await untilTime(page, 'A', (seconds) => seconds > position + 1);
    await pad.click();
    await control('Play deck A').waitFor();
    await untilTime(page, 'A', (seconds) => Math.abs(seconds - position) < 0.4);
    await key('Shift+M');
    await control('Set hot cue 7, deck A').waitFor();
    await key('k');
    await control('Save loop to a pad, deck A').click();
    await pad.filter({ hasText: 'Loop' }).waitFor();
    await key('Shift+M', 'k');
    await control('Set hot cue 7, deck A').waitFor();
  });

  await t.test('a hot cue held by key or pointer plays a paused deck until it is released', async () => {
    const pad = deckA.getByRole('button', { name: /Hot cue 2, deck A/ });
    const untilAtPad = () => untilTime(page, 'A', (seconds) => Math.abs(seconds - position) < 0.05);
    await pad.click();
    await control('Play deck A').waitFor();
    const position = await restOf(page, 'A');
    await key('1');
    await page.keyboard.down('x');
    await control('Pause deck A').waitFor();
    await untilTime(page, 'A', (seconds) => seconds > position + 0.2);
    await page.keyboard.up('x');
    await control('Play deck A').waitFor();
    await untilAtPad();

    await pad.hover();
    await page.mouse.down();
    await control('Pause deck A').waitFor();
    await shoot('dj-hot-cue-held');
    await page.mouse.up();
    await control('Play deck A').waitFor();
    await untilAtPad();

    // A key released in another window sends no event, so losing the focus ends the preview.
    await page.keyboard.down('x');
    await control('Pause deck A').waitFor();
    await page.evaluate(() => globalThis.dispatchEvent(new Event('blur')));
    await control('Play deck A').waitFor();
    await page.keyboard.up('x');
    await untilAtPad();

    await page.keyboard.down('x');
    await control('Pause deck A').waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.up('x');
    const lifted = await timeOf(page, 'A');
    await untilTime(page, 'A', (seconds) => seconds > lifted + 0.5);
    await control('Pause deck A').waitFor();
    await key('Space');
    await control('Play deck A').waitFor();
  });

  /** Waits until both decks have the same tempo, or one has a power of two times the other's. */
  const untilOneTempo = () =>
    until(
      'beats a minute of both decks',
      async () => [await bpmOf(page, 'A'), await bpmOf(page, 'B')] as const,
      ([a, b]) => Math.abs(a / 2 ** Math.round(Math.log2(a / b)) - b) < 0.02,
    );

  await t.test('sync matches the tempo and phase of one deck to the other', async () => {
    await playFromStart(page, 'B');
    await toStart(page, 'A');
    await key('1', 'Space');
    await control('Pause deck A').waitFor();
    await control('Sync deck A').click();
    await untilOneTempo();
    await untilPressed(page, 'Sync deck A', true);
    await deckB.getByText('Deck B leads').waitFor();
    await shoot('dj-synced');
    await control('Sync deck B').click();
    await deckA.getByText('Deck A leads').waitFor();
    await untilPressed(page, 'Sync deck A', false);
    await untilPressed(page, 'Sync deck B', true);
  });

  await t.test('a tempo key changes the tempo by one step, whatever tempo sync set', async () => {
    await untilOneTempo();
    const before = {
      a: await settledValue(page, 'Tempo of deck A'),
      b: await settledValue(page, 'Tempo of deck B'),
    };
    await key('2', '=');
    await untilValue(page, 'Tempo of deck B', before.b + 0.1);
    await until(
      `Tempo of deck A, which follows from ${before.a}`,
      () => valueOf(page, 'Tempo of deck A'),
      (percent) => percent > before.a,
    );
    await control('Sync deck B').click();
    await key('=');
    await untilValue(page, 'Tempo of deck B', before.b + 0.2);
    await untilPressed(page, 'Sync deck B', false);
    await key('1');
  });

  await t.test('shortcuts are inactive in text fields', async () => {
    await playFromStart(page, 'A');
    const search = searchField(page);
    await search.fill('');
    await search.pressSequentially('1qw s');
    await control('Pause deck A').waitFor();
    await search.press('Escape');
    await key('Shift+?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' });
  });

  await t.test('loading a track on a playing deck opens a confirmation', async () => {
    await playFromStart(page, 'A');
    await loadRow(trackRow(page, three), 'A');
    const question = page.getByRole('dialog', { name: 'Deck A is playing' });
    await question.waitFor();
    await shoot('dj-question');
    await page.getByRole('button', { name: 'Keep playing' }).click();
    await question.waitFor({ state: 'hidden' });
    await deckA.getByRole('heading', { name: one }).waitFor();
  });

  await t.test('stems can be loaded, and a muted stem is silent', async () => {
    await playFromStart(page, 'A', 'B');
    // They load by themselves.
    await deckA.getByRole('button', { name: 'Mute Vocals, deck A' }).waitFor();
    await control('Play the mix on deck A').click();
    await deckA.getByRole('button', { name: 'Load stems' }).click();
    await deckA.getByRole('button', { name: 'Mute Vocals, deck A' }).waitFor();
    await key(...Array<string>(20).fill('a'));
    await untilMix(page, 'all stems of deck A', ({ level }) => level > 0.01);
    for (const stem of ['Vocals', 'Drums', 'Bass', 'Other']) await control(`Mute ${stem}, deck A`).click();
    await untilMix(page, 'none of them', ({ level }) => level < 1e-3);
    await control('Pause deck A').waitFor();
    await control('Mute Drums, deck A').click();
    await untilMix(page, 'its drums', ({ level }) => level > 0.003);
    await shoot('dj-stems');
    for (const stem of ['Vocals', 'Bass', 'Other']) await control(`Mute ${stem}, deck A`).click();
  });

  await testStemColors(t, { page, shoot });

  await t.test(
    'with touch input all stem controls are at least 44 pixels wide and high, on phone and desktop',
    async () => {
      await withCoarsePointer(page, async () => {
        assert.deepEqual(await smallControls(page), []);
        await shoot('dj-stems-touch');
        await page.setViewportSize(phone);
        await control('Deck A').click();
        await control('Mute Vocals, deck A').scrollIntoViewIfNeeded();
        assert.deepEqual(await smallControls(page), []);
        await shoot('dj-stems-phone');
        await page.setViewportSize(desktop);
      });
    },
  );

  await t.test('each stem has a loop with its own length', async () => {
    const length = deckA.getByRole('button', { name: /^Loop of Drums, deck A/ });
    await length.press('Enter');
    const loop = page.getByRole('dialog', { name: 'Loop of Drums, deck A' });
    await loop.getByRole('button', { name: '1/2 beats', exact: true }).press('Enter');
    await loop.getByRole('button', { name: 'Toggle loop, Drums, deck A', exact: true }).press('Enter');
    await untilPressed(page, 'Loop 1/2 beats of Drums, deck A', true);
    await untilPressed(page, 'Loop 4 beats of Vocals, deck A', false);
    await loop.getByRole('button', { name: 'Double loop, Drums, deck A', exact: true }).press('Enter');
    await loop.getByRole('button', { name: 'Double loop, Drums, deck A', exact: true }).press('Enter');
    await untilPressed(page, 'Loop 2 beats of Drums, deck A', true);
    assert.deepEqual(await namelessControls(page), []);
    await shoot('dj-stem-loop');
    await page.keyboard.press('Escape');
    await loop.waitFor({ state: 'hidden' });
    await control('Loop 2 beats of Drums, deck A').click();
    await untilPressed(page, 'Loop 2 beats of Drums, deck A', false);
  });

  await fitScreens(t, { page, shoot }, titles);
  await leaveAndReturn(t, { page, context, shoot }, titles);
});
