import { type PeaksZoom, peakLevel } from '@stem-studio/dsp/signal/peaks';
import { waveformGain, waveformLayers } from './decks/waveform-tiles.ts';

/** Outlines of a waveform and of its frequency bands, as SVG path data from back to front. */
export interface WaveformPaths {
  readonly peak: string;
  readonly low: string;
  readonly mid: string;
  readonly high: string;
}

/**
 * Returns the outlines of a waveform, symmetric about the middle. They are drawn once by the browser, where a canvas in
 * each row of a list costs time in every frame in which the list scrolls.
 *
 * @param columns width of the drawing in units
 * @param height height of the drawing in units
 */
export function waveformPaths(peaks: PeaksZoom, columns: number, height: number): WaveformPaths {
  const middle = height / 2;
  const gain = waveformGain({ zooms: [peaks] });
  const outline = (halfAt: (peak: number) => number) => {
    const halves = Array.from({ length: columns }, (_, column) => {
      const from = Math.floor((column * peaks.max.length) / columns);
      const to = Math.max(from + 1, Math.floor(((column + 1) * peaks.max.length) / columns));
      let half = 0;
      for (let peak = from; peak < to && peak < peaks.max.length; peak++) half = Math.max(half, halfAt(peak));
      return Math.min(1, half * gain) * middle;
    });
    return pathOf(halves, middle);
  };
  const bands = waveformLayers.map(({ band, gain: bandGain }) => [
    band,
    outline((peak) => peakLevel(peaks[band][peak] ?? 0) * bandGain),
  ]);
  return {
    peak: outline((peak) => Math.max(peaks.max[peak] ?? 0, -(peaks.min[peak] ?? 0)) / 127),
    ...(Object.fromEntries(bands) as Record<'low' | 'mid' | 'high', string>),
  };
}

/** Returns a closed path through the heights above the middle and back below it; empty for silence. */
function pathOf(halves: readonly number[], middle: number): string {
  if (halves.every((half) => half < 0.05)) return '';
  const point = (column: number, y: number) => `${column} ${Math.round(y * 10) / 10}`;
  const above = halves.map((half, column) => point(column, middle - half));
  const below = halves.map((half, column) => point(column, middle + half)).toReversed();
  return `M${[...above, ...below].join('L')}Z`;
}
