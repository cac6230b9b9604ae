/** Tempo that stands for songs which have none, so that their faders have something to scale. */
export const NOMINAL_BPM = 120;

/**
 * Deviation in percent that brings a song to the tempo of another, by the way that changes it least: at the other's
 * tempo, at half or at double of it.
 *
 * @param bpm tempo to follow, beats a minute, above 0
 * @param trackBpm tempo of the song as recorded, above 0
 */
export function syncedTempoPercent(bpm: number, trackBpm: number): number {
  const octave = Math.round(Math.log2(trackBpm / bpm));
  const ratio = (bpm * 2 ** Math.max(-1, Math.min(1, octave))) / trackBpm;
  return 100 * (ratio - 1);
}

/** Beats a minute that a deck plays at now, or null where its song has none. */
export function playedBpm(deck: { track_bpm: number | null; tempo_percent: number }): number | null {
  return deck.track_bpm === null ? null : deck.track_bpm * (1 + deck.tempo_percent / 100);
}
