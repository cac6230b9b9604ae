import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { controlOf, deckOf, openSettings } from './dj-page.ts';
import { selectOption } from './select-option.ts';
import { until } from './until.ts';

/** Fewest pixels of a stem that is drawn, and most of one that is not: cues and edges have similar colours. */
const fewestPixels = 300;
const mostPixels = 30;
/** Largest difference of each channel of a pixel from the colour of a stem. */
const tolerance = 10;

/** Tests the colours of the waveforms of deck A, whose track has stems, and of deck B without stems. */
export async function testStemColors(
  t: TestContext,
  { page, shoot }: { page: Page; shoot: (name: string) => Promise<unknown> },
): Promise<void> {
  const deckA = deckOf(page, 'A');
  const canvases = {
    waveform: page.locator('[data-wave][data-deck="a"] canvas'),
    overview: deckA.locator('canvas').first(),
  };
  const choose = async (label: string) => {
    await openSettings(page);
    await selectOption(page.getByRole('combobox', { name: 'Waveform colors' }), label);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Deck settings' }).waitFor({ state: 'hidden' });
  };
  const untilDrawn = async (isDrawn: boolean) => {
    for (const [name, canvas] of Object.entries(canvases))
      await until(
        `the bass is ${isDrawn ? '' : 'not '}drawn in the ${name}`,
        () => pixelsOf(canvas, '--stem-bass'),
        (pixels) => (isDrawn ? pixels >= fewestPixels : pixels <= mostPixels),
      );
  };

  await t.test('waveforms show the stems in their colors, without muted ones', async () => {
    await untilDrawn(false);
    await choose('Waveforms by stem');
    await untilDrawn(true);
    await shoot('dj-stem-colors');
    await controlOf(page, 'Mute Bass, deck A').click();
    await untilDrawn(false);
    await controlOf(page, 'Mute Bass, deck A').click();
    await untilDrawn(true);
  });

  await t.test('a deck that plays the mix says why its waveform keeps the colors of the bands', async () => {
    const note = page.locator('[data-wave][data-deck="a"]').getByText('No stems loaded: colors by band');
    assert.equal(await note.count(), 0);
    await controlOf(page, 'Play the mix on deck A').click();
    await note.waitFor();
    await untilDrawn(false);
    await deckA.getByRole('button', { name: 'Load stems' }).click();
    await note.waitFor({ state: 'detached' });
    await untilDrawn(true);
    await choose('Waveforms by band');
    await untilDrawn(false);
  });
}

/** Number of pixels of a canvas in a colour of the style sheet. */
function pixelsOf(canvas: Locator, token: string): Promise<number> {
  return canvas.evaluate(
    (element, { token, tolerance }) => {
      if (!(element instanceof HTMLCanvasElement) || element.width === 0) return 0;
      const hex = getComputedStyle(element).getPropertyValue(token).trim();
      const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? {
        data: [],
      };
      let pixels = 0;
      for (let at = 0; at < data.length; at += 4)
        if (wanted.every((channel, i) => Math.abs(channel - (data[at + i] ?? 0)) <= tolerance)) pixels++;
      return pixels;
    },
    { token, tolerance },
  );
}
