import type { DrawablePeaks } from '../client/peaks-query.ts';

/** Height of silence and of a missing waveform. */
const LINE_PX = 1;

/**
 * Draws a waveform over a whole canvas in the text colour of the canvas, which the style sheet sets. Null draws a line, as
 * silence does.
 */
export function drawPeaks(
  canvas: HTMLCanvasElement,
  widthPx: number,
  heightPx: number,
  peaks: DrawablePeaks | null,
): void {
  const scale = Math.min(3, devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(widthPx * scale));
  canvas.height = Math.max(1, Math.round(heightPx * scale));
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = getComputedStyle(canvas).color;
  context.scale(scale, scale);
  if (peaks)
    fillPeaks(context, { left: 0, width: widthPx, height: heightPx }, peaks, {
      from: 0,
      to: peaks.min.length,
    });
  else context.fillRect(0, (heightPx - LINE_PX) / 2, widthPx, LINE_PX);
}

/** Area of a canvas, in CSS pixels. */
export interface Area {
  left: number;
  width: number;
  height: number;
}

/**
 * Draws the peaks `from` to `to` (excluded), one column per pixel. Several peaks per pixel are combined, one peak over
 * several pixels is repeated.
 */
export function fillPeaks(
  context: CanvasRenderingContext2D,
  { left, width, height }: Area,
  { min, max }: DrawablePeaks,
  { from, to }: { from: number; to: number },
): void {
  const middle = height / 2;
  const perPixel = (to - from) / width;
  for (let x = 0; x < width; x++) {
    const first = Math.floor(from + x * perPixel);
    const end = Math.max(first + 1, Math.floor(from + (x + 1) * perPixel));
    let low = 0;
    let high = 0;
    for (let i = first; i < end && i < max.length; i++) {
      low = Math.min(low, min[i] ?? 0);
      high = Math.max(high, max[i] ?? 0);
    }
    const top = middle - (high / 127) * middle;
    const bottom = middle - (low / 127) * middle;
    context.fillRect(left + x, top, 1, Math.max(LINE_PX, bottom - top));
  }
}
