import { CHUNK_FRAMES, type ChunkSamples } from '@stem-studio/renderer/sources/chunk';
import type { LivePeaks } from './song-player.ts';

/** Sample frames per peak; a chunk has a whole number of them. */
export const FRAMES_PER_PEAK = 512;
const PEAKS_PER_CHUNK = CHUNK_FRAMES / FRAMES_PER_PEAK;

/** Collects the waveform of a stem from chunks in any order; two bytes per peak, 0.6 MB per hour. */
export class PeakCollector implements LivePeaks {
  readonly framesPerPeak = FRAMES_PER_PEAK;
  readonly min: Int8Array;
  readonly max: Int8Array;
  version = 0;
  readonly #channels: number;
  readonly #arrived: Uint8Array;

  constructor(frames: number, channels: number) {
    const peaks = Math.ceil(frames / FRAMES_PER_PEAK);
    this.min = new Int8Array(peaks);
    this.max = new Int8Array(peaks);
    this.#channels = channels;
    this.#arrived = new Uint8Array(Math.ceil(frames / CHUNK_FRAMES));
  }

  /** Whether the peak at `index` is known; it stays so when its chunk is dropped. */
  has(index: number): boolean {
    return this.#arrived[Math.floor(index / PEAKS_PER_CHUNK)] === 1;
  }

  /** Adds chunk `index`; a known one changes nothing. */
  add(index: number, samples: ChunkSamples): void {
    if (this.#arrived[index] !== 0) return;
    const scale = samples instanceof Int16Array ? 127 / 32_768 : 127;
    const step = FRAMES_PER_PEAK * this.#channels;
    for (let at = 0, peak = index * PEAKS_PER_CHUNK; at < samples.length; at += step, peak++) {
      let low = 0;
      let high = 0;
      for (let i = at; i < Math.min(at + step, samples.length); i++) {
        const sample = samples[i] ?? 0;
        if (sample < low) low = sample;
        else if (sample > high) high = sample;
      }
      this.min[peak] = Math.max(-127, Math.round(low * scale));
      this.max[peak] = Math.min(127, Math.round(high * scale));
    }
    this.#arrived[index] = 1;
    this.version++;
  }
}
