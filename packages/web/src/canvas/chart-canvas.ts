import type { Scope } from '@stem-studio/audio/base/scope';
import { readPalette } from './palette.ts';
import type { Surface } from './time-chart.ts';

/** More than this many pixels in one is not seen. */
const MOST_SCALE = 3;

/**
 * Keeps a canvas drawn for as long as `scope` lives: again when its size or the screen's resolution changes, and never
 * because time goes on.
 */
export function openChartCanvas(
  scope: Scope,
  canvas: HTMLCanvasElement,
  durationSeconds: number,
  draw: (surface: Surface) => void,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const redraw = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    const scale = Math.min(MOST_SCALE, devicePixelRatio || 1);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    context.scale(scale, scale);
    draw({ context, width, height, palette: readPalette(canvas, context), durationSeconds });
  };
  scope.onResize(canvas, redraw);
  scope.listen(matchMedia(`(resolution: ${devicePixelRatio}dppx)`), 'change', redraw);
  // Labels are drawn in the page's own type once it is there.
  void document.fonts.ready.then(() => !scope.isDisposed && redraw());
}
