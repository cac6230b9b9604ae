import { NOMINAL_BPM } from '@stem-studio/contract/decks/synced-tempo';

/** Beats of a song for the arithmetic of loops and jumps: see {@link deckTiming}. */
export interface DeckTiming {
  /** Two or more beats in seconds, ascending: those of the grid, or evenly spaced ones where it has none. */
  beats: readonly number[];
  /** Whether the beats are those of the song. Evenly spaced ones state the length of a beat only. */
  hasGrid: boolean;
  durationSeconds: number;
}

/**
 * Returns the timing of a song: from its beats, else from its tempo, else from 120 bpm, so that loops and jumps have a
 * length.
 *
 * @param bpm beats per minute as recorded, or null
 */
export function deckTiming(
  beats: readonly number[],
  bpm: number | null,
  durationSeconds: number,
): DeckTiming {
  if (beats.length >= 2) return { beats, hasGrid: true, durationSeconds };
  return { beats: [0, 60 / (bpm ?? NOMINAL_BPM)], hasGrid: false, durationSeconds };
}
