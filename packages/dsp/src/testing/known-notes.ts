/** A synthesised note: a decaying tone with five harmonics. */
export interface KnownNote {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** MIDI number; a fraction lies between two keys. */
  readonly pitch: number;
}

/** Renders notes in mono over noise 60 dB below full scale; the samples are the same each time. */
export function knownNotes(notes: readonly KnownNote[], seconds: number, sampleRate: number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * sampleRate));
  let state = 7;
  for (let at = 0; at < samples.length; at++) {
    state = (state * 48_271) % 2_147_483_647;
    samples[at] = 0.001 * (state / 1_073_741_823.5 - 1);
  }
  for (const { startSeconds, endSeconds, pitch } of notes) {
    const hz = 440 * 2 ** ((pitch - 69) / 12);
    const [from, to] = [Math.round(startSeconds * sampleRate), Math.round(endSeconds * sampleRate)];
    for (let at = from; at < Math.min(to, samples.length); at++) {
      const t = (at - from) / sampleRate;
      let value = 0;
      for (let harmonic = 1; harmonic <= 5; harmonic++) {
        value += Math.sin(2 * Math.PI * hz * harmonic * t) / harmonic ** 2;
      }
      // Fades of 5 ms at both ends avoid clicks.
      const edge = Math.min(1, t / 0.005, (to - at) / sampleRate / 0.005);
      samples[at] = (samples[at] ?? 0) + 0.2 * value * Math.exp(-2 * t) * edge;
    }
  }
  return samples;
}
