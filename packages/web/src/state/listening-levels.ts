import { MAX_COUNT_IN_BARS } from '@stem-studio/audio/player/player-state';
import { z } from 'zod';
import { parseStored, readStored, writeStored } from './browser-storage.ts';

const storageKey = 'stem-studio.listening-levels';
const stored = z.object({
  version: z.literal(1),
  master_volume: z.number().min(0).max(1),
  metronome_gain: z.number().min(0).max(1),
  count_in_bars: z.int().min(0).max(MAX_COUNT_IN_BARS),
});

/** Settings of a player that belong to the listener and not to a track, kept in this browser. */
export interface ListeningLevels {
  /** Master fader, 0 to 1. */
  readonly masterVolume: number;
  /** Linear gain of the metronome's clicks, 0 to 1. */
  readonly metronomeGain: number;
  /** Bars that are counted in before playback, 0 to 2. */
  readonly countInBars: number;
}

/** Parses stored levels; null for text of another format or version. */
export function parseLevels(text: string | null | undefined): ListeningLevels | null {
  const data = parseStored(text, stored);
  return (
    data && {
      masterVolume: data.master_volume,
      metronomeGain: data.metronome_gain,
      countInBars: data.count_in_bars,
    }
  );
}

/** Returns levels as text for {@link parseLevels}. */
export function levelsText({ masterVolume, metronomeGain, countInBars }: ListeningLevels): string {
  return JSON.stringify({
    version: 1,
    master_volume: masterVolume,
    metronome_gain: metronomeGain,
    count_in_bars: countInBars,
  } satisfies z.input<typeof stored>);
}

/** Returns the levels of this browser, or null. */
export function readLevels(): ListeningLevels | null {
  return parseLevels(readStored(storageKey));
}

/** Keeps the levels in this browser. */
export function writeLevels(levels: ListeningLevels): void {
  writeStored(storageKey, levelsText(levels));
}
