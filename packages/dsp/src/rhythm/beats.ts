/** Beat positions per hop: a period is seldom an integer number of hops. */
const SUBDIVISION = 3;
/** Cost of an interval that deviates from the period by a factor e, in onsets of average strength. */
const TIGHTNESS = 1_000;
/** Range of intervals as factors of the local period. */
const SHORTEST = 0.7;
const LONGEST = 1.45;

/**
 * Tracks beats that coincide with strong onsets and keep close to the local period, by dynamic programming.
 *
 * score(t) = onset(t) + max over intervals Δ of score(t − Δ) − tightness · ln²(Δ / period(t)).
 *
 * @param envelope onset strength per hop, never negative
 * @param periodAt period in hops around a hop, above 0
 * @returns fractional hops, ascending; empty if there is no onset
 * @see Ellis, "Beat tracking by dynamic programming", J. New Music Research 36, 2007
 */
export function trackBeats(envelope: Float32Array, periodAt: (hop: number) => number): number[] {
  const energy = envelope.reduce((sum, value) => sum + value * value, 0);
  if (energy < 1e-12) return [];
  const curve = refine(envelope, 1 / Math.sqrt(energy / envelope.length));
  const score = new Float64Array(curve.length);
  const before = new Int32Array(curve.length).fill(-1);
  let period = 1;
  let costs = new Float64Array(0);
  let shortest = 1;
  for (let position = 0; position < curve.length; position++) {
    const wanted = SUBDIVISION * periodAt(position / SUBDIVISION);
    if (wanted !== period) {
      period = wanted;
      shortest = Math.max(1, Math.round(period * SHORTEST));
      const length = Math.max(1, Math.round(period * LONGEST) - shortest + 1);
      costs = Float64Array.from(
        { length },
        (_, index) => TIGHTNESS * Math.log((shortest + index) / wanted) ** 2,
      );
    }
    let best = 0;
    const tried = Math.min(costs.length, position - shortest + 1);
    for (let index = 0; index < tried; index++) {
      const value = (score[position - shortest - index] ?? 0) - (costs[index] ?? 0);
      if (value > best) {
        best = value;
        before[position] = position - shortest - index;
      }
    }
    score[position] = (curve[position] ?? 0) + best;
  }

  // The last beat is the best position in the last period.
  let position = curve.length - 1;
  for (let at = Math.max(0, Math.floor(curve.length - period)); at < curve.length; at++) {
    if ((score[at] ?? 0) > (score[position] ?? 0)) position = at;
  }
  const beats: number[] = [];
  for (; position >= 0; position = before[position] ?? -1)
    beats.push(peakNear(curve, position) / SUBDIVISION);
  return beats.reverse();
}

/** Interpolates the curve linearly between hops and smooths it, so that an onset one hop off still counts. */
function refine(envelope: Float32Array, gain: number): Float32Array {
  const between = (position: number): number => {
    const hop = Math.floor(position / SUBDIVISION);
    const part = position / SUBDIVISION - hop;
    return (envelope[hop] ?? 0) * (1 - part) + (envelope[hop + 1] ?? 0) * part;
  };
  return Float32Array.from({ length: envelope.length * SUBDIVISION }, (_, position) => {
    const near = between(position - 1) + between(position + 1);
    const far = between(position - 2) + between(position + 2);
    return (gain * (6 * between(position) + 4 * near + far)) / 16;
  });
}

/** Returns the maximum of the parabola through a position and its neighbours, or the position if there is none. */
function peakNear(curve: Float32Array, position: number): number {
  const left = curve[position - 1] ?? 0;
  const centre = curve[position] ?? 0;
  const right = curve[position + 1] ?? 0;
  const bend = left - 2 * centre + right;
  if (bend >= 0 || centre < left || centre < right) return position;
  return position + (0.5 * (left - right)) / bend;
}
