import { NOMINAL_BPM } from '@stem-studio/contract/decks/synced-tempo';

/** How a song is counted, for the arithmetic of places: see {@link deckTiming}. */
export interface DeckTiming {
  /** Two or more beats in seconds, ascending: those of the grid, or of an even count where it has none. */
  beats: readonly number[];
  /** Whether the beats are where the song has them; an even count says how long a beat is, not where. */
  hasGrid: boolean;
  durationSeconds: number;
}

/**
 * How a song is counted: by its beats; by its tempo alone where there are none; by 120 beats a minute where there is no
 * tempo either, so that loops and jumps have a length.
 *
 * @param bpm beats a minute of the song as recorded, or null
 */
export function deckTiming(
  beats: readonly number[],
  bpm: number | null,
  durationSeconds: number,
): DeckTiming {
  if (beats.length >= 2) return { beats, hasGrid: true, durationSeconds };
  return { beats: [0, 60 / (bpm ?? NOMINAL_BPM)], hasGrid: false, durationSeconds };
}
