/** Range of the pitch and costs of its movement. */
export interface PitchPathOptions {
  readonly minHz: number;
  readonly maxHz: number;
  /** Distance of neighbouring candidates. */
  readonly stepSemitones: number;
  readonly harmonics: number;
  /** Weight of each harmonic relative to the one below it. */
  readonly harmonicDecay: number;
  /** Weight of energy halfway between harmonics, which counts against a candidate. */
  readonly valleyWeight: number;
  /** Largest glide per frame; anything larger is a jump. */
  readonly maxGlideSteps: number;
  /** Cost of a glide by one step, in mean saliences. */
  readonly glideCost: number;
  /** Cost of a jump to any pitch, in mean saliences. */
  readonly jumpCost: number;
}

/** Pitch and salience of each frame; frames without pitch have low salience. */
export interface PitchPath {
  readonly hz: Float64Array;
  readonly salience: Float64Array;
}

/**
 * Tracks the most salient pitch through a spectrogram by harmonic summation and dynamic programming.
 *
 * @param strength weight of each bin, 0 or more; `bins` per frame
 * @param binHz distance of the bins
 * @see Hermes, Measurement of pitch by subharmonic summation, JASA 83 (1988)
 * @see Salamon and Gómez, Melody Extraction from Polyphonic Music Signals using Pitch Contour Characteristics (2012)
 */
export function findPitchPath(
  strength: Float32Array,
  bins: number,
  binHz: number,
  options: PitchPathOptions,
): PitchPath {
  const count = Math.floor((Math.log2(options.maxHz / options.minHz) * 12) / options.stepSemitones) + 1;
  const candidates = Float64Array.from(
    { length: count },
    (_, i) => options.minHz * 2 ** ((i * options.stepSemitones) / 12),
  );
  const saliences = harmonicSums(strength, bins, binHz, candidates, options);
  const path = bestPath(saliences, count, options);
  return {
    hz: Float64Array.from(path, (candidate) => candidates[candidate] as number),
    salience: Float64Array.from(path, (candidate, t) => saliences[t * count + candidate] as number),
  };
}

function harmonicSums(
  strength: Float32Array,
  bins: number,
  binHz: number,
  candidates: Float64Array,
  { harmonics, harmonicDecay, valleyWeight }: PitchPathOptions,
): Float32Array {
  const count = candidates.length;
  const frames = strength.length / bins;
  const sums = new Float32Array(frames * count);
  for (let c = 0; c < count; c++) {
    const spacing = (candidates[c] as number) / binHz;
    for (let half = 1; half <= 2 * harmonics; half++) {
      // Even halves are the harmonics, odd ones the middles of the gaps below them.
      const isValley = half % 2 === 1;
      if (isValley && valleyWeight === 0) continue;
      const position = (spacing * half) / 2;
      const k = Math.floor(position);
      if (k >= bins - 2) break;
      const weight = harmonicDecay ** Math.floor((half - 1) / 2) * (isValley ? -valleyWeight : 1);
      const upper = weight * (position - k);
      const lower = weight - upper;
      for (let t = 0; t < frames; t++) {
        const at = t * bins + k;
        const sum = sums[t * count + c] as number;
        sums[t * count + c] = sum + lower * (strength[at] as number) + upper * (strength[at + 1] as number);
      }
    }
  }
  for (let i = 0; i < sums.length; i++) if ((sums[i] as number) < 0) sums[i] = 0;
  return sums;
}

/** The index of the candidate in each frame (Viterbi, Error bounds for convolutional codes, 1967). */
function bestPath(
  saliences: Float32Array,
  count: number,
  { maxGlideSteps, glideCost, jumpCost }: PitchPathOptions,
): Int32Array {
  const frames = saliences.length / count;
  let mean = 0;
  for (const salience of saliences) mean += salience / saliences.length;
  const from = new Int16Array(frames * count);
  let scores = saliences.slice(0, count);
  let next = new Float32Array(count);
  for (let t = 1; t < frames; t++) {
    const leader = indexOfMax(scores);
    const jumpScore = (scores[leader] as number) - jumpCost * mean;
    // Scores only matter against each other; without this they would outgrow single precision.
    const base = scores[leader] as number;
    for (let c = 0; c < count; c++) {
      let best = jumpScore;
      let origin = leader;
      const last = Math.min(count - 1, c + maxGlideSteps);
      for (let p = Math.max(0, c - maxGlideSteps); p <= last; p++) {
        const score = (scores[p] as number) - glideCost * mean * Math.abs(p - c);
        if (score > best) {
          best = score;
          origin = p;
        }
      }
      next[c] = best - base + (saliences[t * count + c] as number);
      from[t * count + c] = origin;
    }
    [scores, next] = [next, scores];
  }
  const path = new Int32Array(frames);
  if (frames === 0) return path;
  path[frames - 1] = indexOfMax(scores);
  for (let t = frames - 1; t > 0; t--) path[t - 1] = from[t * count + (path[t] as number)] as number;
  return path;
}

function indexOfMax(values: Float32Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[best] as number)) best = i;
  return best;
}
