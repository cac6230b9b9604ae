import type { StemType } from '@stem-studio/contract/resources/stem';

/** Audio file of a track. */
export interface SongSource {
  address: string;
  /** Codec as stored with the track: `wav`, `flac`, `mp3` and so on. */
  codec: string;
  durationMs: number;
}

/** Audio file of a stem. */
export interface StemSource {
  type: StemType;
  address: string;
}

/** Beats of a track in seconds, ascending; empty where it has none. */
export interface DeckGrid {
  beats: readonly number[];
  downbeats: readonly number[];
  bpm: number | null;
  beatsPerBar: number;
}

/** Access to the files that a deck loads; each function may throw with a message for the user. */
export interface DeckFiles {
  song(trackId: string): Promise<SongSource>;
  stems(processingJobId: string): Promise<readonly StemSource[]>;
  grid(trackId: string): Promise<DeckGrid>;
}

/** Grid of a song without beats. */
export const noGrid: DeckGrid = { beats: [], downbeats: [], bpm: null, beatsPerBar: 4 };
