import type { Scope } from '@stem-studio/audio/base/scope';
import type { LocalDeck } from '@stem-studio/audio/deck/local-deck';
import { beatAt } from '@stem-studio/dsp/time/beat-place';
import type { AnimationLoop } from '../../base/animation-loop.ts';
import type { ControlTarget } from '../../state/decks/control-target.ts';
import { cssColors } from './css-colors.ts';

/** Beats as near as this are together: a twentieth of one is 25 ms at 120 beats a minute. */
const TOGETHER_BEATS = 0.05;

/**
 * How far deck B's beat is from deck A's, −0.5 to 0.5 beats, positive where B is ahead; null where one has no beats.
 *
 * @param a place of deck A among its beats
 * @param b place of deck B among its beats
 */
export function phaseBetween(a: number, b: number): number | null {
  const distance = b - a - Math.round(b - a);
  return Number.isFinite(distance) ? distance : null;
}

/**
 * Shows how far the beats of the decks are apart for as long as `scope` lives: a bar from the middle, to the right where
 * B is ahead, and where both decks are in their beats of four.
 */
export function openPhaseMeter(
  scope: Scope,
  animation: AnimationLoop,
  canvas: HTMLCanvasElement,
  { decks }: ControlTarget,
): void {
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return;
  const colors = cssColors(canvas, {
    a: 'deck-a',
    b: 'deck-b',
    ground: 'panel',
    off: 'line',
    together: 'success',
    apart: 'danger',
    middle: 'text',
  });
  let isStale = true;
  let drawnA = Number.NaN;
  let drawnB = Number.NaN;
  scope.onResize(canvas, () => {
    isStale = true;
  });
  animation.add(scope, () => {
    const local = decks.local.getState();
    const a = beatAt(decks.positionSeconds('a'), local.a.grid.beats);
    const b = beatAt(decks.positionSeconds('b'), local.b.grid.beats);
    if (!isStale && Object.is(a, drawnA) && Object.is(b, drawnB)) return;
    const scale = Math.min(2, devicePixelRatio || 1);
    if (isStale) {
      canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
      canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
    }
    isStale = false;
    drawnA = a;
    drawnB = b;
    const { width, height } = canvas;
    context.fillStyle = colors.ground;
    context.fillRect(0, 0, width, height);
    const row = height / 2;
    drawBeats(
      context,
      a - barStart(local.a),
      local.a.grid.beatsPerBar,
      colors.a,
      colors.off,
      width,
      1,
      row - 2,
      scale,
    );
    drawBeats(
      context,
      b - barStart(local.b),
      local.b.grid.beatsPerBar,
      colors.b,
      colors.off,
      width,
      row + 1,
      row - 2,
      scale,
    );
    const phase = phaseBetween(a, b);
    const half = 96 * scale;
    context.fillStyle = colors.off;
    context.fillRect(width / 2 - half, height / 2 - scale, half * 2, 2 * scale);
    if (phase !== null) {
      context.fillStyle = Math.abs(phase) < TOGETHER_BEATS ? colors.together : colors.apart;
      const length = phase * 2 * half;
      context.fillRect(
        Math.min(width / 2, width / 2 + length),
        2 * scale,
        Math.abs(length) + 2 * scale,
        height - 4 * scale,
      );
    }
    context.fillStyle = colors.middle;
    context.fillRect(width / 2 - scale, 0, 2 * scale, height);
  });
}

/** Where the bars begin among the beats. */
function barStart({ grid: { beats, downbeats } }: LocalDeck): number {
  const first = downbeats[0];
  return first === undefined ? 0 : Math.round(beatAt(first, beats));
}

/** Boxes of the beats of a bar on both sides of the middle, the one that sounds filled. */
function drawBeats(
  context: CanvasRenderingContext2D,
  place: number,
  beatsPerBar: number,
  on: string,
  off: string,
  width: number,
  top: number,
  height: number,
  scale: number,
): void {
  const count = Math.max(1, beatsPerBar);
  const now = Number.isFinite(place) ? ((Math.floor(place) % count) + count) % count : -1;
  const box = 28 * scale;
  const gap = 4 * scale;
  for (let beat = 0; beat < count; beat++) {
    context.fillStyle = beat === now ? on : off;
    const offset = beat * (box + gap);
    context.fillRect(width / 2 - 120 * scale - count * (box + gap) + offset, top, box, height);
    context.fillRect(width / 2 + 120 * scale + offset, top, box, height);
  }
}
