import { editBounds } from '../limits.ts';
import type { Clip, Lane, ProjectState } from '../resources/project.ts';
import { arrange, insertOver } from './arrange-clips.ts';
import { endOf, withFittingFades } from './clip-parts.ts';
import { onTimeline } from './clipboard.ts';
import { isEdited, type NamedLanes, withLanes } from './edited-lanes.ts';
import { movedNotes, withMovedNotes } from './lane-notes.ts';
import { songMsAt } from './time-map.ts';

/** Point of a change of time: audio moves from `from_ms` to `to_ms`. */
export interface WarpPoint {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** Warp of a source: at `at_ms` of its time it plays the source at `from_ms`. */
export type Warp = ProjectState['warps'][number];
type ContentPoint = Warp['points'][number];
type TimeMapEntry = ProjectState['time_map'][number];

/** Difference of tempo that is none. */
const SAME_RATE = 1e-9;
/** Most by which two times are the same position, in ms. */
const SAME_MS = 1e-6;

/** Returns the value at `x` of straight lines through points, continued with slope 1 beyond the outer ones. */
function through<T>(points: readonly T[], x: number, from: (point: T) => number, to: (point: T) => number) {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return x;
  if (x <= from(first)) return to(first) + x - from(first);
  if (x >= from(last)) return to(last) + x - from(last);
  let [low, high] = [0, points.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (from(points[middle] as T) <= x) low = middle;
    else high = middle;
  }
  const [start, end] = [points[low] as T, points[high] as T];
  return to(start) + ((x - from(start)) * (to(end) - to(start))) / (from(end) - from(start));
}

/** Returns where a position of the timeline moves to, in ms. */
export const warpedMs = (points: readonly WarpPoint[], ms: number): number =>
  through(
    points,
    ms,
    (point) => point.from_ms,
    (point) => point.to_ms,
  );

/** Returns the position of the timeline that moves to a position, in ms. */
export const unwarpedMs = (points: readonly WarpPoint[], ms: number): number =>
  through(
    points,
    ms,
    (point) => point.to_ms,
    (point) => point.from_ms,
  );

/** Returns the time of the source at a time of a warp, in ms; without a warp both are the same. */
export const sourceMsAt = (warp: Warp | undefined, ms: number): number =>
  warp
    ? through(
        warp.points,
        ms,
        (point) => point.at_ms,
        (point) => point.from_ms,
      )
    : ms;

/** Returns the time of a warp at a time of the source, in ms. */
export const warpMsAt = (warp: Warp | undefined, sourceMs: number): number =>
  warp
    ? through(
        warp.points,
        sourceMs,
        (point) => point.from_ms,
        (point) => point.at_ms,
      )
    : sourceMs;

/** Returns the warp of a clip; undefined where it has none. */
export const warpOf = ({ warps }: Pick<ProjectState, 'warps'>, clip: Clip): Warp | undefined =>
  clip.warp === null ? undefined : warps.find(({ id }) => id === clip.warp);

/** Returns the state without the warps that no clip has. */
export function withUsedWarps(state: ProjectState): ProjectState {
  const used = new Set(
    [...state.lanes, ...(state.clipboard?.lanes ?? [])].flatMap(({ clips }) => clips.map(({ warp }) => warp)),
  );
  const warps = state.warps.filter(({ id }) => used.has(id));
  return warps.length === state.warps.length ? state : { ...state, warps };
}

/** Clips to warp and how. */
export interface WarpParams extends NamedLanes {
  readonly points: readonly WarpPoint[];
  readonly clip_ids?: readonly string[] | undefined;
}

/**
 * Returns the state with warped clips. The same state where a clip would play faster or slower than `editBounds` allows
 * or the warps would have too many points.
 */
export function withWarp(state: ProjectState, params: WarpParams, newId: () => string): ProjectState {
  const { points, clip_ids, ...named } = params;
  const ids = clip_ids && new Set(clip_ids);
  const isWhole = !ids && named.stem_type === undefined && named.lanes === undefined;
  const warper = new ClipWarper(state, points, newId);
  const warped = withLanes(state, (lane) => {
    if (!isEdited(named, lane.id)) return lane;
    const isMeant = (clip: Clip) => ids?.has(clip.id) ?? true;
    const moved = ids
      ? lane
      : withMovedNotes(lane, (notes) => movedNotes(notes, (ms) => warpedMs(points, ms)));
    if (!lane.clips.some(isMeant)) return moved;
    return { ...moved, clips: warpedClips(lane, isMeant, warper, newId) };
  });
  if (!warper.isPlayable) return state;
  const changed = isWhole ? withWarpedTime(warped, points) : warped;
  if (changed === state) return state;
  const all = withUsedWarps({ ...changed, warps: [...state.warps, ...warper.added] });
  const count = all.warps.reduce((sum, warp) => sum + warp.points.length, 0);
  return count > editBounds.warpPointsPerProject ? state : all;
}

function warpedClips(
  { clips }: Lane,
  isMeant: (clip: Clip) => boolean,
  warper: ClipWarper,
  newId: () => string,
): Clip[] {
  const staying = clips.filter((clip) => !isMeant(clip));
  const warped = clips
    .filter(isMeant)
    .map((clip) => onTimeline(warper.warped(clip)))
    .filter((clip) => clip !== null);
  if (staying.length === 0) return arrange(warped);
  return [...warped.reduce((others: readonly Clip[], clip) => insertOver(others, clip, newId), staying)];
}

/** Warps clips by the same points; clips of one take get one warp. */
class ClipWarper {
  /** Whether all clips so far play at a tempo that is allowed. */
  isPlayable = true;
  readonly added: Warp[] = [];
  readonly #state: ProjectState;
  readonly #points: readonly WarpPoint[];
  readonly #newId: () => string;
  readonly #takes = new Map<string, { readonly warp: Warp | null; readonly shiftMs: number }>();

  constructor(state: ProjectState, points: readonly WarpPoint[], newId: () => string) {
    this.#state = state;
    this.#points = points;
    this.#newId = newId;
  }

  /** Returns a clip at its changed time, with its fades over the same audio. */
  warped(clip: Clip): Clip {
    const to = (ms: number) => Math.round(warpedMs(this.#points, ms));
    const start_ms = to(clip.start_ms);
    const originMs = clip.start_ms - clip.from_ms;
    const { warp, shiftMs } = this.#takeOf(clip, originMs);
    const end = to(endOf(clip));
    const length_ms = Math.max(1, end - start_ms);
    const fadeIn = to(clip.start_ms + clip.fade_in.length_ms) - start_ms;
    const fadeOut = end - to(endOf(clip) - clip.fade_out.length_ms);
    return withFittingFades({
      ...clip,
      warp: warp?.id ?? null,
      start_ms,
      from_ms: Math.max(0, start_ms - to(originMs) + shiftMs),
      length_ms,
      fade_in: { ...clip.fade_in, length_ms: fadeIn },
      fade_out: { ...clip.fade_out, length_ms: fadeOut },
    });
  }

  /** Returns the warp of the clips with the same warp and the same origin on the timeline. */
  #takeOf(clip: Clip, originMs: number) {
    const key = `${clip.source} ${clip.warp} ${originMs}`;
    const known = this.#takes.get(key);
    if (known) return known;
    const take = this.#newTake(warpOf(this.#state, clip), originMs);
    this.#takes.set(key, take);
    if (take.warp) this.added.push(take.warp);
    return take;
  }

  #newTake(before: Warp | undefined, originMs: number) {
    const toOriginMs = Math.round(warpedMs(this.#points, originMs));
    const positions = [
      ...this.#points.map(({ from_ms }) => from_ms),
      ...(before?.points ?? []).map(({ at_ms }) => at_ms + originMs),
    ].sort((one, other) => one - other);
    const points = positions
      .filter((ms, index) => index === 0 || ms - (positions[index - 1] as number) > SAME_MS)
      .map(
        (ms): ContentPoint => ({
          at_ms: warpedMs(this.#points, ms) - toOriginMs,
          from_ms: sourceMsAt(before, ms - originMs),
        }),
      );
    const corners = withoutStraight(points);
    for (const rate of ratesOf(corners))
      if (rate < editBounds.leastRate - SAME_RATE || rate > editBounds.mostRate + SAME_RATE)
        this.isPlayable = false;
    const [first] = corners;
    if (!first || ratesOf(corners).every((rate) => Math.abs(rate - 1) < SAME_RATE))
      return { warp: null, shiftMs: first ? Math.round(first.from_ms - first.at_ms) : 0 };
    return { warp: { id: this.#newId(), points: corners }, shiftMs: 0 };
  }
}

/** Returns the tempo before each point but the first, as a factor of the recorded one. */
export function ratesOf(points: readonly ContentPoint[]): number[] {
  return points.slice(1).map((point, index) => {
    const before = points[index] as ContentPoint;
    return (point.from_ms - before.from_ms) / (point.at_ms - before.at_ms);
  });
}

/** Returns the points at which the tempo changes; it is the recorded one before the first and after the last. */
function withoutStraight(points: readonly ContentPoint[]): ContentPoint[] {
  const rates = [1, ...ratesOf(points), 1];
  return points.filter(
    (_, index) => Math.abs((rates[index] as number) - (rates[index + 1] as number)) >= SAME_RATE,
  );
}

/**
 * Returns the state with the bars of the song and the markers at their changed positions. What moves beyond the start of
 * the timeline is omitted.
 */
function withWarpedTime(state: ProjectState, points: readonly WarpPoint[]): ProjectState {
  const firstMs = Math.max(0, unwarpedMs(points, 0));
  const positions = [
    firstMs,
    ...state.time_map.map(({ start_ms }) => start_ms),
    ...points.map(({ from_ms }) => from_ms),
  ].sort((one, other) => one - other);
  const starts = positions.filter(
    (ms, index) => ms >= firstMs && (index === 0 || ms - (positions[index - 1] as number) > SAME_MS),
  );
  const entries = starts.map((ms, index) => {
    const start_ms = Math.max(0, warpedMs(points, ms));
    const next = starts[index + 1] ?? ms + 1;
    const rate = state.time_map.findLast((entry) => entry.start_ms <= ms)?.rate ?? 1;
    const from_ms = songMsAt(state.time_map, ms);
    return { start_ms, from_ms, rate: (rate * (next - ms)) / (warpedMs(points, next) - start_ms) };
  });
  const markers = state.markers
    .map((marker) => ({ ...marker, start_ms: Math.round(warpedMs(points, marker.start_ms)) }))
    .filter(({ start_ms }, index, all) => isInTimeline(start_ms) && start_ms !== all[index + 1]?.start_ms);
  return { ...state, time_map: entries.filter(isBend), markers };
}

const isInTimeline = (ms: number) => ms >= 0 && ms <= editBounds.ms;

/** Returns whether the song changes its tempo or jumps at an entry of a time map. */
function isBend(entry: TimeMapEntry, index: number, all: readonly TimeMapEntry[]): boolean {
  const before = all[index - 1];
  if (!before || Math.abs(before.rate - entry.rate) >= SAME_RATE) return true;
  const continuedMs = before.from_ms + (entry.start_ms - before.start_ms) * before.rate;
  return Math.abs(continuedMs - entry.from_ms) >= SAME_MS;
}

/**
 * Returns the state with clips that play backwards or forwards. The same audio sounds at the same position, its fades stay
 * at the ends of the clip.
 */
export function withDirection(
  state: ProjectState,
  { clip_ids, value }: { readonly clip_ids: readonly string[]; readonly value: 0 | 1 },
  newId: () => string,
): ProjectState {
  const ids = new Set(clip_ids);
  const isReversed = value === 1;
  const added: Warp[] = [];
  const changed = withLanes(state, (lane) => ({
    ...lane,
    clips: lane.clips.map((clip) => {
      if (!ids.has(clip.id) || clip.is_reversed === isReversed) return clip;
      const lengthMs = state.sources.find(({ source }) => source === clip.source)?.length_ms;
      if (lengthMs === undefined) return clip;
      const warp = warpOf(state, clip);
      const mirrored = { ...clip, is_reversed: isReversed };
      if (!warp) return { ...mirrored, from_ms: Math.max(0, lengthMs - clip.from_ms - clip.length_ms) };
      // Mirrored about the middle of the clip, so that its start stays the same time of the warp.
      const endMs = 2 * clip.from_ms + clip.length_ms;
      const points = warp.points
        .map(({ at_ms, from_ms }) => ({ at_ms: endMs - at_ms, from_ms: lengthMs - from_ms }))
        .reverse();
      added.push({ id: newId(), points });
      return { ...mirrored, warp: added.at(-1)?.id ?? null };
    }),
  }));
  return changed === state ? state : withUsedWarps({ ...changed, warps: [...changed.warps, ...added] });
}
