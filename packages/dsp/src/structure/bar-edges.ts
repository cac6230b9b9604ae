/** Length of a bar in seconds if no bars are detected. */
const BAR_SECONDS = 2;
/** Fraction of a bar below which a partial bar at either end of a track joins its neighbour. */
const LEAST_PART = 0.3;

/**
 * Returns the edges of the bars of a whole track. They are its start, the downbeats, extrapolated downbeats before the first
 * and after the last one, and the end of the track.
 *
 * @param downbeats seconds, ascending; with fewer than two, bars have two seconds
 * @param startSeconds time at which the music begins: there are no bars before it
 * @returns seconds, ascending, from `startSeconds` to `durationSeconds`; empty for a track without length
 */
export function barEdges(downbeats: readonly number[], durationSeconds: number, startSeconds = 0): number[] {
  if (!(durationSeconds > startSeconds)) return [];
  const known =
    downbeats.length > 1 ? downbeats : [startSeconds, Math.min(startSeconds + BAR_SECONDS, durationSeconds)];
  const first = known[0] ?? 0;
  const last = known.at(-1) ?? 0;
  const lead = (known[1] ?? 0) - first;
  const trail = last - (known.at(-2) ?? 0);
  const edges = [...known];
  for (let time = first - lead; time > startSeconds; time -= lead) edges.unshift(time);
  for (let time = last + trail; time < durationSeconds; time += trail) edges.push(time);
  const inside = edges.filter(
    (time) => time > startSeconds + LEAST_PART * lead && time < durationSeconds - LEAST_PART * trail,
  );
  return [startSeconds, ...inside, durationSeconds];
}
