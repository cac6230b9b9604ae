import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from './browser.ts';
import {
  controlOf,
  letPlay,
  namelessControls,
  openSettings,
  seekDeck,
  sliderOf,
  switchTo,
} from './dj-page.ts';
import { listenFor, measure, untilLevel } from './output-analysers.ts';
import { highHz, loud, lowHz, setStage } from './stage.ts';
import { startStudio } from './studio.ts';
import { ladderSong, swellingTone } from './test-audio.ts';
import { until, untilEqual } from './until.ts';

/** Keeps the streams of the microphone, so that a test can look at them. Runs in the page, before its own scripts. */
function keepStreams(): void {
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  const kept: MediaStream[] = [];
  Object.assign(globalThis, { microphoneStreams: kept });
  mediaDevices.getUserMedia = async (constraints) => {
    const refusal = (globalThis as { microphoneRefusal?: string }).microphoneRefusal;
    if (refusal) throw new DOMException('refused by the test', refusal);
    Object.assign(globalThis, { microphoneConstraints: constraints });
    const stream = await open(constraints);
    kept.push(stream);
    return stream;
  };
}

/** States of the tracks of all microphone streams so far. */
function trackStates(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (globalThis as unknown as { microphoneStreams: MediaStream[] }).microphoneStreams.flatMap((stream) =>
      stream.getAudioTracks().map(({ readyState }) => readyState),
    ),
  );
}

test('the sampler and the microphone on the decks', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off' });
  const stage = await visit(t, studio, { hasSecondOutput: true });
  const { page, shoot } = stage;
  await page.addInitScript(keepStreams);
  await setStage(stage, studio);
  await page.setViewportSize({ width: 1280, height: 720 });
  const padOf = (number: number) => page.getByRole('button', { name: new RegExp(`^Pad ${number}:`) });
  const openSampler = () => page.getByRole('tab', { name: 'Sampler' }).click();
  const openPad = async (number: number) => {
    await page.getByRole('button', { name: `Settings of pad ${number}`, exact: true }).click();
    await page.getByRole('dialog', { name: `Pad ${number}`, exact: true }).waitFor();
  };
  const closePad = () => page.keyboard.press('Escape');

  await t.test('the default bank sounds at once, by key and by press', async () => {
    await openSampler();
    assert.equal(await page.getByRole('button', { name: /^Pad \d:/ }).count(), 8);
    assert.deepEqual(await namelessControls(page), []);
    // The first press in this window makes it the one that plays the audio.
    await letPlay(page, 'A', true);
    await letPlay(page, 'A', false);
    await untilLevel(page, 'master', 0);
    await page.keyboard.press('3');
    await until(
      'level of the kick',
      () => measure(page, 'master'),
      ({ level }) => level > 0.01,
    );
    await untilLevel(page, 'master', 0);
    await padOf(5).click();
    await until(
      'level of the crash',
      () => measure(page, 'master'),
      ({ level }) => level > 0.01,
    );
    await shoot('sampler');
    await controlOf(page, 'Stop all pads').click();
    await untilLevel(page, 'master', 0);
  });

  await t.test('a file is loaded on a pad, and is still there after a reload', async () => {
    await openPad(1);
    await page.getByLabel('Audio file for pad 1').setInputFiles({
      name: 'Siren.wav',
      mimeType: 'audio/wav',
      buffer: swellingTone(2),
    });
    await controlOf(page, 'Pad 1: Siren').waitFor();
    await shoot('sampler-pad');
    await closePad();
    await page.reload();
    await openSampler();
    await controlOf(page, 'Pad 1: Siren').waitFor();
    await letPlay(page, 'A', true);
    await letPlay(page, 'A', false);
    await untilLevel(page, 'master', 0);
    await controlOf(page, 'Pad 1: Siren').click();
    const { hz } = await untilLevel(page, 'master', 0.1);
    assert.ok(Math.abs(hz - 440) < 20, `${hz} Hz`);
    await controlOf(page, 'Stop all pads').click();
  });

  await t.test('a file that is too long, and one that is no audio, are refused with the reason', async () => {
    await openPad(2);
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('Audio file for pad 2').setInputFiles({ name, mimeType: 'audio/wav', buffer });
    await choose('Song.wav', ladderSong(40, lowHz));
    await page.getByText('A sample lasts at most 30 s (“Song.wav” lasts 0:40)').first().waitFor();
    await choose('Notes.wav', Buffer.from('no audio at all'));
    await page.getByText('“Notes.wav” is no audio file that this browser can read').first().waitFor();
    await closePad();
    await controlOf(page, 'Pad 2: Snare').waitFor();
  });

  await t.test('the loop of a deck is captured on a pad, and loops there', async () => {
    await seekDeck(page, 'B', 4);
    await openPad(3);
    await page.getByRole('combobox', { name: 'Capture a loop' }).click();
    await page.getByRole('option', { name: 'Loop of deck B' }).click();
    await controlOf(page, 'Pad 3: High').waitFor();
    await closePad();
    await controlOf(page, 'Pad 3: High').click();
    const { hz } = await untilLevel(page, 'master', loud);
    assert.ok(Math.abs(hz - highHz - 40) < 60, `${hz} Hz is not deck B at 4 s`);
    const later = await listenFor(page, 'master', 2.5);
    assert.ok(later.level > 0.02, 'it plays round and round');
    await controlOf(page, 'Pad 3: High').click();
    await untilLevel(page, 'master', 0);
  });

  await t.test('the microphone is mixed, without the processing of calls, and off releases it', async () => {
    await openSettings(page);
    await switchTo(page, 'Talk-over: music is turned down while you speak', false);
    await page.keyboard.press('Escape');
    await controlOf(page, 'Microphone').click();
    // Chromium's fake microphone beeps once a second.
    await until(
      'level of the microphone',
      () => measure(page, 'master'),
      ({ level }) => level > 0.005,
    );
    const wanted = await page.evaluate(
      () =>
        (globalThis as unknown as { microphoneConstraints: MediaStreamConstraints }).microphoneConstraints,
    );
    assert.deepEqual(wanted.audio, {
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
    });
    await openSettings(page);
    await shoot('microphone');
    await page.keyboard.press('Escape');
    assert.deepEqual(await trackStates(page), ['live']);
    await controlOf(page, 'Microphone').click();
    await untilEqual('state of the microphone', () => trackStates(page), ['ended']);
    await untilLevel(page, 'master', 0);
  });

  await t.test('talk-over turns the music down while the microphone is loud, and up again', async () => {
    await seekDeck(page, 'A', 2);
    await letPlay(page, 'A', true);
    await sliderOf(page, 'Crossfader').press('Home');
    const { level } = await untilLevel(page, 'master', loud);
    await openSettings(page);
    await switchTo(page, 'Talk-over: music is turned down while you speak', true);
    await sliderOf(page, 'Gain of the microphone').press('Home');
    await sliderOf(page, 'Threshold of talk-over').press('Home');
    await sliderOf(page, 'Depth of talk-over').press('Home');
    await page.keyboard.press('Escape');
    await controlOf(page, 'Microphone').click();
    await until(
      'music under the speech',
      () => measure(page, 'master'),
      (now) => now.level < level / 3,
    );
    await controlOf(page, 'Microphone').click();
    await untilLevel(page, 'master', level / 1.5);
    await letPlay(page, 'A', false);
  });

  await t.test('a refused, a missing and an unplugged microphone are explained', async () => {
    const refuse = (name: string | undefined) =>
      page.evaluate((refusal) => Object.assign(globalThis, { microphoneRefusal: refusal }), name);
    await refuse('NotAllowedError');
    await controlOf(page, 'Microphone').click();
    const button = page.getByRole('button', { name: /^Microphone: / });
    await page
      .getByRole('button', {
        name: 'Microphone: The browser does not allow the microphone; allow it in the address bar and try again.',
        exact: true,
      })
      .waitFor();
    await refuse('NotFoundError');
    await button.click();
    await page
      .getByRole('button', { name: 'Microphone: No microphone is connected.', exact: true })
      .waitFor();
    await refuse(undefined);
    await button.click();
    await until(
      'the microphone is open',
      () => trackStates(page),
      (states) => states.at(-1) === 'live',
    );
    await page.evaluate(() => {
      const { microphoneStreams } = globalThis as unknown as { microphoneStreams: MediaStream[] };
      microphoneStreams.at(-1)?.getAudioTracks()[0]?.dispatchEvent(new Event('ended'));
    });
    await page
      .getByRole('button', {
        name: 'Microphone: The microphone was unplugged, or the browser withdrew its permission.',
        exact: true,
      })
      .waitFor();
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
  });

  await t.test('the sampler is a view of its own on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Sampler' }).click();
    for (let number = 1; number <= 8; number++) {
      const box = await padOf(number).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, `pad ${number}`);
    }
    await shoot('sampler-phone');
  });
});
