/** Tempo that stands for songs which have none, so that their faders have something to scale. */
export const NOMINAL_BPM = 120;
/** As in the booth, so that what is shown is what is heard. */
const HOLD_OCTAVES = 0.1;

/**
 * Deviation in percent that brings a song to the tempo of another, by the way that changes it least: at the other's
 * tempo, at half or at double of it.
 *
 * @param bpm tempo to follow, beats a minute, above 0
 * @param trackBpm tempo of the song as recorded, above 0
 * @param held how often its beats go into those of the other now, above 0; that octave is kept until another is nearer
 *   by a tenth of one. Null chooses anew.
 */
export function syncedTempoPercent(bpm: number, trackBpm: number, held: number | null = null): number {
  const octaves = Math.log2(trackBpm / bpm);
  const kept = held === null ? null : boundedOctave(Math.log2(held));
  const octave =
    kept !== null && Math.abs(octaves - kept) <= 0.5 + HOLD_OCTAVES ? kept : boundedOctave(octaves);
  return 100 * ((bpm * 2 ** octave) / trackBpm - 1);
}

function boundedOctave(octaves: number): number {
  return Math.max(-1, Math.min(1, Math.round(octaves)));
}

/** Beats a minute that a deck plays at now, or null where its song has none. */
export function playedBpm(deck: { track_bpm: number | null; tempo_percent: number }): number | null {
  return deck.track_bpm === null ? null : deck.track_bpm * (1 + deck.tempo_percent / 100);
}
