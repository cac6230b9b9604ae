import type { QueryClient } from '@tanstack/react-query';
import { type WaveformPaths, waveformPaths } from '../../canvas/waveform-path.ts';
import { peaksQuery } from '../../client/peaks-query.ts';
import { whenListRests } from './list-motion.ts';

/** Size of the waveform in pixels; the style sheet has the same. */
const WIDTH_PX = 140;
const HEIGHT_PX = 24;
/** Waveforms that are kept; the ones loaded first are dropped. */
const MOST_KEPT = 1000;
/** Files loaded at once, so that the connections of the browser stay free for the list itself. */
const MOST_AT_ONCE = 3;

/** A waveform that can be drawn in a row. */
interface RowWaveform extends WaveformPaths {
  readonly viewBox: string;
}

/** Waveforms by the path of their file; null for an unreadable file. */
const kept = new Map<string, RowWaveform | null>();

/** The waveforms that are loaded, by the path of their file; null for an unreadable file. */
export const rowWaveforms: ReadonlyMap<string, RowWaveform | null> = kept;

/** Requests that wait, the newest last. */
const waiting: (() => Promise<void>)[] = [];
let running = 0;

function startNext(): void {
  while (running < MOST_AT_ONCE) {
    const next = waiting.shift();
    if (!next) return;
    running += 1;
    void next().finally(() => {
      running -= 1;
      startNext();
    });
  }
}

async function load(client: QueryClient, path: string): Promise<void> {
  // A file that cannot be loaded has no waveform; its row stays usable.
  const peaks = await client.fetchQuery({ ...peaksQuery(path), gcTime: 0 }).catch(() => null);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  const viewBox = `0 0 ${WIDTH_PX} ${HEIGHT_PX}`;
  kept.set(path, peaks && { ...waveformPaths(peaks, WIDTH_PX, HEIGHT_PX), viewBox });
}

/**
 * Loads a waveform as soon as the list rests, and calls `onLoad` when it is in {@link rowWaveforms}; does nothing if it
 * is there already. The returned function cancels the request unless it runs.
 */
export function loadRowWaveform(client: QueryClient, path: string, onLoad: () => void): () => void {
  if (kept.has(path)) return () => undefined;
  let isCancelled = false;
  const request = async () => {
    if (isCancelled) return;
    if (!kept.has(path)) await load(client, path);
    if (!isCancelled) onLoad();
  };
  const cancel = whenListRests(() => {
    waiting.push(request);
    startNext();
  });
  return () => {
    isCancelled = true;
    cancel();
  };
}
