/** Tempo assumed for tracks without one, so that their tempo faders have a value to scale. */
export const NOMINAL_BPM = 120;
/** Hysteresis in octaves before a follower changes its octave; the same value as in the DJ engine. */
const HOLD_OCTAVES = 0.1;

/**
 * Returns the tempo deviation in percent that matches a track to a tempo with the smallest change: at that tempo, at
 * half or at double.
 *
 * @param bpm tempo to follow in beats per minute, above 0
 * @param trackBpm recorded tempo of the track, above 0
 * @param held current ratio of the deck's tempo to the tempo to follow, above 0; its octave is kept until another is
 *   nearer by a tenth of an octave. Null selects the nearest octave.
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

/** Returns the current tempo of a deck in beats per minute, or null if its track has none. */
export function playedBpm(deck: { track_bpm: number | null; tempo_percent: number }): number | null {
  return deck.track_bpm === null ? null : deck.track_bpm * (1 + deck.tempo_percent / 100);
}
