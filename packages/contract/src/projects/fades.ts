import type { FadeCurve } from '../resources/edit-operation.ts';
import type { Clip } from '../resources/project.ts';
import { splitAt } from './arrange-clips.ts';
import { type EditSpan, endOf, noFade, withFittingFades } from './clip-parts.ts';

/** End of a clip that a fade belongs to. */
export type FadeSide = 'fade_in' | 'fade_out';

/** Returns the clip with a fade of the given length; both fades together are at most as long as the clip. */
export function withFade(clip: Clip, side: FadeSide, lengthMs: number, curve: FadeCurve | undefined): Clip {
  const before = clip[side];
  const fade =
    lengthMs === 0
      ? noFade
      : { length_ms: lengthMs, curve: curve ?? (before.length_ms > 0 ? before.curve : 'linear') };
  return withFittingFades({ ...clip, [side]: fade }, side);
}

/**
 * Returns the clip with a fade of a curve: one that it has keeps its length, a new one is at most half as long as the clip.
 * A length of 0 removes the fade.
 */
export function withClipFade(
  clip: Clip,
  side: FadeSide,
  lengthMs: number,
  curve: FadeCurve | undefined,
): Clip {
  const known = clip[side].length_ms;
  const newLength = Math.min(lengthMs, Math.max(1, clip.length_ms >> 1));
  return withFade(clip, side, lengthMs > 0 && known > 0 ? known : newLength, curve);
}

/**
 * Returns the clips with a fade over a span: of the first clip in it for a fade-in, of the last one for a fade-out. A
 * clip is split at the start of a fade-in and at the end of a fade-out. Parts that continue each other without any
 * change are joined as far as the fade needs it.
 */
export function withSpanFade(
  clips: readonly Clip[],
  side: FadeSide,
  span: EditSpan,
  curve: FadeCurve | undefined,
  newId: () => string,
): Clip[] {
  const isIn = side === 'fade_in';
  const split = splitAt(clips, isIn ? span.start_ms : span.end_ms, newId);
  const at = isIn
    ? split.findIndex(({ start_ms }) => start_ms >= span.start_ms && start_ms < span.end_ms)
    : split.findLastIndex((clip) => endOf(clip) <= span.end_ms && endOf(clip) > span.start_ms);
  const clip = split[at];
  if (!clip) return [...clips];
  const { joined, first, last } = joinedParts(split, at, isIn ? 'next' : 'previous', span);
  const lengthMs = isIn ? span.end_ms - joined.start_ms : endOf(joined) - span.start_ms;
  const faded = withFade(joined, side, Math.min(lengthMs, joined.length_ms), curve);
  return [...split.slice(0, first), faded, ...split.slice(last + 1)];
}

/** Joins a clip with its continuations until it reaches the other end of the span. */
function joinedParts(clips: readonly Clip[], at: number, direction: 'next' | 'previous', span: EditSpan) {
  let joined = clips[at] as Clip;
  let first = at;
  let last = at;
  for (;;) {
    const next: Clip | undefined = direction === 'next' ? clips[last + 1] : clips[first - 1];
    const isLongEnough =
      direction === 'next' ? endOf(joined) >= span.end_ms : joined.start_ms <= span.start_ms;
    if (!next || isLongEnough) return { joined, first, last };
    const [one, other] = direction === 'next' ? [joined, next] : [next, joined];
    if (!isContinuation(one, other)) return { joined, first, last };
    joined = { ...one, length_ms: one.length_ms + other.length_ms, fade_out: other.fade_out };
    if (direction === 'next') last += 1;
    else first -= 1;
  }
}

/** Returns whether the second clip continues the first one so that both sound as one. */
function isContinuation(one: Clip, other: Clip): boolean {
  return (
    one.source === other.source &&
    one.volume === other.volume &&
    one.warp === other.warp &&
    one.semitones === other.semitones &&
    one.is_reversed === other.is_reversed &&
    endOf(one) === other.start_ms &&
    one.from_ms + one.length_ms === other.from_ms &&
    one.fade_out.length_ms === 0 &&
    other.fade_in.length_ms === 0
  );
}
