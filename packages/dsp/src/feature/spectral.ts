/** Shape of one spectrum. All are 0 in silence. */
export interface SpectralShape {
  /** Mean frequency in Hz, weighted by magnitude. */
  centroidHz: number;
  /** Standard deviation from the centroid in Hz, weighted by magnitude. */
  bandwidthHz: number;
  /** Frequency in Hz below which 85 % of the magnitude lies. */
  rolloffHz: number;
}

const ROLLOFF = 0.85;

/**
 * Computes centroid, bandwidth and roll-off of a magnitude spectrum as librosa defines them; writes into `shape`.
 *
 * @param magnitude bins from 0 Hz to the Nyquist frequency
 * @param binHz Hz per bin
 * @see https://librosa.org/doc/latest/feature.html (spectral_centroid, spectral_bandwidth, spectral_rolloff)
 * @see Peeters, "A large set of audio features for sound description", IRCAM 2004
 */
export function measureSpectralShape(magnitude: Float32Array, binHz: number, shape: SpectralShape): void {
  let total = 0;
  let moment = 0;
  for (let bin = 0; bin < magnitude.length; bin++) {
    const value = magnitude[bin] ?? 0;
    total += value;
    moment += value * bin;
  }
  if (total < 1e-9) {
    shape.centroidHz = 0;
    shape.bandwidthHz = 0;
    shape.rolloffHz = 0;
    return;
  }
  const centroid = moment / total;
  let spread = 0;
  let below = 0;
  let rolloff = -1;
  for (let bin = 0; bin < magnitude.length; bin++) {
    const value = magnitude[bin] ?? 0;
    spread += value * (bin - centroid) ** 2;
    below += value;
    if (rolloff < 0 && below >= ROLLOFF * total) rolloff = bin;
  }
  shape.centroidHz = centroid * binHz;
  shape.bandwidthHz = Math.sqrt(spread / total) * binHz;
  shape.rolloffHz = Math.max(0, rolloff) * binHz;
}
