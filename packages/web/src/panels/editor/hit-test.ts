import type { Clip, Lane } from '@stem-studio/contract/resources/project';

/** Height of the bar with a clip's name, by which it is moved, in px. */
export const TITLE_PX = 16;
/** Distance from an edge of a clip within which it is trimmed, in px. */
const EDGE_PX = 5;
/** Half the size of a fade handle, in px. */
export const HANDLE_PX = 6;

/** What the pointer is over. `x` and `y` are relative to the lane. */
export type Hit =
  | { readonly on: 'lane' }
  | {
      readonly on: 'title' | 'body' | 'start' | 'end' | 'fade_in' | 'fade_out';
      readonly clip: Clip;
    };

/** Returns the middle of the handle of a fade, in px from the start of the timeline window. */
export function fadeHandleX(clip: Clip, side: 'fade_in' | 'fade_out', xOf: (ms: number) => number): number {
  const left = xOf(clip.start_ms);
  const right = xOf(clip.start_ms + clip.length_ms);
  const x =
    side === 'fade_in'
      ? xOf(clip.start_ms + clip.fade_in.length_ms) + HANDLE_PX
      : xOf(clip.start_ms + clip.length_ms - clip.fade_out.length_ms) - HANDLE_PX;
  return Math.min(right, Math.max(left, x));
}

/** Returns whether a clip is wide enough for handles. */
export function hasHandles(clip: Clip, xOf: (ms: number) => number): boolean {
  return xOf(clip.start_ms + clip.length_ms) - xOf(clip.start_ms) > 5 * HANDLE_PX;
}

/**
 * Returns what is at a position of a lane. Where two clips overlap, the later one is on top. Fade handles are below the
 * name, at the corners or at the end of the fade.
 */
export function hitAt(lane: Lane, x: number, y: number, xOf: (ms: number) => number): Hit {
  for (const clip of lane.clips.toReversed()) {
    const left = xOf(clip.start_ms);
    const right = xOf(clip.start_ms + clip.length_ms);
    if (x < left - EDGE_PX || x > right + EDGE_PX) continue;
    if (y > TITLE_PX && y <= TITLE_PX + 2 * HANDLE_PX && hasHandles(clip, xOf)) {
      for (const side of ['fade_in', 'fade_out'] as const) {
        if (Math.abs(x - fadeHandleX(clip, side, xOf)) <= HANDLE_PX) return { on: side, clip };
      }
    }
    const edgePx = Math.min(EDGE_PX, (right - left) / 4);
    if (Math.abs(x - left) <= edgePx) return { on: 'start', clip };
    if (Math.abs(x - right) <= edgePx) return { on: 'end', clip };
    if (x >= left && x <= right) return { on: y <= TITLE_PX ? 'title' : 'body', clip };
  }
  return { on: 'lane' };
}
