import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { clickOffset } from './click-offset.ts';
import { controlOf, letPlay, openSettings, seekDeck, sliderOf, switchTo } from './dj-page.ts';
import { captureSum, listenFor, measure, untilLevel } from './output-analysers.ts';
import { optionsOf, selectOption } from './select-option.ts';
import { highHz, loud, type Stage, untilPlaysAt } from './stage.ts';
import { untilEqual } from './until.ts';

/** Tolerance of beat detection in the song, in seconds. */
const beatSeconds = 0.02;

/** Tests cueing and the metronome on a second audio output, and the loss of that output. */
export async function testPhones(t: TestContext, { page, shoot }: Stage): Promise<void> {
  const outputs = page.getByRole('combobox', { name: 'Headphone output' });
  const clicks = page.getByRole('combobox', { name: 'Metronome output' });

  await t.test('a cued deck plays in the headphones and not in the master', async () => {
    await openSettings(page);
    await untilEqual('outputs', () => optionsOf(outputs), [
      'None',
      'Fake Audio Output 1',
      'Fake Audio Output 2',
      'More outputs…',
    ]);
    await sliderOf(page, 'Crossfader').press('Home');
    for (const letter of ['A', 'B'] as const) {
      await seekDeck(page, letter, 2);
      await switchTo(
        page,
        letter === 'A' ? 'Deck A in the headphones' : 'Deck B in the headphones',
        letter === 'B',
      );
    }
    for (const letter of ['A', 'B'] as const) await letPlay(page, letter, true);
    await untilLevel(page, 'master', loud);
    assert.equal((await measure(page, 'phones')).level, 0);
    await openSettings(page);
    await selectOption(outputs, 'Fake Audio Output 2');
    const phones = await untilLevel(page, 'phones', loud);
    const master = await listenFor(page, 'master', 0.3);
    t.diagnostic(`headphones ${phones.hz.toFixed(0)} Hz, master ${master.hz.toFixed(0)} Hz`);
    assert.ok(phones.hz >= highHz, `deck B alone is in the headphones: ${phones.hz} Hz`);
    assert.ok(master.hz > 0 && master.hz < highHz - 100, `deck A alone is in the master: ${master.hz} Hz`);
    const sink = () =>
      page.evaluate(async () => {
        const { sinks = [] } = globalThis as { sinks?: HTMLMediaElement[] };
        const playing = sinks.find((element) => !element.paused);
        const devices = await navigator.mediaDevices.enumerateDevices();
        return devices.find(({ kind, deviceId }) => kind === 'audiooutput' && deviceId === playing?.sinkId)
          ?.label;
      });
    await untilEqual('output that the headphones are sent to', sink, 'Fake Audio Output 2');
    await letPlay(page, 'B', false);
    await untilLevel(page, 'phones', 0);
    await untilLevel(page, 'master', loud);
  });

  await t.test('the metronome clicks on the beat, in the headphones only', async () => {
    await seekDeck(page, 'A', 2);
    await letPlay(page, 'A', true);
    await untilPlaysAt(page, 2);
    await openSettings(page);
    await selectOption(clicks, 'Phones');
    await switchTo(page, 'Metronome', true);
    await untilLevel(page, 'phones', 0.01);
    const offsets: number[] = [];
    for (let look = 0; look < 3; look++) {
      await listenFor(page, 'master', 1.2);
      const { samples, sampleRateHz } = await captureSum(page);
      offsets.push(clickOffset(samples, sampleRateHz));
    }
    t.diagnostic(
      `clicks behind their onsets: ${offsets.map((one) => (one * 1000).toFixed(1)).join(', ')} ms`,
    );
    for (const one of offsets) assert.ok(Math.abs(one) < beatSeconds, `${one} s`);
    // With the song turned down the headphones carry only clicks, and the master is silent.
    await sliderOf(page, 'Volume of deck A').press('Home');
    await untilLevel(page, 'master', 0);
    await untilLevel(page, 'phones', 0.01);
    assert.equal((await listenFor(page, 'master', 1)).level, 0);
    await openSettings(page);
    await selectOption(clicks, 'Master');
    await untilLevel(page, 'master', 0.01);
    await selectOption(clicks, 'Phones');
    await sliderOf(page, 'Volume of deck A').press('End');
  });

  await t.test('disconnected headphones are reported, and resume when they are reconnected', async () => {
    await seekDeck(page, 'A', 2);
    await letPlay(page, 'A', true);
    await untilLevel(page, 'phones', 0.01);
    await page.evaluate(() => {
      const devices = navigator.mediaDevices;
      const all = devices.enumerateDevices.bind(devices);
      devices.enumerateDevices = async () => (await all()).filter(({ label }) => !label.endsWith('Output 2'));
      devices.dispatchEvent(new Event('devicechange'));
    });
    await page.getByText('Headphones not connected').first().waitFor();
    await page
      .getByText(/“Fake Audio Output 2” is not connected/)
      .first()
      .waitFor();
    await openSettings(page);
    await untilEqual('output of the metronome', () => clicks.innerText(), 'Phones (none)');
    await untilLevel(page, 'phones', 0);
    const { level } = await untilLevel(page, 'master', loud);
    t.diagnostic(`the master plays on at ${level.toFixed(2)}`);
    await shoot('stage-phones-gone');
    await untilChosen(page, 'None');
    await page.evaluate(() => {
      Reflect.deleteProperty(navigator.mediaDevices, 'enumerateDevices');
      navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
    });
    await untilLevel(page, 'phones', 0.01);
    await untilChosen(page, 'Fake Audio Output 2');
  });

  await t.test('a failing output is reported, and the headphones stay on the previous one', async () => {
    await seekDeck(page, 'A', 2);
    await letPlay(page, 'A', true);
    await page.evaluate(() => {
      const { sinks = [] } = globalThis as { sinks?: HTMLMediaElement[] };
      for (const element of sinks) {
        const go = element.setSinkId.bind(element);
        const { sinkId } = element;
        element.setSinkId = async (id) => {
          if (id !== sinkId) throw new DOMException('The device was not found', 'NotFoundError');
          await go(id);
        };
      }
    });
    await openSettings(page);
    await selectOption(outputs, 'Fake Audio Output 1');
    await page.getByText('The headphones cannot use this output').first().waitFor();
    await untilLevel(page, 'phones', 0.01);
    await untilChosen(page, 'Fake Audio Output 2');
  });

  await t.test('the headphone output is kept after a reload', async () => {
    await page.reload();
    await controlOf(page, 'Play deck A').waitFor();
    await seekDeck(page, 'A', 2);
    await letPlay(page, 'A', true);
    await untilLevel(page, 'phones', 0.01);
    await untilChosen(page, 'Fake Audio Output 2');
    await openSettings(page);
    await selectOption(outputs, 'None');
    await untilLevel(page, 'phones', 0);
    await untilLevel(page, 'master', loud);
    await openSettings(page);
    await switchTo(page, 'Metronome', false);
  });
}

/** Waits until the given headphone output is shown as selected. */
async function untilChosen(page: Page, name: string): Promise<void> {
  const outputs = page.getByRole('combobox', { name: 'Headphone output' });
  await openSettings(page);
  await untilEqual('output of the headphones', () => outputs.innerText(), name);
}
