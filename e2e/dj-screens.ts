import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { updateTrack } from '@stem-studio/contract/endpoints/tracks';
import type { Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { desktop, phone, type Visit } from './browser.ts';
import { arrangementFaults, controlBoxes, coveredControls, untilUnmoved } from './control-boxes.ts';
import {
  bpmOf,
  controlOf,
  deckOf,
  letPlay,
  openSettings,
  sliderOf,
  untilPressed,
  untilValue,
} from './dj-page.ts';
import { csrfOf } from './library-page.ts';
import { selectOption } from './select-option.ts';
import { until, untilEqual } from './until.ts';

/** Windows of laptops, tablets and desktops on which the decks need no scrolling, in CSS pixels. */
const screens = [
  { width: 1280, height: 720 },
  { width: 1366, height: 768 },
  { width: 1180, height: 820 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
  desktop,
];

/** Arrangements without the library, by the text of their button. */
const layouts = ['Decks', 'Waves', 'Stems'] as const;

const longTitle =
  'A title of a song that no deck can show in one line, as remixers like to write them (extended)';

/** Returns the id of the track on a deck. */
async function trackIdOf(page: Page, title: string): Promise<string> {
  const reply = await page.request.get(`/api/tracks?q=${encodeURIComponent(title)}`);
  const { data } = (await reply.json()) as { data: readonly { id: string; title: string }[] };
  const found = data.find((track) => track.title === title);
  assert.ok(found, title);
  return found.id;
}

/** Renames a track as another tab of the same user would. */
async function rename(page: Page, id: string, title: string): Promise<void> {
  const reply = await page.request.patch(pathOf(updateTrack, { id }), {
    headers: { 'x-csrf-token': await csrfOf(page) },
    data: { title },
  });
  assert.equal(reply.status(), updateTrack.status, await reply.text());
}

/** Waits until the decks have no fault of arrangement, as may be there for a moment after a change of size. */
async function untilArranged(page: Page, where: string, mayScroll = false): Promise<void> {
  await untilEqual(`faults of arrangement, ${where}`, () => arrangementFaults(page, mayScroll), []);
}

/** Tests that two decks with stems fit every screen, and that nothing moves on them; leaves both decks paused. */
export async function fitScreens(
  t: TestContext,
  { page, shoot }: Pick<Visit, 'page' | 'shoot'>,
  [one = '', two = '']: readonly string[],
): Promise<void> {
  const deckB = deckOf(page, 'B');
  const control = (name: string) => controlOf(page, name);
  const layout = (name: string) =>
    page.getByRole('group', { name: 'Layout' }).getByRole('button', { name, exact: true });
  const ids = [await trackIdOf(page, one), await trackIdOf(page, two)] as const;

  await t.test('two decks with stems and long titles fit every screen without scrolling', async () => {
    for (const letter of ['A', 'B'] as const) await letPlay(page, letter, false);
    if (await deckB.getByRole('button', { name: 'Load stems' }).isVisible())
      await deckB.getByRole('button', { name: 'Load stems' }).click();
    await control('Mute Vocals, deck B').waitFor();
    for (const id of ids) await rename(page, id, longTitle);
    for (const letter of ['A', 'B'] as const)
      await deckOf(page, letter).getByRole('heading', { name: longTitle }).waitFor();
    for (const size of screens) {
      await page.setViewportSize(size);
      const where = `${size.width} × ${size.height}`;
      await untilArranged(page, where);
      await page.getByRole('grid', { name: 'Tracks' }).getByRole('row').nth(2).waitFor();
      await assertAccessible(page, where);
      await shoot(`dj-${size.width}`);
    }
  });

  await t.test('every layout fits the smallest screens, and the chosen one is marked', async () => {
    for (const size of [screens[0], screens[3]]) {
      await page.setViewportSize(size ?? desktop);
      for (const name of layouts) {
        await layout(name).click();
        await untilEqual(`${name} is chosen`, () => layout(name).getAttribute('aria-pressed'), 'true');
        await untilArranged(page, `${name} at ${size?.width}`);
        await page.getByRole('grid', { name: 'Tracks' }).waitFor({ state: 'hidden' });
        await shoot(`dj-${name.toLowerCase()}-${size?.width}`);
      }
      await assertAccessible(page, `stems at ${size?.width}`);
      await page.getByRole('tab', { name: 'Library' }).click();
      await page.getByRole('grid', { name: 'Tracks' }).waitFor();
    }
  });

  await t.test('the views of a phone have no clipped or overlapping control', async () => {
    await page.setViewportSize(phone);
    for (const view of ['Deck A', 'Mixer', 'Deck B']) {
      await control(view).click();
      await untilPressed(page, view, true);
      await untilArranged(page, view, true);
      await assertAccessible(page, `${view} on a phone`);
    }
    await page.setViewportSize(desktop);
    for (const [at, title] of [one, two].entries()) await rename(page, ids[at] ?? '', title);
    await deckOf(page, 'A').getByRole('heading', { name: one }).waitFor();
    await deckB.getByRole('heading', { name: two }).waitFor();
  });

  await t.test('menus and settings move nothing, and the settings cover no fader', async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await untilArranged(page, 'before');
    const before = await controlBoxes(page);
    await openSettings(page);
    await untilUnmoved(page, before);
    assert.deepEqual(await coveredControls(page), []);
    await assertAccessible(page, 'settings of the decks');
    for (const curve of ['constant power', 'sharp cut', 'slow fade', 'linear'])
      await selectOption(page.getByRole('combobox', { name: 'Crossfader curve' }), curve);
    await shoot('dj-settings');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Deck settings' }).waitFor({ state: 'hidden' });
    await deckOf(page, 'A')
      .getByRole('button', { name: /^Loop of Drums, deck A/ })
      .click();
    await page.getByRole('dialog', { name: 'Loop of Drums, deck A' }).waitFor();
    await untilUnmoved(page, before);
    await page.keyboard.press('Escape');
    await page.setViewportSize(desktop);
  });

  await t.test('no menu covers a control in the layouts without the library', async () => {
    const menus = [
      'Settings of Effect 1, deck A',
      'Settings of Effect 1, deck B',
      'Settings of Master effect',
      /^Loop of Drums, deck A/,
      /^Loop of Drums, deck B/,
      /^Recordings/,
      'Settings',
    ];
    for (const size of [screens[0], screens[3]]) {
      await page.setViewportSize(size ?? desktop);
      for (const name of ['Decks', 'Stems']) {
        await layout(name).click();
        await untilArranged(page, `${name} at ${size?.width}`);
        for (const menu of menus) {
          await page
            .getByRole('region', { name: 'Decks' })
            .getByRole('button', { name: menu, exact: true })
            .click();
          await page.getByRole('dialog').waitFor();
          await untilEqual(
            `controls under ${menu}, ${name} at ${size?.width}`,
            () => coveredControls(page),
            [],
          );
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }
      }
    }
    await page.getByRole('tab', { name: 'Library' }).click();
    await page.setViewportSize(desktop);
    await untilArranged(page, 'with the library again');
  });

  await t.test('the divider gives the library more rows, by keys and by pointer', async () => {
    const divider = page.getByRole('separator', { name: 'Height of the library' });
    // Of the whole region: the list drops a row of its head where it gets low.
    const heightOf = async () => desktop.height - ((await divider.boundingBox())?.y ?? 0);
    const initial = await heightOf();
    await divider.press('ArrowDown');
    await divider.press('ArrowDown');
    await until('height of the region', heightOf, (px) => Math.abs(initial - px - 56) < 2);
    await divider.press('ArrowUp');
    await until('height of the region', heightOf, (px) => Math.abs(initial - px - 28) < 2);
    const box = await divider.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 200, box.y + 3);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 23, { steps: 4 });
    await page.mouse.up();
    await until('height of the region', heightOf, (px) => Math.abs(initial - px - 48) < 3);
    await untilArranged(page, 'with less of the library');
    // The decks keep what they need.
    await divider.press('End');
    await untilArranged(page, 'with as much of the library as there is space for');
    await divider.dblclick();
    await until('height of the region', heightOf, (px) => Math.abs(initial - px) < 2);
    await divider.press('ArrowDown');
  });

  await t.test('a tempo is typed into the BPM field, and an impossible one is refused', async () => {
    const open = deckB.getByRole('button', { name: /BPM of deck B/ });
    const field = page.getByRole('textbox', { name: 'BPM of deck B' });
    const before = await bpmOf(page, 'B');
    await open.click();
    await field.fill('fast');
    await field.press('Enter');
    await deckB.getByRole('alert').filter({ hasText: 'BPM' }).waitFor();
    await field.press('Escape');
    assert.equal(await bpmOf(page, 'B'), before);
    await open.click();
    await field.fill(String(Math.round(before) + 3));
    await field.press('Enter');
    await untilEqual('BPM of deck B', () => bpmOf(page, 'B'), Math.round(before) + 3);
    await field.waitFor({ state: 'hidden' });
    await sliderOf(page, 'Tempo of deck B').press('Delete');
    await untilValue(page, 'Tempo of deck B', 0);
  });

  await t.test('a press on the clock shows timecode, bars, and the elapsed time again', async () => {
    const clock = deckB.getByRole('button', { name: /^Clock of deck B/ });
    const shown = async () => (await clock.innerText()).split('\n').at(-1) ?? '';
    for (const pattern of [/^\d\d:\d\d:\d\d:\d\d$/, /^-?\d+\.\d\.\d{3}$/, /^\d+:\d\d$/]) {
      await clock.click();
      await until('second line of the clock', shown, (text) => pattern.test(text));
    }
  });
}
