import type { StemType } from '@stem-studio/contract/resources/stem';

/** Where the sound of a track is. */
export interface SongSource {
  address: string;
  /** As the track says it: `wav`, `flac`, `mp3` and so on. */
  codec: string;
  durationMs: number;
}

/** Where the sound of a stem is. */
export interface StemSource {
  type: StemType;
  address: string;
}

/** The beats of a track: places in seconds, ascending; empty where it has none. */
export interface DeckGrid {
  beats: readonly number[];
  downbeats: readonly number[];
  bpm: number | null;
  beatsPerBar: number;
}

/** What a deck asks for when it loads; each may throw in message for a listener. */
export interface DeckFiles {
  song(trackId: string): Promise<SongSource>;
  stems(processingJobId: string): Promise<readonly StemSource[]>;
  grid(trackId: string): Promise<DeckGrid>;
}

/** The grid of a song without beats. */
export const noGrid: DeckGrid = { beats: [], downbeats: [], bpm: null, beatsPerBar: 4 };
