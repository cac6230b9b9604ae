import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phone, visit } from './browser.ts';
import { importDemoAlbum, untilReady } from './demo-album.ts';
import { bpmOf, deckOf, hearMix, loadRow, namelessControls, tapMix, timeOf } from './dj-page.ts';
import { trackRow } from './library-page.ts';
import { setUp } from './people.ts';
import { startStudio } from './studio.ts';

test('two decks', async (t) => {
  const studio = await startStudio(t);
  const { page, context, shoot } = await visit(t, studio);
  await page.addInitScript(tapMix);
  await setUp(page, studio);
  const titles = await importDemoAlbum(page);
  await untilReady(page, titles);
  const [one = '', two = '', three = ''] = titles;
  const deckA = deckOf(page, 'A');
  const deckB = deckOf(page, 'B');
  const control = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  /** The keys of the decks are heard wherever nothing else has the focus. */
  const key = async (...names: string[]) => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (const name of names) await page.keyboard.press(name);
  };
  /** Puts decks, playing or not, some bars into their songs, where all of their instruments are. */
  const toStart = async (...letters: ('A' | 'B')[]) => {
    for (const letter of letters) {
      const place = page.getByRole('slider', { name: `Place in the song of deck ${letter}` });
      await place.press('Home');
      for (let press = 0; press < 4; press++) await place.press('ArrowRight');
    }
  };
  const isOn = async (name: string) => (await control(name).getAttribute('aria-pressed')) === 'true';

  await t.test('stand empty at their old address, with the library beside them', async () => {
    await page.goto('/dj');
    await page.waitForURL('**/?tab=dj');
    await deckA.getByRole('heading', { name: 'No track' }).waitFor();
    await page.getByRole('grid', { name: 'Tracks' }).waitFor();
    assert.deepEqual(await namelessControls(page), []);
    await shoot('dj-empty');
  });

  await t.test('take tracks from their rows by keyboard, by drag and by a double click', async () => {
    await loadRow(trackRow(page, one), 'A');
    await deckA.getByRole('heading', { name: one }).waitFor();
    await trackRow(page, two).dragTo(deckB);
    await deckB.getByRole('heading', { name: two }).waitFor();
    for (const letter of ['A', 'B'] as const)
      await page.waitForFunction(
        (deck) => Number(document.querySelector(`[data-deck="${deck}"] [data-bpm]`)?.textContent) > 0,
        letter.toLowerCase(),
      );
    await control('Play deck A').isEnabled();
    await shoot('dj-loaded');
  });

  await t.test('the Space bar plays the active deck, and both sound at once', async () => {
    assert.equal((await hearMix(page)).level < 1e-4, true);
    await key('1', 'Space');
    await control('Pause deck A').waitFor();
    await page.waitForFunction(
      () =>
        document
          .querySelector('[data-deck="a"] [aria-label^="Place in the song"]')
          ?.getAttribute('aria-valuenow') === '1',
    );
    const alone = await hearMix(page);
    t.diagnostic(`deck A alone ${JSON.stringify(alone)}`);
    assert.ok(alone.level > 0.01);
    await key('2', 'Space');
    await control('Pause deck B').waitFor();
    await page.waitForTimeout(2000);
    const [a, b] = [await timeOf(page, 'A'), await timeOf(page, 'B')];
    await page.waitForTimeout(1000);
    assert.ok((await timeOf(page, 'A')) > a && (await timeOf(page, 'B')) > b);
    await shoot('dj-both-playing');
  });

  await t.test('the crossfader leads from one to the other', async () => {
    await key('1', 'Space');
    await control('Play deck A').waitFor();
    await key(...Array<string>(10).fill('a'));
    const onlyA = await hearMix(page);
    assert.ok(onlyA.level < 1e-3, `deck A is paused, B is faded out (${JSON.stringify(onlyA)})`);
    await key(...Array<string>(20).fill('s'));
    const onlyB = await hearMix(page);
    assert.ok(onlyB.level > 0.01, `deck B is heard (${JSON.stringify(onlyB)})`);
    assert.equal(
      await page.getByRole('slider', { name: 'Crossfader' }).getAttribute('aria-valuetext'),
      '100 % to B',
    );
    for (const curve of ['constant power', 'sharp cut', 'slow fade', 'linear'])
      await page.getByRole('combobox', { name: 'Curve of the crossfader' }).selectOption(curve);
  });

  await t.test('a killed band is gone, and comes back', async () => {
    const whole = await hearMix(page);
    await control('Kill low, deck B').click();
    const killed = await hearMix(page);
    t.diagnostic(`lows ${JSON.stringify({ whole, killed })}`);
    assert.ok(killed.low < whole.low / 4, JSON.stringify({ whole, killed }));
    await control('Kill low, deck B').click();
    const again = await hearMix(page);
    assert.ok(again.low > killed.low * 2, JSON.stringify({ killed, again }));
  });

  await t.test('a loop goes round, and lets the song go on when it ends', async () => {
    await key('2');
    await control('Half: Length of loops, deck B').click();
    await control('Half: Length of loops, deck B').click();
    await key('k');
    await page.waitForFunction(
      () =>
        document.querySelector('[aria-label="Loop on or off, deck B"]')?.getAttribute('aria-pressed') ===
        'true',
    );
    const places: number[] = [];
    for (let look = 0; look < 20; look++) {
      places.push(await timeOf(page, 'B'));
      await page.waitForTimeout(150);
    }
    const beat = 60 / (await bpmOf(page, 'B'));
    const spread = Math.max(...places) - Math.min(...places);
    assert.ok(spread < beat * 1.5, `three seconds within a loop of a beat (${spread} s)`);
    await shoot('dj-loop');
    const inLoop = await timeOf(page, 'B');
    await key('l');
    await page.waitForTimeout(3000);
    assert.ok((await timeOf(page, 'B')) > inLoop + 1.5);
  });

  await t.test('a hot cue is set, jumped to and cleared', async () => {
    await control('Play deck A').waitFor();
    await toStart('A');
    await key('1', 'ArrowRight', 'Shift+M', 'm');
    const pad = deckA.getByRole('button', { name: /Hot cue 7, deck A/ });
    await pad.waitFor();
    const place = await timeOf(page, 'A');
    await key('ArrowRight', 'ArrowRight');
    await page.waitForTimeout(300);
    assert.ok((await timeOf(page, 'A')) > place + 1);
    await pad.click();
    await page.waitForTimeout(300);
    assert.ok(Math.abs((await timeOf(page, 'A')) - place) < 0.4);
    await key('Shift+M');
    await control('Set hot cue 7, deck A').waitFor();
    await key('k');
    await control('Keep the loop on a pad, deck A').click();
    await pad.filter({ hasText: 'Loop' }).waitFor();
    await key('Shift+M', 'k');
    await control('Set hot cue 7, deck A').waitFor();
  });

  await t.test(
    'a hot cue is heard on a standing deck for as long as it is held, by key and by pointer',
    async () => {
      const pad = deckA.getByRole('button', { name: /Hot cue 2, deck A/ });
      const isAtPad = async () => Math.abs((await timeOf(page, 'A')) - place) < 0.05;
      await pad.click();
      await control('Play deck A').waitFor();
      const place = await timeOf(page, 'A');
      await key('1');
      await page.keyboard.down('x');
      await control('Pause deck A').waitFor();
      await page.waitForTimeout(600);
      assert.ok((await timeOf(page, 'A')) > place + 0.2);
      await page.keyboard.up('x');
      await control('Play deck A').waitFor();
      assert.ok(await isAtPad());

      await pad.hover();
      await page.mouse.down();
      await control('Pause deck A').waitFor();
      await shoot('dj-hot-cue-held');
      await page.mouse.up();
      await control('Play deck A').waitFor();
      assert.ok(await isAtPad());

      // A key that comes up in another window is not heard here.
      await page.keyboard.down('x');
      await control('Pause deck A').waitFor();
      await page.evaluate(() => globalThis.dispatchEvent(new Event('blur')));
      await control('Play deck A').waitFor();
      await page.keyboard.up('x');
      assert.ok(await isAtPad());

      await page.keyboard.down('x');
      await control('Pause deck A').waitFor();
      await page.keyboard.press('Space');
      await page.keyboard.up('x');
      await page.waitForTimeout(300);
      await control('Pause deck A').waitFor();
      await key('Space');
      await control('Play deck A').waitFor();
    },
  );

  await t.test('sync brings a deck to the tempo and the beat of the other', async () => {
    await toStart('A', 'B');
    await key('1', 'Space');
    await control('Pause deck A').waitFor();
    await control('Sync deck A').click();
    await page.waitForTimeout(2500);
    const [a, b] = [await bpmOf(page, 'A'), await bpmOf(page, 'B')];
    const octave = 2 ** Math.round(Math.log2(a / b));
    assert.ok(Math.abs(a / octave - b) < 0.02, `${a} and ${b} beats a minute`);
    assert.equal(await isOn('Sync deck A'), true);
    await deckB.getByText('Deck B leads').waitFor();
    await shoot('dj-synced');
    await control('Sync deck B').click();
    await deckA.getByText('Deck A leads').waitFor();
    assert.deepEqual([await isOn('Sync deck A'), await isOn('Sync deck B')], [false, true]);
  });

  await t.test('a press on a tempo key is a step, whatever tempo sync left', async () => {
    const percentOf = async (letter: 'A' | 'B') =>
      Number(
        await deckOf(page, letter)
          .getByRole('slider', { name: `Tempo of deck ${letter}` })
          .getAttribute('aria-valuenow'),
      );
    const before = [await percentOf('A'), await percentOf('B')];
    await key('2', '=');
    await page.waitForTimeout(300);
    assert.ok(Math.abs((await percentOf('B')) - (before[1] ?? 0) - 0.1) < 0.001, `${before[1]} by a step`);
    assert.ok((await percentOf('A')) > (before[0] ?? 0));
    await control('Sync deck B').click();
    await key('=');
    await page.waitForTimeout(300);
    assert.ok(Math.abs((await percentOf('B')) - (before[1] ?? 0) - 0.2) < 0.001, `${before[1]} by two steps`);
    assert.equal(await isOn('Sync deck B'), false);
    await key('1');
  });

  await t.test('keys are left to whoever types', async () => {
    const search = page.getByRole('searchbox', { name: 'Search the library' });
    await search.fill('');
    await search.pressSequentially('1qw s');
    await control('Pause deck A').waitFor();
    await search.press('Escape');
    await key('Shift+?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('a deck that plays is not overwritten without a question', async () => {
    await loadRow(trackRow(page, three), 'A');
    await page.getByRole('dialog', { name: 'Deck A is playing' }).waitFor();
    await shoot('dj-question');
    await page.getByRole('button', { name: 'Keep playing' }).click();
    await deckA.getByRole('heading', { name: one }).waitFor();
  });

  await t.test('stems are loaded, and a muted one is gone', async () => {
    await toStart('A', 'B');
    await deckA.getByRole('button', { name: 'Load stems' }).click();
    await deckA.getByRole('button', { name: 'Mute Vocals, deck A' }).waitFor();
    await page.waitForTimeout(1500);
    await key(...Array<string>(20).fill('a'));
    const all = await hearMix(page);
    for (const stem of ['Vocals', 'Drums', 'Bass', 'Other']) await control(`Mute ${stem}, deck A`).click();
    const none = await hearMix(page);
    assert.ok(all.level > 0.01 && none.level < 1e-3, JSON.stringify({ all, none }));
    await control('Mute Drums, deck A').click();
    const drums = await hearMix(page);
    assert.ok(drums.level > 0.003, JSON.stringify({ drums }));
    await shoot('dj-stems');
    for (const stem of ['Vocals', 'Bass', 'Other']) await control(`Mute ${stem}, deck A`).click();
  });

  await t.test('a stem has a loop of a length of its own', async () => {
    const length = deckA.getByRole('button', { name: /^Loop of Drums, deck A/ });
    await length.press('Enter');
    const loop = page.getByRole('dialog', { name: 'Loop of Drums, deck A' });
    await loop.getByRole('button', { name: '1/2 beats', exact: true }).press('Enter');
    await loop.getByRole('button', { name: 'Loop on or off, Drums, deck A', exact: true }).press('Enter');
    assert.equal(await isOn('Loop 1/2 beats of Drums, deck A'), true);
    assert.equal(await isOn('Loop 4 beats of Vocals, deck A'), false);
    await loop.getByRole('button', { name: 'Twice the loop, Drums, deck A', exact: true }).press('Enter');
    await loop.getByRole('button', { name: 'Twice the loop, Drums, deck A', exact: true }).press('Enter');
    assert.equal(await isOn('Loop 2 beats of Drums, deck A'), true);
    assert.deepEqual(await namelessControls(page), []);
    await shoot('dj-stem-loop');
    await page.keyboard.press('Escape');
    await loop.waitFor({ state: 'hidden' });
    await control('Loop 2 beats of Drums, deck A').click();
    assert.equal(await isOn('Loop 2 beats of Drums, deck A'), false);
  });
  await t.test('a second window shows the decks silently, and controls them', async () => {
    await toStart('A', 'B');
    const other = await context.newPage();
    await other.addInitScript(tapMix);
    await other.goto('/?tab=dj');
    await other.getByText('Sound plays in another window').waitFor();
    await deckOf(other, 'A').getByRole('heading', { name: one }).waitFor();
    await other.getByRole('button', { name: 'Pause deck A', exact: true }).waitFor();
    const heardThere = await hearMix(other);
    assert.equal(heardThere.level, 0);
    // Both pages are of one browser and have one clock.
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

  await t.test('a reload brings both back, paused', async () => {
    const [place, left] = [await timeOf(page, 'A'), await timeOf(page, 'B')];
    await page.reload();
    await deckA.getByRole('heading', { name: one }).waitFor();
    await deckB.getByRole('heading', { name: two }).waitFor();
    await control('Play deck A').waitFor();
    await control('Play deck B').waitFor();
    const restored = await timeOf(page, 'A');
    assert.ok(Math.abs(restored - place) < 1, `it stood at ${place} s, and stands at ${restored} s`);
    // It played until the page went.
    const stopped = await timeOf(page, 'B');
    assert.ok(
      stopped > left - 0.5 && stopped < left + 10,
      `it was left at ${left} s, and stands at ${stopped} s`,
    );
    await page.getByRole('button', { name: 'Play sound here' }).waitFor({ state: 'detached' });
    assert.equal(await isOn('Kill mid, deck B'), true);
    await deckA.getByRole('button', { name: 'Loop of Drums, deck A: 2 beats', exact: true }).waitFor();
  });

  await t.test('what could not be loaded is tried again', async () => {
    const isSound = (url: URL) => /\/files\/.*\.(wav|flac|mp3|m4a|ogg|opus)$/.test(url.pathname);
    await page.route(isSound, (route) => route.fulfill({ status: 404, body: '' }));
    await loadRow(trackRow(page, three), 'B');
    const again = control('Try again, deck B');
    await again.waitFor();
    await deckB.getByRole('heading', { name: three }).waitFor();
    await deckB.getByRole('button', { name: /Hot cue 2, deck B/ }).click();
    const place = await timeOf(page, 'B');
    await shoot('dj-failed');
    await page.unroute(isSound);
    await again.click();
    await again.waitFor({ state: 'detached' });
    assert.equal(await timeOf(page, 'B'), place);
    await loadRow(trackRow(page, two), 'B');
    await deckB.getByRole('heading', { name: two }).waitFor();
  });
  await t.test('fit a phone, one deck at a time', async () => {
    await page.setViewportSize(phone);
    await page.getByRole('button', { name: 'Deck B', exact: true }).click();
    await deckB.getByRole('heading', { name: two }).waitFor();
    await page.getByRole('slider', { name: 'Crossfader' }).waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
    assert.deepEqual(await namelessControls(page), []);
    await shoot('dj-phone-deck');
    await page.getByRole('button', { name: 'Mixer', exact: true }).click();
    await page.getByRole('slider', { name: 'High of deck A' }).waitFor();
    await shoot('dj-phone-mixer');
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    await trackRow(page, three).waitFor();
    await shoot('dj-phone-library');
  });
});
