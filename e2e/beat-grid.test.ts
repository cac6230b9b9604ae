import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { listCues } from '@stem-studio/contract/endpoints/cues';
import type { Page } from 'playwright-core';
import { desktop, phone } from './browser.ts';
import { openSmallSong } from './small-song-page.ts';

const analysisLimitMs = 180_000;

/** A request as the page sends it. */
async function ask(page: Page, method: string, path: string, body?: object): Promise<unknown> {
  return page.evaluate(
    async (asked) => {
      const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute('content') ?? '';
      const reply = await fetch(asked.path, {
        method: asked.method,
        headers: { 'content-type': 'application/json', 'x-csrf-token': token },
        ...(asked.body && { body: JSON.stringify(asked.body) }),
      });
      return (await reply.json()) as unknown;
    },
    { method, path, body },
  );
}

/** How far beats are behind those of another grid, in beats, −0.5 to 0.5. */
function offset(beats: readonly number[], other: readonly number[]): number {
  const period = (other[1] ?? 0) - (other[0] ?? 0);
  const off = ((beats[0] ?? 0) - (other[0] ?? 0)) / period;
  return off - Math.round(off);
}

test('repairing the beats of a track by hand', async (t) => {
  const { page, context, shoot } = await openSmallSong(t, 20, { AUTO_SEPARATE: 'off' });
  const panel = page.getByRole('region', { name: 'Beat grid' });
  const summary = panel.getByRole('status');
  const press = (name: string | RegExp) => panel.getByRole('button', { name }).click();
  await panel.waitFor({ timeout: analysisLimitMs });
  await page.getByRole('region', { name: 'Cue points' }).getByRole('listitem').first().waitFor();
  await page.getByRole('button', { name: 'Give the track the whole page' }).click();
  const [id = ''] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];
  const gridNow = async () => getBeatGrid.reply.parse(await ask(page, 'GET', `/api/tracks/${id}/grid`)).data;
  const saved = async (action: () => Promise<unknown>) => {
    const reply = page.waitForResponse((response) => response.url().endsWith('/grid/edits'));
    await action();
    assert.equal((await reply).status(), 200);
    return gridNow();
  };
  const heard = await gridNow();
  const beatsShown = page.getByRole('slider', { name: 'Place of the grid' });

  await t.test('what was heard stands on the waveform', async () => {
    assert.equal(heard.grid_source, 'detected');
    await summary.getByText(/as it was heard/).waitFor();
    await panel.scrollIntoViewIfNeeded();
    await shoot('beat-grid');
  });

  await t.test('half the beats, twice the beats, and half a beat later', async () => {
    const halved = await saved(() => press('Half the beats (−)'));
    assert.equal(halved.tempo, heard.tempo / 2);
    await summary.getByText(/your own/).waitFor();
    const bpm = page.getByRole('definition').first();
    await bpm.getByText(String(heard.tempo / 2), { exact: true }).waitFor();
    const doubled = await saved(() => press('Twice the beats (+)'));
    assert.equal(doubled.tempo, heard.tempo);
    const off = await saved(() => press('Half a beat later (])'));
    assert.ok(Math.abs(Math.abs(offset(off.beats, heard.beats)) - 0.5) < 0.002);
    const back = await saved(() => press('Half a beat earlier ([)'));
    assert.ok(Math.abs(offset(back.beats, heard.beats)) < 0.002);
  });

  await t.test('milliseconds by keys are one edit, and the strip is dragged', async () => {
    const before = await gridNow();
    const nudged = await saved(async () => {
      for (const key of ['.', '.', 'Shift+>']) await page.keyboard.press(key);
    });
    assert.equal(nudged.grid_version, before.grid_version + 1);
    const period = 60 / before.tempo;
    assert.ok(Math.abs(offset(nudged.beats, before.beats) * period - 0.012) < 0.0005);
    const box = await beatsShown.boundingBox();
    assert.ok(box);
    const dragged = await saved(async () => {
      await page.mouse.move(box.x + 300, box.y + 12);
      await page.mouse.down();
      await page.mouse.move(box.x + 310, box.y + 12, { steps: 4 });
      await page.mouse.up();
    });
    // Eight seconds are as wide as the strip.
    const expected = (10 / box.width) * 8;
    assert.ok(Math.abs(offset(dragged.beats, nudged.beats) * period - expected) < 0.002);
    const undone = await saved(() => page.keyboard.press('Control+z'));
    assert.ok(Math.abs(offset(undone.beats, nudged.beats)) < 0.001);
  });

  await t.test('the one is where the playhead is', async () => {
    await page.getByRole('slider', { name: 'Place in the song' }).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      () => document.querySelector('[aria-label="Place in the song"]')?.getAttribute('aria-valuenow') === '5',
    );
    const counted = await saved(() => press('One is here'));
    const nearest = counted.beats.toSorted((a, b) => Math.abs(a - 5) - Math.abs(b - 5))[0] ?? 0;
    assert.ok(counted.downbeats.includes(nearest));
  });

  await t.test('tapping along sets the beats, and is undone', async () => {
    await press('Metronome');
    // A pressed tool does not keep the keyboard: Space plays.
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: /^Pause \(/ }).waitFor();
    await page.waitForFunction(
      () =>
        Number(document.querySelector('[aria-label="Place in the song"]')?.getAttribute('aria-valuenow')) >=
        6,
    );
    const tapped = await saved(() =>
      page.evaluate(async () => {
        const period = 500;
        const begun = performance.now();
        for (let tap = 0; tap < 7; tap += 1) {
          dispatchEvent(new KeyboardEvent('keydown', { key: 't', bubbles: true, cancelable: true }));
          await new Promise((resolve) => setTimeout(resolve, begun + (tap + 1) * period - performance.now()));
        }
      }),
    );
    // How evenly a busy machine taps is its own affair.
    assert.deepEqual([tapped.undo, tapped.grid_source], ['tap', 'manual']);
    assert.ok(Math.abs(tapped.tempo / heard.tempo - 1) < 0.15, `${tapped.tempo} bpm`);
    await page.getByRole('button', { name: /^Pause \(/ }).click();
    await shoot('beat-grid-tapped');
    await saved(() => press(/^Undo: tapping/));
    await press('Metronome');
  });

  await t.test('the cue points have moved with the beats', async () => {
    const grid = await gridNow();
    for (let tries = 0; ; tries += 1) {
      const { cues } = listCues.reply.parse(await ask(page, 'GET', `/api/tracks/${id}/cues`)).data;
      const off = cues.map((cue) =>
        Math.abs(cue.position_ms - 1000 * (grid.beats[(cue.beat ?? 0) - 1] ?? 0)),
      );
      if (cues.length > 3 && off.every((ms) => ms < 1)) break;
      assert.ok(tries < 100, `cue points are ${Math.max(...off)} ms beside their beats`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });

  await t.test('locked they stay, through another analysis and a reload', async () => {
    const mine = await saved(() => press('Lock'));
    assert.equal(await panel.getByRole('button', { name: 'Half the beats (−)' }).isDisabled(), true);
    const answer = (await ask(page, 'POST', '/api/analysis/analyze', { track_id: id })) as {
      data: { keeps_grid: boolean; job_id: string };
    };
    assert.equal(answer.data.keeps_grid, true);
    for (let tries = 0; ; tries += 1) {
      const job = (await ask(page, 'GET', `/api/jobs/${answer.data.job_id}`)) as { data: { status: string } };
      if (job.data.status === 'completed') break;
      assert.ok(tries < 600 && job.data.status !== 'failed');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await page.reload();
    await summary.getByText(/your own · locked/).waitFor();
    const after = await gridNow();
    assert.deepEqual([after.beats, after.downbeats], [mine.beats, mine.downbeats]);
  });

  await t.test('another tab sees the change by itself, and an edit that is older is told', async () => {
    const other = await context.newPage();
    await other.goto(page.url());
    const theirs = other.getByRole('region', { name: 'Beat grid' });
    await theirs
      .getByRole('status')
      .getByText(/locked/)
      .waitFor();
    await saved(() => press('Locked'));
    await theirs.getByRole('button', { name: 'Lock', exact: true }).waitFor();
    await saved(() => press('Back to detected'));
    await theirs
      .getByRole('status')
      .getByText(/as it was heard/)
      .waitFor();
    const stale = (await ask(page, 'POST', `/api/tracks/${id}/grid/edits`, {
      edit: 'multiply',
      factor: '2',
      version: 1,
    })) as { code: string };
    assert.equal(stale.code, 'GRID_CHANGED');
    const back = await saved(() => press(/^Undo: return to what was heard/));
    assert.equal(back.grid_source, 'manual');
    await other.close();
  });

  await t.test('fits a phone', async () => {
    await page.setViewportSize(phone);
    await panel.scrollIntoViewIfNeeded();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
    await shoot('phone-beat-grid');
    await page.setViewportSize(desktop);
  });
});
