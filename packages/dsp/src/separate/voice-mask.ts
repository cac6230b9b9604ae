import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { findPitchPath } from './pitch-path.ts';
import { smoothStep } from './smooth-step.ts';
import { binCount, binHz } from './stereo-spectrogram.ts';
import { voicePresence } from './voice-presence.ts';

/** The melody and its harmonics are searched below this frequency. */
const melodyHz = 6000;
const melodyBins = Math.ceil(melodyHz / binHz);
/** Part of the foreground kept between harmonics, for consonants and breath. */
const betweenHarmonics = 0.15;

/** Frequency range of a voice; above it cymbals dominate. */
const voiceHz = { lowFrom: 100, lowTo: 220, highFrom: 7000, highTo: 10_000 } as const;
/** Harmonics with vibrato look percussive; below these frequencies they are taken back from the drums. */
const reclaimHz = { from: 3000, to: 5000 } as const;

/**
 * Returns the mask of the vocals: the foreground along the harmonics of the melody, weighted by vocal presence.
 *
 * What it takes back from the drums is subtracted from `drums`.
 *
 * @param magnitude {@link binCount} values per frame, like all arguments
 * @param drums mask of the drums; changed
 * @param bass mask of the bass
 * @param foreground see `voiceForeground`
 * @param pool provides the result
 * @see Durrieu et al., Source/Filter Model for Unsupervised Main Melody Extraction From Polyphonic Audio Signals
 *   (2010), for separating the voice along its melody
 */
export function createVoiceMask(
  magnitude: Float32Array,
  drums: Float32Array,
  bass: Float32Array,
  foreground: Float32Array,
  pool: BufferPool = createBufferPool(),
): Float32Array {
  const frames = magnitude.length / binCount;
  const strength = pool.acquire(frames * melodyBins);
  const salience = pool.acquire(frames * melodyBins);
  const foregroundPower = new Float64Array(frames);
  const mixturePower = new Float64Array(frames);
  for (let t = 0; t < frames; t++) {
    for (let k = 0; k < binCount; k++) {
      const at = t * binCount + k;
      const level = magnitude[at] as number;
      const value = level * tonalRest(drums, bass, at) * (foreground[at] as number);
      foregroundPower[t] = (foregroundPower[t] as number) + value * value;
      mixturePower[t] = (mixturePower[t] as number) + level * level;
      if (k >= melodyBins) continue;
      strength[t * melodyBins + k] = value;
      salience[t * melodyBins + k] = Math.sqrt(value);
    }
  }
  const stepSemitones = 0.25;
  const path = findPitchPath(salience, melodyBins, binHz, {
    minHz: 90,
    maxHz: 900,
    stepSemitones,
    harmonics: 12,
    harmonicDecay: 0.84,
    valleyWeight: 0.7,
    maxGlideSteps: 2 / stepSemitones,
    glideCost: 0.6 * stepSemitones,
    jumpCost: 3,
  });
  const presence = voicePresence(path, strength, melodyBins, binHz, foregroundPower, mixturePower);

  pool.release(strength, salience);
  const mask = pool.acquire(magnitude.length);
  const comb = new Float32Array(binCount);
  const band = Float32Array.from({ length: binCount }, (_, k) => voiceBand(k * binHz));
  const reclaim = Float32Array.from(
    { length: binCount },
    (_, k) => 1 - smoothStep(k * binHz, reclaimHz.from, reclaimHz.to),
  );
  for (let t = 0; t < frames; t++) {
    drawComb(comb, path.hz[t] as number);
    for (let k = 0; k < binCount; k++) {
      const at = t * binCount + k;
      const weight =
        (presence[t] as number) * (comb[k] as number) * (band[k] as number) * (foreground[at] as number);
      const fromDrums = weight * (reclaim[k] as number) * (drums[at] as number);
      mask[at] = weight * tonalRest(drums, bass, at) + fromDrums;
      drums[at] = (drums[at] as number) - fromDrums;
    }
  }
  return mask;
}

/** Returns the part of a bin that neither drums nor bass have. */
function tonalRest(drums: Float32Array, bass: Float32Array, at: number): number {
  return Math.max(0, 1 - (drums[at] as number) - (bass[at] as number));
}

function voiceBand(hz: number): number {
  const low = smoothStep(hz, voiceHz.lowFrom, voiceHz.lowTo);
  return low * (1 - smoothStep(hz, voiceHz.highFrom, voiceHz.highTo));
}

/** 1 at the harmonics of a pitch, falling to {@link betweenHarmonics}; wider towards the top, where a glide moves them more. */
function drawComb(comb: Float32Array, pitchHz: number): void {
  comb.fill(betweenHarmonics);
  for (let harmonicHz = pitchHz; harmonicHz < melodyHz; harmonicHz += pitchHz) {
    const centre = harmonicHz / binHz;
    const width = 1.6 + 0.012 * centre;
    const last = Math.min(binCount - 1, Math.ceil(centre + 2 * width));
    for (let k = Math.max(0, Math.floor(centre - 2 * width)); k <= last; k++) {
      const tooth = Math.exp(-0.5 * ((k - centre) / width) ** 4);
      if (tooth > (comb[k] as number)) comb[k] = tooth;
    }
  }
}
