import { estimateBassHarmonics } from './bass-harmonics.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { findPitchPath } from './pitch-path.ts';
import { smoothStep } from './smooth-step.ts';
import { binCount, binHz } from './stereo-spectrogram.ts';

/** The bass line and its harmonics are searched below this frequency. */
const searchHz = 1000;
/** Without a known pitch, bins below `from` count as bass with `weight`, and none above `to`. */
const plainHz = { from: 140, to: 320, weight: 0.4 } as const;
/** Bins well below the pitch belong to the bass below `from`, and not at all above `to`. */
const belowPitchHz = { from: 140, to: 330 } as const;
/** Up to `from` a harmonic is the bass's; above `to` only as far as it is as strong as its harmonics usually are. */
const sharedHz = { from: 140, to: 250 } as const;
/** Harmonics of the bass fade out between these frequencies. */
const harmonicHz = { from: 600, to: 1000 } as const;
const toothBins = 1.6;

/**
 * Returns the mask of the bass: the harmonics of the lowest pitch, and weakly other low bins.
 *
 * Where other instruments play too, a harmonic is the bass's only as far as the bass's harmonics usually reach: see
 * {@link estimateBassHarmonics}.
 *
 * @param magnitude {@link binCount} values per frame
 * @param drums mask of the drums, of the same shape; the masks sum to at most 1
 * @param pool provides the result
 * @param reach `harmonics`: to 1 kHz, as described; `low`: to 330 Hz, without regard to other instruments
 * @see Ryynänen and Klapuri, Automatic Transcription of Melody, Bass Line, and Chords in Polyphonic Music (2008),
 *   for following the bass line as a path of harmonic salience
 */
export function createBassMask(
  magnitude: Float32Array,
  drums: Float32Array,
  pool: BufferPool = createBufferPool(),
  reach: 'harmonics' | 'low' = 'harmonics',
): Float32Array {
  const frames = magnitude.length / binCount;
  const searchBins = Math.ceil(searchHz / binHz) + 2;
  const rest = pool.acquire(frames * searchBins);
  const strength = pool.acquire(frames * searchBins);
  for (let t = 0; t < frames; t++) {
    for (let k = 0; k < searchBins; k++) {
      const at = t * binCount + k;
      const value = (1 - (drums[at] as number)) * (magnitude[at] as number);
      rest[t * searchBins + k] = value;
      strength[t * searchBins + k] = (1 - 0.9 * smoothStep(k * binHz, 200, 500)) * value;
    }
  }
  const path = findPitchPath(strength, searchBins, binHz, {
    minHz: 32,
    maxHz: 250,
    stepSemitones: 0.5,
    harmonics: 5,
    harmonicDecay: 0.7,
    valleyWeight: 0,
    maxGlideSteps: 1,
    glideCost: 0.2,
    jumpCost: 2,
  });
  const parts = reach === 'low' ? null : estimateBassHarmonics(rest, searchBins, binHz, path.hz);
  pool.release(strength, rest);
  const mask = pool.acquire(magnitude.length);
  for (let t = 0; t < frames; t++) {
    const pitchHz = path.hz[t] as number;
    for (let k = 0; k < searchBins; k++) {
      const at = t * binCount + k;
      mask[at] = (1 - (drums[at] as number)) * bassWeight(k * binHz, pitchHz, parts?.[t] ?? null);
    }
  }
  return mask;
}

/** @param parts part of each harmonic that is the bass's, from the fundamental on; null if only low ones count */
function bassWeight(hz: number, pitchHz: number, parts: Float32Array | null): number {
  const plain = plainHz.weight * (1 - smoothStep(hz, plainHz.from, plainHz.to));
  if (hz < 0.6 * pitchHz) return Math.max(plain, 1 - smoothStep(hz, belowPitchHz.from, belowPitchHz.to));
  const harmonic = Math.max(1, Math.round(hz / pitchHz));
  const width = toothBins + (0.006 * hz) / binHz;
  const offset = Math.abs(hz - harmonic * pitchHz) / binHz / width;
  const tooth = Math.exp(-0.5 * offset ** 4);
  if (parts === null) {
    return Math.max(plain, tooth * (1 - smoothStep(hz, belowPitchHz.from, belowPitchHz.to)));
  }
  const own = parts[harmonic - 1] ?? 0;
  const part = own + (1 - own) * (1 - smoothStep(hz, sharedHz.from, sharedHz.to));
  return Math.max(plain, part * tooth * (1 - smoothStep(hz, harmonicHz.from, harmonicHz.to)));
}
