/**
 * Waveform data at one zoom: each peak describes `samplesPerPeak` samples of the mono mix.
 *
 * `min` and `max` are samples · 127, rounded and clipped. `rms`, `low` (below 200 Hz), `mid` and `high` (above 2 kHz)
 * are levels: √rms · 255, the root so that quiet music keeps its shades; `peakLevel` turns them back.
 */
export interface PeaksZoom {
  samplesPerPeak: number;
  min: Int8Array;
  max: Int8Array;
  rms: Uint8Array;
  low: Uint8Array;
  mid: Uint8Array;
  high: Uint8Array;
}

/** Waveform of a whole song at several zooms; `frames` counts its sample frames. */
export interface WaveformPeaks {
  sampleRate: number;
  frames: number;
  zooms: PeaksZoom[];
}

/** Builds a waveform from a song block by block; `finish` returns it. */
export interface PeaksBuilder {
  push(block: Float32Array[]): void;
  finish(): WaveformPeaks;
}

/** Samples per peak at each zoom; each is a multiple of the one before. */
export const PEAKS_ZOOMS = [256, 1024, 4096, 16384] as const;
/** Crossovers of the three bands in Hz. */
export const PEAKS_CROSSOVERS_HZ = { low: 200, high: 2000 } as const;

/** Returns the RMS (full scale 1) encoded by a level byte of a zoom. */
export function peakLevel(byte: number): number {
  return (byte / 255) ** 2;
}

/**
 * Creates a builder of the waveform of a song in one pass: `block → mono mix → three bands → zooms`.
 *
 * Each zoom is made from the finer one, so all are exact. An empty song gives zooms without peaks. Memory is six bytes
 * a peak: 3 MB for an hour at 44.1 kHz.
 *
 * @throws RangeError if the sample rate is not above 0
 */
export function createPeaksBuilder(options: { sampleRate: number }): PeaksBuilder {
  const { sampleRate } = options;
  if (!(sampleRate > 0)) throw new RangeError(`the sample rate must be above 0 Hz (got ${sampleRate})`);
  const levels = PEAKS_ZOOMS.map(createLevel);
  const finest = levels[0] as Level;
  const lowPass = createLowPass(PEAKS_CROSSOVERS_HZ.low, sampleRate);
  const belowHigh = createLowPass(PEAKS_CROSSOVERS_HZ.high, sampleRate);
  let frames = 0;

  const cascade = (from: number): void => {
    for (let index = from; index < levels.length; index++) {
      const level = levels[index] as Level;
      if (level.count < level.samplesPerPeak) return;
      emit(level, levels[index + 1]);
    }
  };

  return {
    push(block) {
      const length = block[0]?.length ?? 0;
      for (let frame = 0; frame < length; frame++) {
        let sum = 0;
        for (const samples of block) sum += samples[frame] ?? 0;
        const mono = sum / block.length;
        const low = lowPass(mono);
        const notHigh = belowHigh(mono);
        const mid = notHigh - low;
        const high = mono - notHigh;
        if (mono < finest.min) finest.min = mono;
        if (mono > finest.max) finest.max = mono;
        finest.total += mono * mono;
        finest.low += low * low;
        finest.mid += mid * mid;
        finest.high += high * high;
        finest.count++;
        if (finest.count === finest.samplesPerPeak) cascade(0);
      }
      frames += length;
    },
    finish() {
      for (const [index, level] of levels.entries()) {
        if (level.count > 0) emit(level, levels[index + 1]);
      }
      return { sampleRate, frames, zooms: levels.map(toZoom) };
    },
  };
}

interface Level {
  samplesPerPeak: number;
  count: number;
  min: number;
  max: number;
  total: number;
  low: number;
  mid: number;
  high: number;
  peaks: number;
  /** Six bytes a peak, one after another: min, max, rms, low, mid, high. */
  bytes: Uint8Array;
}

function createLevel(samplesPerPeak: number): Level {
  return { ...EMPTY, samplesPerPeak, peaks: 0, bytes: new Uint8Array(6 * 256) };
}

const EMPTY = {
  count: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  total: 0,
  low: 0,
  mid: 0,
  high: 0,
};

/** Writes the peak of a level and adds its sums to the next coarser level. */
function emit(level: Level, coarser: Level | undefined): void {
  const { count } = level;
  if ((level.peaks + 1) * 6 > level.bytes.length) {
    const grown = new Uint8Array(level.bytes.length * 2);
    grown.set(level.bytes);
    level.bytes = grown;
  }
  level.bytes.set(
    [
      toSigned(level.min),
      toSigned(level.max),
      toLevel(level.total / count),
      toLevel(level.low / count),
      toLevel(level.mid / count),
      toLevel(level.high / count),
    ],
    level.peaks * 6,
  );
  level.peaks++;
  if (coarser !== undefined) {
    coarser.count += count;
    coarser.min = Math.min(coarser.min, level.min);
    coarser.max = Math.max(coarser.max, level.max);
    coarser.total += level.total;
    coarser.low += level.low;
    coarser.mid += level.mid;
    coarser.high += level.high;
  }
  Object.assign(level, EMPTY);
}

function toSigned(sample: number): number {
  return Math.max(-127, Math.min(127, Math.round(sample * 127)));
}

/** Converts a mean square to a level byte: √rms is the fourth root of the mean square. */
function toLevel(meanSquare: number): number {
  return Math.min(255, Math.round(255 * meanSquare ** 0.25));
}

function toZoom(level: Level): PeaksZoom {
  const signed = (offset: number) =>
    Int8Array.from({ length: level.peaks }, (_, peak) => level.bytes[peak * 6 + offset] ?? 0);
  const unsigned = (offset: number) =>
    Uint8Array.from({ length: level.peaks }, (_, peak) => level.bytes[peak * 6 + offset] ?? 0);
  return {
    samplesPerPeak: level.samplesPerPeak,
    min: signed(0),
    max: signed(1),
    rms: unsigned(2),
    low: unsigned(3),
    mid: unsigned(4),
    high: unsigned(5),
  };
}

/**
 * Creates a second-order Butterworth low-pass, 12 dB an octave above `cutoffHz`; it passes everything if the cutoff
 * exceeds 0.45 of the rate.
 *
 * @see R. Bristow-Johnson, "Audio EQ Cookbook"
 */
function createLowPass(cutoffHz: number, sampleRate: number): (sample: number) => number {
  if (cutoffHz > 0.45 * sampleRate) return (sample) => sample;
  const omega = (2 * Math.PI * cutoffHz) / sampleRate;
  const alpha = Math.sin(omega) / Math.SQRT2;
  const a0 = 1 + alpha;
  const b0 = (1 - Math.cos(omega)) / 2 / a0;
  const a1 = (-2 * Math.cos(omega)) / a0;
  const a2 = (1 - alpha) / a0;
  let z1 = 0;
  let z2 = 0;
  return (sample) => {
    const output = b0 * sample + z1;
    z1 = 2 * b0 * sample - a1 * output + z2;
    z2 = b0 * sample - a2 * output;
    return output;
  };
}
