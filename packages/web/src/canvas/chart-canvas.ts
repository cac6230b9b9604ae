import type { Scope } from '@stem-studio/audio/base/scope';
import { readPalette } from './palette.ts';
import type { Surface } from './time-chart.ts';

/** Highest useful ratio of device pixels to CSS pixels. */
const MAX_SCALE = 3;

/**
 * Draws on a canvas until `scope` ends: once, and again when its size or the resolution of the screen changes.
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
    const scale = Math.min(MAX_SCALE, devicePixelRatio || 1);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    context.scale(scale, scale);
    draw({ context, width, height, palette: readPalette(canvas, context), durationSeconds });
  };
  scope.onResize(canvas, redraw);
  scope.listen(matchMedia(`(resolution: ${devicePixelRatio}dppx)`), 'change', redraw);
  // Labels need the page's font.
  void document.fonts.ready.then(() => !scope.isDisposed && redraw());
}
