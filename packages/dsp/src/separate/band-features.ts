/** Returns edges in bins of bands of equal width on a logarithmic scale, each at least one bin wide. */
export function logBandEdges(firstBin: number, lastBin: number, bands: number): Int32Array {
  const edges = Int32Array.from({ length: bands + 1 }, (_, i) =>
    Math.round(firstBin * (lastBin / firstBin) ** (i / bands)),
  );
  for (let i = 1; i <= bands; i++) edges[i] = Math.max(edges[i] as number, (edges[i - 1] as number) + 1);
  return edges;
}

/**
 * Returns the square root of the mean magnitude of each band and frame: a compressed spectrum.
 *
 * @param spectrogram magnitudes, `bins` per frame
 */
export function bandFeatures(spectrogram: Float32Array, bins: number, edges: Int32Array): Float32Array {
  const width = edges.length - 1;
  const frames = spectrogram.length / bins;
  const features = new Float32Array(frames * width);
  for (let t = 0; t < frames; t++) {
    for (let band = 0; band < width; band++) {
      const from = edges[band] as number;
      const to = edges[band + 1] as number;
      let sum = 0;
      for (let k = from; k < to; k++) sum += spectrogram[t * bins + k] as number;
      features[t * width + band] = Math.sqrt(sum / (to - from));
    }
  }
  return features;
}

/** Scales each frame to unit length, in place, so that level does not matter. */
export function normaliseFrames(features: Float32Array, width: number): void {
  for (let at = 0; at < features.length; at += width) {
    const frame = features.subarray(at, at + width);
    let energy = 1e-9;
    for (const value of frame) energy += value * value;
    const scale = 1 / Math.sqrt(energy);
    for (let i = 0; i < width; i++) frame[i] = (frame[i] as number) * scale;
  }
}

/**
 * Standardises each band to mean 0 and deviation about 1, in place. Bands that hardly vary are not amplified.
 */
export function standardiseBands(features: Float32Array, width: number): void {
  const frames = features.length / width;
  for (let band = 0; band < width; band++) {
    let mean = 0;
    for (let at = band; at < features.length; at += width) mean += (features[at] as number) / frames;
    let variance = 0;
    for (let at = band; at < features.length; at += width) {
      variance += ((features[at] as number) - mean) ** 2 / frames;
    }
    const scale = 1 / (Math.sqrt(variance) + 0.1 * mean + 1e-9);
    for (let at = band; at < features.length; at += width) {
      features[at] = ((features[at] as number) - mean) * scale;
    }
  }
}
