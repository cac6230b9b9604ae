/** Both sides of a sound. */
interface Sides {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** Samples of a step, 1.5 ms: how finely levels are looked at. */
const stepSize = 64;
/** What is heard as a blow: so much louder in 9 ms than in any 12 ms of the 58 before. Longer than a low kick swings. */
const blow = { rise: 4, ahead: 6, recent: 8, back: 40 } as const;
/** A blow has nobody louder within so many steps, 29 ms. */
const blowsApart = 20;
/** How far before a blow the masks open: 73 ms, most of a frame of the division. */
const reachSteps = 50;
/** A blow begins up to so many steps before it is loud: where one of them rises by so much. */
const beginning = { lead: 3, rise: 4 } as const;
/** Levels are the mean of so many steps, none of them ahead: what follows must not be seen. */
const meanSteps = 7;
/** Where the mixture itself rises by this, something begins, and what came before it says nothing. */
const mixtureRise = 4;
/** What is turned down stays 30 dB below at the least. */
const leastGain = 0.03;
/** The gain comes back to 1 within the last so many samples before a blow, a third of a millisecond. */
const openingSamples = 16;
const leastPower = 1e-7;

/**
 * Makes the blows of the drums begin as sharply as in the mixture, in place.
 *
 * One share holds for a whole frame of the division, so the masks of the drums open tens of milliseconds before a blow,
 * and what the others play there sounds in the drums. The mixture is not blurred: so before each blow, the drums' share
 * of it may fall but not rise. What rises is turned down by as much as it has risen, and what that takes away goes
 * to the stems that sound there, each by its level; the part of the fourth stem is what the three leave, as always.
 *
 * ```
 * drums → blows ──────────┐
 * drums / mixture → share ┴→ rise before a blow → gain → drums
 *                                                 └ rest → vocals, bass (other)
 * ```
 *
 * @param mixture what the stems were divided from, as long as they are
 */
export function sharpenBlows(
  mixture: Sides,
  stems: { readonly vocals: Sides; readonly drums: Sides; readonly bass: Sides },
): void {
  const drumLevels = sumLevels(stems.drums);
  const mixtureLevels = sumLevels(mixture);
  let from = 0;
  for (const blowStep of findBlows(drumLevels)) {
    const to = beginOf(blowStep, drumLevels);
    from = Math.max(from, meanSteps, to - reachSteps);
    if (from < to) turnDown(mixture, stems, from, gainsBefore(drumLevels, mixtureLevels, from, to));
    from = blowStep;
  }
}

/** The sum of the mean powers of all steps before each step, so that any mean is one difference. */
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

/** The mean power from one step to before another, of those there are. */
function meanLevel(sums: Float64Array, from: number, to: number): number {
  const first = Math.max(0, from);
  const end = Math.min(sums.length - 1, to);
  return end > first ? ((sums[end] as number) - (sums[first] as number)) / (end - first) : 0;
}

/** The steps at which a blow is loud, in their order. */
function findBlows(sums: Float64Array): number[] {
  const rises = new Float64Array(Math.max(0, sums.length - 1));
  for (let step = 1; step < rises.length; step++) {
    const after = meanLevel(sums, step, step + blow.ahead);
    if (after < leastPower) continue;
    let before = meanLevel(sums, step - meanSteps, step);
    for (let end = step; end >= step - blow.back + blow.recent; end -= blow.recent / 2) {
      before = Math.max(before, meanLevel(sums, end - blow.recent, end));
    }
    rises[step] = after / (before + leastPower / 10);
  }
  const blows: number[] = [];
  for (let step = 1; step < rises.length; step++) {
    const rise = rises[step] as number;
    if (rise < blow.rise) continue;
    const around = rises.subarray(Math.max(0, step - blowsApart), step + blowsApart + 1);
    if (around.every((other) => other <= rise) && step - (blows.at(-1) ?? -blowsApart) >= blowsApart)
      blows.push(step);
  }
  return blows;
}

/** The step in which a blow begins: the first of the last few that rises above those before it, else its own. */
function beginOf(blowStep: number, sums: Float64Array): number {
  for (let step = Math.max(1, blowStep - beginning.lead); step < blowStep; step++) {
    const before = meanLevel(sums, step - meanSteps, step);
    if (meanLevel(sums, step, step + 1) > beginning.rise * (before + leastPower)) return step;
  }
  return blowStep;
}

/** What the drums are multiplied by at the end of each step of a stretch before a blow. */
function gainsBefore(
  drumLevels: Float64Array,
  mixtureLevels: Float64Array,
  from: number,
  to: number,
): Float64Array {
  const gains = new Float64Array(to - from);
  let leastShare = Number.POSITIVE_INFINITY;
  let quietest = Number.POSITIVE_INFINITY;
  for (let step = from; step < to; step++) {
    const level = meanLevel(mixtureLevels, step + 1 - meanSteps, step + 1);
    const share = meanLevel(drumLevels, step + 1 - meanSteps, step + 1) / (level + leastPower / 100);
    if (level > mixtureRise * quietest) {
      leastShare = share;
      quietest = level;
    }
    quietest = Math.min(quietest, level);
    leastShare = Math.min(leastShare, share);
    // The ratio of powers as one of amplitudes: what the mask has let in is not the drums', so it goes twice as far down.
    gains[step - from] = Math.max(leastGain, leastShare / (share + 1e-12));
  }
  return gains;
}

/** Turns the drums down over a stretch, and gives vocals and bass their parts of what that takes away. */
function turnDown(
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
