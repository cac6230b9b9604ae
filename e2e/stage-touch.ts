import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { desktop, phone } from './browser.ts';
import {
  controlOf,
  deckOf,
  letPlay,
  restOf,
  seekDeck,
  settledValue,
  sliderOf,
  smallControls,
  switchTo,
  untilPressed,
  untilTime,
  untilValue,
} from './dj-page.ts';
import { layFingers } from './fingers.ts';
import { listenFor, measure, untilLevel } from './output-analysers.ts';
import { aheadOfTime, loud, type Stage, untilPlaysAt } from './stage.ts';
import { until, untilEqual, untilFits } from './until.ts';

/** Accuracy of the audio clock as read by the page, in seconds; a rim that kept nudging would exceed it. */
const clockSeconds = 0.03;

/** Tests all controls of the decks with touch input; leaves deck A playing at its original tempo. */
export async function touchStage(t: TestContext, { page, shoot }: Stage): Promise<void> {
  const fingers = await layFingers(page);
  const control = (name: string) => controlOf(page, name);
  const slider = (name: string) => sliderOf(page, name);

  await t.test('PLAY, faders, knobs and the crossfader follow a touch', async () => {
    await fingers.down(1, control('Play deck A'));
    await control('Pause deck A').waitFor();
    await untilLevel(page, 'master', loud);
    await fingers.up(1);
    await control('Pause deck A').waitFor();

    const fader = slider('Volume of deck A');
    const travel = ((await fader.boundingBox())?.height ?? 0) - 20;
    await fingers.down(1, fader, { x: 0.5, y: 0.1 });
    await fingers.slide({ 1: { x: 0, y: travel / 2 } });
    await untilValue(page, 'Volume of deck A', 0.5, 0.03);
    // A touch keeps its control when it moves far beside it and past its end.
    await fingers.slide({ 1: { x: 300, y: travel } });
    await untilValue(page, 'Volume of deck A', 0);
    await untilLevel(page, 'master', 0);
    await fingers.slide({ 1: { x: 0, y: -3 * travel } });
    await fingers.up(1);
    await untilValue(page, 'Volume of deck A', 1);
    await untilLevel(page, 'master', loud);

    const knob = slider('Filter of deck A');
    await fingers.down(1, knob, { x: 0.5, y: 0.3 });
    await fingers.slide({ 1: { x: 0, y: -40 } });
    await fingers.up(1);
    await untilValue(page, 'Filter of deck A', 0.5, 0.03);
    await fingers.tap(knob, 2);
    await untilValue(page, 'Filter of deck A', 0);

    await fingers.down(1, slider('Crossfader'));
    await fingers.slide({ 1: { x: 400, y: 0 } });
    await fingers.up(1);
    await untilValue(page, 'Crossfader', 1);
    await untilLevel(page, 'master', 0);
    await fingers.tap(slider('Crossfader'), 2);
    await untilValue(page, 'Crossfader', 0);
  });

  await t.test('two touches move two faders at once, and a third one presses a pad', async () => {
    const travel = ((await slider('Volume of deck A').boundingBox())?.height ?? 0) - 20;
    await fingers.down(1, slider('Volume of deck A'), { x: 0.5, y: 0.1 });
    await fingers.down(2, slider('Low of deck B'), { x: 0.5, y: 0.5 });
    await fingers.slide({ 1: { x: 0, y: travel / 4 }, 2: { x: 0, y: 40 } });
    await fingers.down(3, control('Kill mid, deck B'));
    await untilPressed(page, 'Kill mid, deck B', true);
    await fingers.slide({ 1: { x: 0, y: travel / 4 }, 2: { x: 0, y: 40 } });
    await untilValue(page, 'Volume of deck A', 0.5, 0.03);
    // 80 pixels are half of the range; the first of them do not count as a move.
    await untilValue(page, 'Low of deck B', -1, 0.25);
    await fingers.up(2);
    const low = await settledValue(page, 'Low of deck B');
    await fingers.slide({ 1: { x: 0, y: -3 * travel } });
    await untilValue(page, 'Volume of deck A', 1);
    assert.equal(await settledValue(page, 'Low of deck B'), low);
    await fingers.up(1, 3);
    await fingers.tap(control('Kill mid, deck B'));
    await untilPressed(page, 'Kill mid, deck B', false);
    await fingers.tap(slider('Low of deck B'), 2);
    await untilValue(page, 'Low of deck B', 0);
  });

  await t.test('pads act on press, not on release', async () => {
    await seekDeck(page, 'A', 2);
    await letPlay(page, 'A', true);
    const before = await untilPlaysAt(page, 2);
    const pad = deckOf(page, 'A').getByRole('button', { name: /^Hot cue 5, deck A/ });
    await fingers.down(1, pad);
    await until(
      'seconds by which the pad led deck A on',
      async () => aheadOfTime(before, await measure(page, 'master')),
      (seconds) => seconds > 5,
    );
    await fingers.up(1);
  });

  await t.test('the jog wheel is held, turned and nudged by touch', async () => {
    await seekDeck(page, 'A', 5);
    await letPlay(page, 'A', true);
    await untilPlaysAt(page, 5);
    const wheel = page.getByRole('img', { name: /^Jog wheel of deck A/ });
    const box = await wheel.boundingBox();
    assert.ok(box);
    const at = (share: number, degrees: number) => ({
      x: box.x + box.width * (0.5 + (share / 2) * Math.sin((degrees * Math.PI) / 180)),
      y: box.y + box.height * (0.5 - (share / 2) * Math.cos((degrees * Math.PI) / 180)),
    });
    const rotate = async (share: number, from: number, to: number) => {
      for (let step = 1; step <= 20; step++)
        await fingers.slideTo(1, at(share, from + ((to - from) * step) / 20));
    };
    await fingers.down(1, wheel, { x: 0.5, y: 0.25 });
    await untilLevel(page, 'master', 0);
    await listenFor(page, 'master', 0.3);
    const held = await restOf(page, 'A');
    await rotate(0.5, 0, -180);
    // Half a turn of a record is 0.9 s; the first pixels of a touch do not count as a move.
    await untilTime(page, 'A', (seconds) => Math.abs(held - seconds - 0.9) < 0.1);
    await fingers.up(1);
    await untilLevel(page, 'master', loud);

    // Turning the rim nudges the deck: it advances more than the elapsed time.
    const before = await listenFor(page, 'master', 0.6);
    await fingers.down(1, wheel, { x: 0.5, y: 0.05 });
    for (let round = 0; round < 2; round++) await rotate(0.9, 0, 360);
    const resting = await listenFor(page, 'master', 0.6);
    t.diagnostic(`the rim pushed deck A by ${(aheadOfTime(before, resting) * 1000).toFixed(0)} ms`);
    assert.ok(aheadOfTime(before, resting) > 0.02, JSON.stringify({ before, resting }));
    // A resting touch on the rim no longer nudges, once its last move has been processed.
    await until(
      'seconds by which a resting finger pushed deck A within a second',
      async () => aheadOfTime(await measure(page, 'master'), await listenFor(page, 'master', 1)),
      (seconds) => Math.abs(seconds) < clockSeconds,
    );
    await fingers.up(1);
  });

  await t.test('a deck is braked for as long as BRAKE is touched, and SPIN turns it back', async () => {
    await seekDeck(page, 'A', 5);
    await letPlay(page, 'A', true);
    await untilLevel(page, 'master', loud);
    await fingers.down(1, control('Vinyl brake, deck A'));
    await untilLevel(page, 'master', 0);
    await fingers.up(1);
    await untilLevel(page, 'master', loud);
    await seekDeck(page, 'A', 5);
    await fingers.down(1, control('Spin back, deck A'));
    await untilTime(page, 'A', (seconds) => seconds < 4.5);
    await fingers.up(1);
  });

  await t.test(
    'a phone does not scroll while a control is held, and scrolls when touched beside it',
    async () => {
      await page.setViewportSize(phone);
      await page.getByRole('button', { name: 'Deck A', exact: true }).click();
      await slider('Tempo of deck A').waitFor();
      const stand = () =>
        page.evaluate(() => ({
          scale: visualViewport?.scale,
          scrolled: [...document.querySelectorAll('*')].reduce((sum, { scrollTop }) => sum + scrollTop, 0),
        }));
      const held = [
        slider('Tempo of deck A'),
        slider('Crossfader'),
        control('Cue, deck A'),
        control('Quantize, deck A'),
        deckOf(page, 'A').getByRole('button', { name: /^Hot cue 1, deck A/ }),
        page.getByRole('img', { name: /^Jog wheel of deck A/ }),
        slider('Position of deck A'),
      ];
      for (const one of held) {
        const hasMenu = await one.evaluate((element) =>
          element.dispatchEvent(new PointerEvent('contextmenu', { bubbles: true, cancelable: true })),
        );
        assert.equal(hasMenu, false, 'a long press opens no menu');
        await fingers.down(1, one);
        const before = await stand();
        await fingers.slide({ 1: { x: 0, y: -120 } });
        assert.deepEqual(await stand(), before);
        await fingers.up(1);
      }
      await fingers.down(1, slider('Tempo of deck A'));
      await fingers.down(2, slider('Crossfader'));
      const before = await stand();
      await fingers.slide({ 1: { x: 0, y: -100 }, 2: { x: 0, y: 100 } });
      assert.deepEqual(await stand(), before);
      await fingers.up(1, 2);
      // A touch beside the controls scrolls the page.
      await fingers.down(1, deckOf(page, 'A').getByTitle('Time left at this tempo'));
      const { scrolled } = await stand();
      await fingers.slide({ 1: { x: 0, y: -120 } });
      await fingers.up(1);
      await until(`pixels scrolled, from ${scrolled}`, stand, (now) => now.scrolled > scrolled);
      for (const name of ['Tempo of deck A', 'Crossfader']) {
        await fingers.tap(slider(name), 2);
        await untilValue(page, name, 0);
      }
      await switchTo(page, 'Quantize, deck A', true);
    },
  );

  await t.test('all touch controls are at least 44 pixels wide and high, on phone and desktop', async () => {
    for (const view of ['Mixer', 'Library', 'Deck A'] as const) {
      await controlOf(page, view).click();
      await untilPressed(page, view, true);
      await untilEqual(`small controls of ${view}`, () => smallControls(page), []);
      await shoot(`stage-phone-${view.toLowerCase().replace(' ', '-')}`);
    }
    await page.setViewportSize(desktop);
    await deckOf(page, 'B').waitFor();
    await untilEqual('small controls of a desktop', () => smallControls(page), []);
    await shoot('stage-desktop');
    await untilFits(page);
  });
}
