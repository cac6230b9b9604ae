import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAnalysis } from '@stem-studio/contract/endpoints/analysis';
import { getBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { listCues } from '@stem-studio/contract/endpoints/cues';
import type { Page } from 'playwright-core';
import { desktop, phone } from './browser.ts';
import { openTrackTab, songPosition, untilSongPosition } from './player-page.ts';
import { openSmallSong } from './small-song-page.ts';
import { ladderSong } from './test-audio.ts';
import { until, untilFits } from './until.ts';

const analysisLimitMs = 180_000;

/** Sends an API request from the page with its CSRF token and returns the parsed JSON reply. */
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

/** Returns the phase offset of a beat grid against another one, in beats, from −0.5 to 0.5. */
function offset(beats: readonly number[], other: readonly number[]): number {
  const period = (other[1] ?? 0) - (other[0] ?? 0);
  const off = ((beats[0] ?? 0) - (other[0] ?? 0)) / period;
  return off - Math.round(off);
}

function assertNear(what: string, got: number, wanted: number, within: number): void {
  assert.ok(Math.abs(got - wanted) < within, `${what}: ${got} and not ${wanted} ± ${within}`);
}

/** Dispatches key presses without a pause, because a pause between them would start a separate edit. */
async function pressAtOnce(page: Page, keys: readonly { key: string; shiftKey?: boolean }[]): Promise<void> {
  await page.evaluate((pressed) => {
    for (const key of pressed)
      dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
  }, keys);
}

/** Dispatches evenly spaced taps at once, with time stamps in the past: the page uses only the time stamps. */
async function tapEvenly(page: Page, taps: number, periodMs: number): Promise<void> {
  await page.evaluate(
    (asked) => {
      const last = performance.now();
      for (let left = asked.taps - 1; left >= 0; left -= 1) {
        const press = new KeyboardEvent('keydown', { key: 't', bubbles: true, cancelable: true });
        Object.defineProperty(press, 'timeStamp', { value: last - left * asked.periodMs });
        dispatchEvent(press);
      }
    },
    { taps, periodMs },
  );
}

/** Texts of the buttons of each kind of alternative. */
const labelsOf = {
  shift: /^(Half a|A third of a|Two thirds of a) beat later$/,
  multiply: /^(Double|Half|Triple|Third|×1½|×⅔)$/,
  metre: /^\d\/[48]$/,
};

test('manual editing of a beat grid', async (t) => {
  // A song of single accents, whose bars are uncertain.
  const song = ladderSong(20, 200);
  const { page, context, shoot } = await openSmallSong(t, 20, { AUTO_SEPARATE: 'off' }, song);
  const panel = page.getByRole('region', { name: 'Beat grid' });
  const summary = panel.getByRole('status');
  const press = (name: string | RegExp) => panel.getByRole('button', { name }).click();
  await openTrackTab(page, 'Grid & cues');
  await panel.waitFor({ timeout: analysisLimitMs });
  const firstCue = page.getByRole('region', { name: 'Cue points' }).getByRole('listitem').first();
  await firstCue.waitFor({ timeout: analysisLimitMs });
  await page.getByRole('button', { name: 'Expand player' }).click();
  const [id] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];
  assert.ok(id, `no track in ${page.url()}`);
  const gridNow = async () => getBeatGrid.reply.parse(await ask(page, 'GET', `/api/tracks/${id}/grid`)).data;
  const saved = async (action: () => Promise<unknown>) => {
    const reply = page.waitForResponse((response) => response.url().endsWith('/grid/edits'));
    await action();
    assert.equal((await reply).status(), 200);
    return gridNow();
  };
  const detected = await gridNow();
  const beatsShown = page.getByRole('slider', { name: 'Grid position' });

  await t.test('shows the detected grid on the waveform', async () => {
    assert.equal(detected.grid_source, 'detected');
    await summary.getByText(/detected/).waitFor();
    await panel.scrollIntoViewIfNeeded();
    await shoot('beat-grid');
  });

  await t.test('offers what else the beats may be, the most probable first, one press each', async () => {
    const analysis = getAnalysis.reply.parse(await ask(page, 'GET', `/api/analysis/${id}`)).data;
    const alternatives = analysis.rhythm_alternatives ?? [];
    const group = panel.getByRole('group', { name: 'Alternatives' });
    await group.waitFor();
    const labels = await group.getByRole('button').allTextContents();
    assert.ok(alternatives.length > 0);
    assert.equal(labels.length, alternatives.length);
    alternatives.forEach(({ change, probability }, index) => {
      assert.match(labels[index] ?? '', labelsOf[change]);
      assert.ok(probability <= (alternatives[index - 1]?.probability ?? 1));
    });
    const edited = await saved(() => group.getByRole('button').first().click());
    assert.equal(edited.grid_source, 'manual');
    await group.waitFor({ state: 'detached' });
    const undone = await saved(() => page.keyboard.press('Control+z'));
    assert.deepEqual([undone.grid_source, undone.beats], ['detected', detected.beats]);
    await group.waitFor();
  });

  await t.test('halves and doubles the beats and shifts them by half a beat', async () => {
    const halved = await saved(() => press('Halve BPM (−)'));
    assert.equal(halved.tempo, detected.tempo / 2);
    await summary.getByText(/manual/).waitFor();
    const bpm = page.getByRole('definition').first();
    await bpm.getByText(String(detected.tempo / 2), { exact: true }).waitFor();
    const doubled = await saved(() => press('Double BPM (+)'));
    assert.equal(doubled.tempo, detected.tempo);
    const off = await saved(() => press('Half a beat later (])'));
    assertNear('beats later', Math.abs(offset(off.beats, detected.beats)), 0.5, 0.002);
    const back = await saved(() => press('Half a beat earlier ([)'));
    assertNear('beats later', offset(back.beats, detected.beats), 0, 0.002);
  });

  await t.test('several nudges by key are one edit, and the grid strip can be dragged', async () => {
    const before = await gridNow();
    const nudged = await saved(() =>
      pressAtOnce(page, [{ key: '.' }, { key: '.' }, { key: '>', shiftKey: true }]),
    );
    assert.equal(nudged.grid_version, before.grid_version + 1);
    const period = 60 / before.tempo;
    assertNear('seconds later', offset(nudged.beats, before.beats) * period, 0.012, 0.0005);
    await beatsShown.hover({ position: { x: 300, y: 12 } });
    const box = await beatsShown.boundingBox();
    assert.ok(box);
    const dragged = await saved(async () => {
      await page.mouse.down();
      await page.mouse.move(box.x + 310, box.y + 12, { steps: 4 });
      await page.mouse.up();
    });
    // The width of the strip shows eight seconds.
    const expected = (10 / box.width) * 8;
    assertNear('seconds later', offset(dragged.beats, nudged.beats) * period, expected, 0.002);
    const undone = await saved(() => page.keyboard.press('Control+z'));
    assertNear('beats later', offset(undone.beats, nudged.beats), 0, 0.001);
  });

  await t.test('sets the downbeat at the playhead', async () => {
    await page.getByRole('slider', { name: 'Song position' }).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await untilSongPosition(page, 5);
    const counted = await saved(() => press('Set downbeat'));
    const nearest = counted.beats.toSorted((a, b) => Math.abs(a - 5) - Math.abs(b - 5))[0] ?? 0;
    assert.ok(
      counted.downbeats.includes(nearest),
      `${nearest} begins no bar: ${counted.downbeats.join(' ')}`,
    );
  });

  await t.test('tap tempo sets the beats and can be undone', async () => {
    await page.getByRole('button', { name: 'Metronome', exact: true }).click();
    // A clicked tool button does not keep the keyboard focus, so Space still plays.
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: /^Pause \(/ }).waitFor();
    await until(
      'position in the playing song',
      () => songPosition(page),
      (seconds) => seconds >= 6,
    );
    const tapped = await saved(() => tapEvenly(page, 7, 480));
    assert.deepEqual([tapped.undo, tapped.grid_source], ['tap', 'manual']);
    assertNear('tapped tempo', tapped.tempo, 125, 0.5);
    await page.getByRole('button', { name: /^Pause \(/ }).click();
    await shoot('beat-grid-tapped');
    await saved(() => press(/^Undo: tap tempo/));
    await page.getByRole('button', { name: 'Metronome', exact: true }).click();
  });

  await t.test('cue points move with the beats', async () => {
    const grid = await gridNow();
    await until(
      'how far each cue point is beside its beat, in ms',
      async () => {
        const { cues } = listCues.reply.parse(await ask(page, 'GET', `/api/tracks/${id}/cues`)).data;
        return cues.map((cue) => Math.abs(cue.position_ms - 1000 * (grid.beats[(cue.beat ?? 0) - 1] ?? 0)));
      },
      (off) => off.length > 3 && off.every((ms) => ms < 1),
    );
  });

  await t.test('a locked grid survives a new analysis and a reload', async () => {
    const mine = await saved(() => press('Lock'));
    await panel.getByRole('button', { name: 'Halve BPM (−)', disabled: true }).waitFor();
    const answer = (await ask(page, 'POST', '/api/analysis/analyze', { track_id: id })) as {
      data: { keeps_grid: boolean; job_id: string };
    };
    assert.equal(answer.data.keeps_grid, true);
    const job = async () => {
      const reply = (await ask(page, 'GET', `/api/jobs/${answer.data.job_id}`)) as {
        data: { status: string };
      };
      return reply.data.status;
    };
    const isOver = (status: string) => status === 'completed' || status === 'failed';
    assert.equal(await until('the analysis', job, isOver, analysisLimitMs), 'completed');
    await page.reload();
    await summary.getByText(/manual · locked/).waitFor();
    const after = await gridNow();
    assert.deepEqual([after.beats, after.downbeats], [mine.beats, mine.downbeats]);
  });

  await t.test(
    'another tab shows the change without a reload, and an edit of an older version is rejected',
    async () => {
      const other = await context.newPage();
      await other.goto(page.url());
      const theirs = other.getByRole('region', { name: 'Beat grid' });
      await theirs
        .getByRole('status')
        .getByText(/locked/)
        .waitFor();
      await saved(() => press('Locked'));
      await theirs.getByRole('button', { name: 'Lock', exact: true }).waitFor();
      await saved(() => press('Reset to detected'));
      await theirs
        .getByRole('status')
        .getByText(/detected/)
        .waitFor();
      const stale = (await ask(page, 'POST', `/api/tracks/${id}/grid/edits`, {
        edit: 'multiply',
        factor: '2',
        version: 1,
      })) as { code: string };
      assert.equal(stale.code, 'GRID_CHANGED');
      const back = await saved(() => press(/^Undo: reset to detected/));
      assert.equal(back.grid_source, 'manual');
      await other.close();
    },
  );

  await t.test('fits a phone screen', async () => {
    await page.setViewportSize(phone);
    await panel.scrollIntoViewIfNeeded();
    await untilFits(page);
    await shoot('phone-beat-grid');
    await page.setViewportSize(desktop);
  });
});
