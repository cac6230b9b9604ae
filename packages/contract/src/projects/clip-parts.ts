import type { Clip } from '../resources/project.ts';

/** Span on the timeline, in ms; the end is exclusive. */
export interface EditSpan {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Fade without length. */
export const noFade: Clip['fade_in'] = { length_ms: 0, curve: 'linear' };

/** Returns the end of a clip on the timeline, in ms. */
export const endOf = ({ start_ms, length_ms }: Clip): number => start_ms + length_ms;

/** Returns whether a clip sounds anywhere in a span. */
export const isIn = (clip: Clip, { start_ms, end_ms }: EditSpan): boolean =>
  clip.start_ms < end_ms && endOf(clip) > start_ms;

/** Returns a clip at another position. */
export const shifted = (clip: Clip, offsetMs: number): Clip =>
  offsetMs === 0 ? clip : { ...clip, start_ms: clip.start_ms + offsetMs };

/**
 * Returns the part of a clip within a span; null if nothing of it is there. An end that is cut off has no fade, and a
 * fade that is longer than the part is shortened to it.
 */
export function partOf(clip: Clip, span: EditSpan, id = clip.id): Clip | null {
  const start = Math.max(clip.start_ms, span.start_ms);
  const end = Math.min(endOf(clip), span.end_ms);
  if (end <= start) return null;
  if (end - start === clip.length_ms) return id === clip.id ? clip : { ...clip, id };
  return withFittingFades({
    ...clip,
    id,
    start_ms: start,
    from_ms: clip.from_ms + start - clip.start_ms,
    length_ms: end - start,
    fade_in: start > clip.start_ms ? noFade : clip.fade_in,
    fade_out: end < endOf(clip) ? noFade : clip.fade_out,
  });
}

/**
 * Returns the parts of a clip before and after a span, 0 to 2. The first one keeps the id; a second one gets a new id.
 */
export function partsOutside(clip: Clip, span: EditSpan, newId: () => string): Clip[] {
  if (!isIn(clip, span)) return [clip];
  const before = partOf(clip, { start_ms: 0, end_ms: span.start_ms });
  const hasAfter = endOf(clip) > span.end_ms;
  const after = hasAfter && partOf(clip, { start_ms: span.end_ms, end_ms: endOf(clip) });
  if (!after) return before ? [before] : [];
  return before ? [before, { ...after, id: newId() }] : [after];
}

/**
 * Returns the parts of a clip before, within and after a span; those of no length are omitted. The first one keeps the
 * id.
 */
export function splitAtSpan(
  clip: Clip,
  span: EditSpan,
  newId: () => string,
): { readonly inside: Clip | null; readonly outside: readonly Clip[] } {
  if (!isIn(clip, span)) return { inside: null, outside: [clip] };
  const isFirst = clip.start_ms >= span.start_ms;
  const inside = partOf(clip, span, isFirst ? clip.id : newId());
  const before = partOf(clip, { start_ms: 0, end_ms: span.start_ms });
  const after = partOf(clip, { start_ms: span.end_ms, end_ms: Number.POSITIVE_INFINITY });
  const outside = [before, after && { ...after, id: newId() }].filter((part) => part !== null);
  return { inside, outside };
}

/** Returns the clip with fades that do not overlap: the one in `kept` is shortened to the clip, the other to the rest. */
export function withFittingFades(clip: Clip, kept: 'fade_in' | 'fade_out' = 'fade_in'): Clip {
  const other = kept === 'fade_in' ? 'fade_out' : 'fade_in';
  const length = Math.min(clip[kept].length_ms, clip.length_ms);
  const otherLength = Math.min(clip[other].length_ms, clip.length_ms - length);
  if (length === clip[kept].length_ms && otherLength === clip[other].length_ms) return clip;
  return {
    ...clip,
    [kept]: withLength(clip[kept], length),
    [other]: withLength(clip[other], otherLength),
  };
}

const withLength = (fade: Clip['fade_in'], length: number) =>
  length === 0 ? noFade : { ...fade, length_ms: length };
