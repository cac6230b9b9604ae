/** Stereo audio. */
interface Sides {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** Samples of a step, 1.5 ms: the resolution of levels. */
const stepSize = 64;
/** An onset is `rise` times louder in 9 ms than in any 12 ms of the 58 ms before. Longer than a period of a low kick. */
const onset = { rise: 4, ahead: 6, recent: 8, back: 40 } as const;
/** An onset is the strongest within this many steps, 29 ms. */
const onsetSpacing = 20;
/** How long before an onset masks open: 73 ms, most of a frame. */
const reachSteps = 50;
/** An onset starts up to `lead` steps before its peak, at a step that rises by this factor. */
const start = { lead: 3, rise: 4 } as const;
/** Steps over which levels are averaged, causally. */
const meanSteps = 7;
/** A rise of the mixture by this factor is an onset of another source: earlier levels are ignored. */
const mixtureRise = 4;
/** Minimum gain, −30 dB. */
const leastGain = 0.03;
/** The gain returns to 1 within this many samples before an onset, a third of a millisecond. */
const openingSamples = 16;
const leastPower = 1e-7;

/**
 * Removes pre-echo before the onsets of the drums, in place.
 *
 * A mask is constant over a frame, so the masks of the drums open tens of milliseconds before an onset and let other
 * sources in. Before each onset the ratio of drums to mixture may therefore fall but not rise: a rise is attenuated, and
 * the removed audio is distributed to the other stems by their levels.
 *
 * ```
 * drums → onsets ─────────┐
 * drums / mixture → ratio ┴→ rise before an onset → gain → drums
 *                                                   └ rest → vocals, bass (other)
 * ```
 *
 * @param mixture as long as the stems
 */
export function sharpenOnsets(
  mixture: Sides,
  stems: { readonly vocals: Sides; readonly drums: Sides; readonly bass: Sides },
): void {
  const drumLevels = sumLevels(stems.drums);
  const mixtureLevels = sumLevels(mixture);
  let from = 0;
  for (const onsetStep of findOnsets(drumLevels)) {
    const to = startOf(onsetStep, drumLevels);
    from = Math.max(from, meanSteps, to - reachSteps);
    if (from < to) reduceDrums(mixture, stems, from, gainsBefore(drumLevels, mixtureLevels, from, to));
    from = onsetStep;
  }
}

/** Returns cumulative sums of the power of each step, so that any mean is one difference. */
function sumLevels({ left, right }: Sides): Float64Array {
  const sums = new Float64Array(Math.floor(left.length / stepSize) + 1);
  for (let step = 0; step < sums.length - 1; step++) {
    let power = 0;
    for (let i = step * stepSize; i < (step + 1) * stepSize; i++) {
      power += (left[i] as number) ** 2 + (right[i] as number) ** 2;
    }
    sums[step + 1] = (sums[step] as number) + power / stepSize;
  }
  return sums;
}

/** Returns the mean power of steps `from` to `to` − 1, within bounds. */
function meanLevel(sums: Float64Array, from: number, to: number): number {
  const first = Math.max(0, from);
  const end = Math.min(sums.length - 1, to);
  return end > first ? ((sums[end] as number) - (sums[first] as number)) / (end - first) : 0;
}

/** Returns the steps at which onsets peak, in order. */
function findOnsets(sums: Float64Array): number[] {
  const rises = new Float64Array(Math.max(0, sums.length - 1));
  for (let step = 1; step < rises.length; step++) {
    const after = meanLevel(sums, step, step + onset.ahead);
    if (after < leastPower) continue;
    let before = meanLevel(sums, step - meanSteps, step);
    for (let end = step; end >= step - onset.back + onset.recent; end -= onset.recent / 2) {
      before = Math.max(before, meanLevel(sums, end - onset.recent, end));
    }
    rises[step] = after / (before + leastPower / 10);
  }
  const onsets: number[] = [];
  for (let step = 1; step < rises.length; step++) {
    const rise = rises[step] as number;
    if (rise < onset.rise) continue;
    const around = rises.subarray(Math.max(0, step - onsetSpacing), step + onsetSpacing + 1);
    if (around.every((other) => other <= rise) && step - (onsets.at(-1) ?? -onsetSpacing) >= onsetSpacing)
      onsets.push(step);
  }
  return onsets;
}

/** Returns the step at which an onset starts: the first shortly before the peak that rises, or the peak itself. */
function startOf(onsetStep: number, sums: Float64Array): number {
  for (let step = Math.max(1, onsetStep - start.lead); step < onsetStep; step++) {
    const before = meanLevel(sums, step - meanSteps, step);
    if (meanLevel(sums, step, step + 1) > start.rise * (before + leastPower)) return step;
  }
  return onsetStep;
}

/** Returns the gain of the drums at the end of each step before an onset. */
function gainsBefore(
  drumLevels: Float64Array,
  mixtureLevels: Float64Array,
  from: number,
  to: number,
): Float64Array {
  const gains = new Float64Array(to - from);
  let minimumRatio = Number.POSITIVE_INFINITY;
  let quietest = Number.POSITIVE_INFINITY;
  for (let step = from; step < to; step++) {
    const level = meanLevel(mixtureLevels, step + 1 - meanSteps, step + 1);
    const ratio = meanLevel(drumLevels, step + 1 - meanSteps, step + 1) / (level + leastPower / 100);
    if (level > mixtureRise * quietest) {
      minimumRatio = ratio;
      quietest = level;
    }
    quietest = Math.min(quietest, level);
    minimumRatio = Math.min(minimumRatio, ratio);
    // The power ratio is used as an amplitude gain: what the mask let in is attenuated twice as far in dB.
    gains[step - from] = Math.max(leastGain, minimumRatio / (ratio + 1e-12));
  }
  return gains;
}

/** Attenuates the drums and adds the removed audio to vocals and bass by their levels. */
function reduceDrums(
  mixture: Sides,
  { vocals, drums, bass }: { readonly vocals: Sides; readonly drums: Sides; readonly bass: Sides },
  fromStep: number,
  gains: Float64Array,
): void {
  const from = fromStep * stepSize;
  const to = from + gains.length * stepSize;
  let [voicePower, bassPower, restPower] = [0, 0, 1e-12];
  for (const side of ['left', 'right'] as const) {
    const [m, v, d, b] = [mixture[side], vocals[side], drums[side], bass[side]];
    for (let i = from; i < to; i++) {
      const [voice, low] = [v[i] as number, b[i] as number];
      voicePower += voice ** 2;
      bassPower += low ** 2;
      restPower += ((m[i] as number) - voice - low - (d[i] as number)) ** 2;
    }
  }
  const others = voicePower + bassPower + restPower;
  const [voicePart, bassPart] = [voicePower / others, bassPower / others];
  for (let i = from; i < to; i++) {
    const at = Math.floor((i - from) / stepSize);
    const before = at === 0 ? 1 : (gains[at - 1] as number);
    const stepGain = before + ((gains[at] as number) - before) * (((i - from) % stepSize) / stepSize);
    const taken = (1 - stepGain) * Math.min(1, (to - i) / openingSamples);
    for (const side of ['left', 'right'] as const) {
      const given = taken * (drums[side][i] as number);
      drums[side][i] = (drums[side][i] as number) - given;
      vocals[side][i] = (vocals[side][i] as number) + voicePart * given;
      bass[side][i] = (bass[side][i] as number) + bassPart * given;
    }
  }
}
