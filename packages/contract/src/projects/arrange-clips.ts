import type { Clip } from '../resources/project.ts';
import { type EditSpan, endOf, isIn, partOf, partsOutside } from './clip-parts.ts';

/**
 * Returns clips in the order of their starts, without those that another one covers completely: two clips of a lane
 * overlap only in part, as a crossfade.
 */
export function arrange(clips: readonly Clip[]): Clip[] {
  const sorted = clips.toSorted(
    (one, other) => one.start_ms - other.start_ms || endOf(other) - endOf(one) || 0,
  );
  let end = -1;
  return sorted.filter((clip) => {
    if (endOf(clip) <= end) return false;
    end = endOf(clip);
    return true;
  });
}

/** Returns the clips with silence in a span. A crossfade that a border of the span divides becomes a cut there. */
export function withoutSpan(clips: readonly Clip[], span: EditSpan, newId: () => string): Clip[] {
  return arrange(clips.flatMap((clip) => partsOutside(clip, span, newId)));
}

/** Returns the clips split at a position. A crossfade at the position becomes a cut there. */
export function splitAt(clips: readonly Clip[], ms: number, newId: () => string): Clip[] {
  return arrange(clips.flatMap((clip) => partsOutside(clip, { start_ms: ms, end_ms: ms }, newId)));
}

/**
 * Returns the clips with a newer one. Clips that it covers are deleted, a clip that contains it is divided around it,
 * and a clip that it overlaps in part is crossfaded with it. Where three clips would sound, the oldest is shortened.
 */
export function insertOver(clips: readonly Clip[], added: Clip, newId: () => string): Clip[] {
  const span = { start_ms: added.start_ms, end_ms: endOf(added) };
  // The clips that overlap it, and one more at either side, which may cover what remains of them.
  const first = countWhile(clips, (clip) => endOf(clip) <= span.start_ms) - 1;
  const end = countWhile(clips, (clip) => clip.start_ms < span.end_ms) + 1;
  const near = insertNear(clips.slice(Math.max(0, first), end), added, span, newId);
  return [...clips.slice(0, Math.max(0, first)), ...near, ...clips.slice(end)];
}

function insertNear(clips: readonly Clip[], added: Clip, span: EditSpan, newId: () => string): Clip[] {
  const others = clips.flatMap((clip) => {
    const isDivided = clip.start_ms <= span.start_ms && endOf(clip) >= span.end_ms;
    const isCovered = clip.start_ms >= span.start_ms && endOf(clip) <= span.end_ms;
    return isDivided || isCovered ? partsOutside(clip, span, newId) : [clip];
  });
  const before = others.filter((clip) => isIn(clip, span) && clip.start_ms < span.start_ms);
  const after = others.filter((clip) => isIn(clip, span) && clip.start_ms >= span.start_ms);
  const left = before.reduce<Clip | null>(
    (last, clip) => (last && endOf(last) > endOf(clip) ? last : clip),
    null,
  );
  const right = after.reduce<Clip | null>(
    (first, clip) => (first && first.start_ms < clip.start_ms ? first : clip),
    null,
  );
  // Of two clips that sound at a border of the new one, only the nearer to it is crossfaded.
  const shortened = others.map((clip) => {
    if (before.includes(clip) && clip !== left) return until(clip, span.start_ms);
    if (clip === right) return left ? from(clip, endOf(left)) : clip;
    return after.includes(clip) ? from(clip, span.end_ms) : clip;
  });
  return arrange([...shortened.filter((clip) => clip !== null), added]);
}

const until = (clip: Clip, ms: number) => partOf(clip, { start_ms: 0, end_ms: ms });
const from = (clip: Clip, ms: number) => partOf(clip, { start_ms: ms, end_ms: Number.POSITIVE_INFINITY });

/** Returns the number of clips at the start of the list for which a condition holds; it holds for no later one. */
function countWhile(clips: readonly Clip[], holds: (clip: Clip) => boolean): number {
  let low = 0;
  let high = clips.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(clips[middle] as Clip)) low = middle + 1;
    else high = middle;
  }
  return low;
}
