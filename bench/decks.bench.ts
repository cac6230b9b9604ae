import { pause } from '@stem-studio/server/platform/clock';
import { type DeckWindow, logIn, openDeckWindow } from '@stem-studio/server/testing/deck-windows';
import { openLibrary } from '@stem-studio/server/testing/library-steps';
import { startServiceProcess } from '@stem-studio/server/testing/service-process';
import { testWav } from '@stem-studio/server/testing/test-audio';
import type { Bench, BenchRow } from './bench.ts';

/** Presses for each number of windows, far enough apart not to delay each other or exceed a window's limit. */
const pressCount = 200;
const apartMs = 60;
const crowds = [2, 50] as const;
const barMs = 150;

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/**
 * Presses play and pause alternately in different windows. Returns the times in ms until the other windows were
 * notified, and until the reply.
 */
async function press(windows: readonly DeckWindow[]): Promise<{ others: number[]; answers: number[] }> {
  const others: number[] = [];
  const answers: number[] = [];
  let startedMs = 0;
  for (const one of windows)
    one.channel.on('deck_update', () => void others.push(performance.now() - startedMs));
  for (let i = 0; i < pressCount; i++) {
    const wanted = others.length + windows.length - 1;
    const sender = windows[i % windows.length];
    startedMs = performance.now();
    await sender?.act('toggle_play', { deck: 'a', position_ms: i });
    answers.push(performance.now() - startedMs);
    while (others.length < wanted) await pause(1);
    await pause(apartMs);
  }
  return { others, answers };
}

async function run(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
    const library = await openLibrary(lifetime);
    const { context, user } = library;
    const { id } = await library.addTrack(await testWav({ seconds: 5 }));
    const { address } = await startServiceProcess(context, 'serve', { NODE_ENV: 'production' });
    const rows: BenchRow[] = [];
    for (const count of crowds) {
      const login = await logIn(context, user);
      const windows: DeckWindow[] = [];
      while (windows.length < count) windows.push(await openDeckWindow(lifetime, address, login));
      await windows[0]?.act('load_track', { deck: 'a', track_id: id });
      await pause(500);
      log(`${count} windows of a login`);
      const { others, answers } = await press(windows);
      const bar = `≤ ${barMs} ms`;
      rows.push(
        {
          what: `press to the other window's update, ${count} windows, p50`,
          value: quantile(others, 0.5),
          unit: 'ms',
        },
        { what: 'the same, p95', value: quantile(others, 0.95), unit: 'ms', bar },
        { what: 'the same, the slowest', value: Math.max(...others), unit: 'ms' },
        { what: `press to its answer, ${count} windows, p95`, value: quantile(answers, 0.95), unit: 'ms' },
      );
    }
    return rows;
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the delay between windows of a deck session. */
export const bench: Bench = {
  name: 'decks',
  about: 'Play and pause on a deck in one window, until the other windows of the session are notified.',
  run: ({ log }) => run(log),
};
