import type { Scope } from '@stem-studio/audio/base/scope';
import { openChartCanvas } from './chart-canvas.ts';
import { readPalette } from './palette.ts';
import type { PianoRoll } from './piano-roll.ts';

/** Visible part of the song, in seconds. */
interface RollWindow {
  readonly fromSeconds: number;
  readonly spanSeconds: number;
}

/**
 * Draws the visible part of a piano roll until `scope` ends: when the window or the size has changed.
 *
 * @param window read again in each frame
 */
export function openRollCanvas(
  scope: Scope,
  canvas: HTMLCanvasElement,
  roll: PianoRoll,
  durationSeconds: number,
  window: () => RollWindow,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const palette = readPalette(canvas, context);
  let drawn: RollWindow | null = null;
  scope.onResize(canvas, () => {
    drawn = null;
  });
  scope.onAnimationFrame(() => {
    const now = window();
    if (now === drawn) return;
    drawn = now;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = canvas;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    if (now.spanSeconds <= 0 || width === 0) return;
    // The roll draws the whole song; its visible part is moved onto the canvas.
    const whole = (width * durationSeconds) / now.spanSeconds;
    context.setTransform(ratio, 0, 0, ratio, -(now.fromSeconds / durationSeconds) * whole * ratio, 0);
    roll.draw({ context, width: whole, height, palette, durationSeconds });
  });
}

/** Draws the keyboard beside a piano roll until `scope` ends. */
export function openKeysCanvas(scope: Scope, canvas: HTMLCanvasElement, roll: PianoRoll): void {
  openChartCanvas(scope, canvas, 0, (surface) => roll.drawKeys(surface));
}
