import type { PeaksZoom } from '@stem-studio/dsp/signal/peaks';
import { cssColors } from './decks/css-colors.ts';
import { type BandColors, drawWaveform, waveformGain } from './decks/waveform-tiles.ts';

/** Highest number of device pixels per CSS pixel that is drawn. */
const MOST_SCALE = 2;

type RowColors = BandColors & { readonly line: string };

/** Colours of all rows: reading them from the style sheet for each row would force a layout. */
let rowColors: RowColors | null = null;

/**
 * Draws the waveform of a row with its frequency bands over a whole canvas; null draws a line.
 *
 * @param widthPx width of the canvas in CSS pixels
 * @param heightPx height of the canvas in CSS pixels
 */
export function drawRowWaveform(
  canvas: HTMLCanvasElement,
  widthPx: number,
  heightPx: number,
  peaks: PeaksZoom | null,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  rowColors ??= cssColors(canvas, {
    low: 'wave-low',
    mid: 'wave-mid',
    high: 'wave-high',
    line: 'line-strong',
  });
  const scale = Math.min(MOST_SCALE, devicePixelRatio || 1);
  const width = Math.max(1, Math.round(widthPx * scale));
  const height = Math.max(1, Math.round(heightPx * scale));
  // Also clears the canvas.
  canvas.width = width;
  canvas.height = height;
  if (!peaks || peaks.max.length === 0) {
    context.fillStyle = rowColors.line;
    context.fillRect(0, Math.floor(height / 2), width, 1);
    return;
  }
  const columns = { first: 0, perColumn: peaks.max.length / width, columns: width };
  drawWaveform(context, peaks, columns, height, waveformGain({ zooms: [peaks] }), rowColors);
}
