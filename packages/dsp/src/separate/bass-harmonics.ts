/** Number of harmonics that are followed: up to 1 kHz for the lowest pitch. */
const harmonicCount = 30;
/** Quantile over all frames of a harmonic's level relative to the lowest two: other instruments only add to it. */
const profileQuantile = 0.3;
/** Frames count in which the lowest two harmonics reach this part of their usual level. */
const loudPart = 0.3;
/** Quantile of the level of the lowest two harmonics that is usual. */
const usualQuantile = 0.7;
const fewestFrames = 20;

/**
 * Returns, for each frame, the part of each harmonic of the bass line that the bass itself plays, 0 to 1 in power.
 *
 * A bass has about the same spectrum in all of its notes. Its usual level in each harmonic, relative to the lowest two,
 * is a low quantile over the segment, because guitars and pianos add to a harmonic only now and then; what rises above
 * that is theirs. A harmonic with fewer than 20 frames is nobody's.
 *
 * @param magnitude without drums, `bins` values per frame
 * @param pitchHz of each frame
 */
export function estimateBassHarmonics(
  magnitude: Float32Array,
  bins: number,
  binHz: number,
  pitchHz: Float64Array,
): Float32Array[] {
  const levels = Array.from(pitchHz, (hz, t) => {
    const frame = new Float32Array(harmonicCount);
    for (let harmonic = 1; harmonic <= harmonicCount; harmonic++) {
      const k = Math.round((harmonic * hz) / binHz);
      if (k + 1 >= bins) break;
      const at = t * bins + k;
      frame[harmonic - 1] = Math.max(
        magnitude[at - 1] ?? 0,
        magnitude[at] as number,
        magnitude[at + 1] as number,
      );
    }
    return frame;
  });
  const references = levels.map((frame) => Math.hypot(frame[0] as number, frame[1] as number));
  const usual = quantileOf(references, usualQuantile);
  const profile = Float64Array.from({ length: harmonicCount }, (_, h) => {
    const ratios: number[] = [];
    for (const [t, frame] of levels.entries()) {
      const level = frame[h] as number;
      const reference = references[t] as number;
      if (level > 0 && reference > loudPart * usual) ratios.push(level / reference);
    }
    return ratios.length < fewestFrames ? 0 : quantileOf(ratios, profileQuantile);
  });
  for (const [t, frame] of levels.entries()) {
    for (let h = 0; h < harmonicCount; h++) {
      const expected = (profile[h] as number) * (references[t] as number);
      frame[h] = Math.min(1, expected / ((frame[h] as number) + 1e-9)) ** 2;
    }
  }
  return levels;
}

function quantileOf(values: readonly number[], quantile: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0;
}
