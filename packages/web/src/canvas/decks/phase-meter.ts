import type { Scope } from '@stem-studio/audio/base/scope';
import type { LocalDeck } from '@stem-studio/audio/deck/local-deck';
import { beatAt } from '@stem-studio/dsp/time/beat-position';
import type { AnimationLoop } from '../../base/animation-loop.ts';
import type { ControlTarget } from '../../state/decks/control-target.ts';
import { cssColors } from './css-colors.ts';

/** Largest phase of beats that count as aligned, in beats: 25 ms at 120 bpm. */
const TOGETHER_BEATS = 0.05;

/**
 * Phase of deck B against deck A in beats, −0.5 to 0.5, positive if B is ahead; null if one of them has no beats.
 *
 * @param a position of deck A in its beat grid, in beats
 * @param b position of deck B in its beat grid, in beats
 */
export function phaseBetween(a: number, b: number): number | null {
  const distance = b - a - Math.round(b - a);
  return Number.isFinite(distance) ? distance : null;
}

/**
 * Draws the phase between the decks for as long as `scope` lives: a bar from the centre, to the right if B is ahead, and
 * the current beat of each deck within its bar.
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
    if (!isStale && Object.is(a, drawnA) && Object.is(b, drawnB)) return false;
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
    return true;
  });
}

/** Index of the first downbeat in the beat grid. */
function barStart({ grid: { beats, downbeats } }: LocalDeck): number {
  const first = downbeats[0];
  return first === undefined ? 0 : Math.round(beatAt(first, beats));
}

/** Draws one box per beat of a bar on both sides of the centre; the box of the current beat is filled. */
function drawBeats(
  context: CanvasRenderingContext2D,
  beatInBar: number,
  beatsPerBar: number,
  on: string,
  off: string,
  width: number,
  top: number,
  height: number,
  scale: number,
): void {
  const count = Math.max(1, beatsPerBar);
  const now = Number.isFinite(beatInBar) ? ((Math.floor(beatInBar) % count) + count) % count : -1;
  const box = 28 * scale;
  const gap = 4 * scale;
  for (let beat = 0; beat < count; beat++) {
    context.fillStyle = beat === now ? on : off;
    const offset = beat * (box + gap);
    context.fillRect(width / 2 - 120 * scale - count * (box + gap) + offset, top, box, height);
    context.fillRect(width / 2 + 120 * scale + offset, top, box, height);
  }
}
