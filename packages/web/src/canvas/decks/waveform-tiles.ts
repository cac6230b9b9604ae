import { type PeaksZoom, peakLevel, type WaveformPeaks } from '@stem-studio/dsp/signal/peaks';

import type { TileSource } from './waveform-view.ts';

/** Columns of a tile, one per peak. */
export const TILE_COLUMNS = 1024;
/** Tiles cached per track: those in view and some around them. */
export const MOST_TILES = 16;
/** Factor by which a zoom level may be stretched before a finer one is used. */
export const STRETCH = 1.4;

/** Colours of the low, middle and high frequency band. */
export interface BandColors {
  readonly low: string;
  readonly mid: string;
  readonly high: string;
}

/** Layers of the waveform from back to front, with the gain of each band. */
export const waveformLayers = [
  { band: 'low', gain: 1.7 },
  { band: 'mid', gain: 1.9 },
  { band: 'high', gain: 1.7 },
] as const;
/** Opacity of the outline behind the layers. */
export const OUTLINE_ALPHA = 0.38;
/** Largest factor by which quiet tracks are enlarged. */
const MOST_GAIN = 2.5;
/** Part of the height that the loudest peak of a track fills. */
export const FULL = 0.96;

/**
 * Returns the coarsest zoom level with enough resolution for a number of pixels per second of the track; the finest
 * if none has.
 */
export function zoomFor(peaks: WaveformPeaks, pxPerSecond: number): PeaksZoom | null {
  const fitting = peaks.zooms.findLast(
    (zoom) => (peaks.sampleRate / zoom.samplesPerPeak) * STRETCH >= pxPerSecond,
  );
  return fitting ?? peaks.zooms[0] ?? null;
}

/**
 * Waveform of a track as tiles that are drawn once and cached, so that a frame costs a few copies. Low, middle and
 * high band are layers in different colours.
 */
export class WaveformTiles implements TileSource {
  readonly peaks: WaveformPeaks;
  readonly heightPx: number;
  readonly #colors: BandColors;
  readonly #gain: number;
  readonly #tiles = new Map<number, HTMLCanvasElement>();
  #zoom: PeaksZoom | null = null;

  /** @param heightPx height of a tile, in device pixels */
  constructor(peaks: WaveformPeaks, heightPx: number, colors: BandColors) {
    this.peaks = peaks;
    this.heightPx = heightPx;
    this.#colors = colors;
    this.#gain = waveformGain(peaks);
  }

  chooseZoom(pxPerSecond: number): number {
    this.#zoom = zoomFor(this.peaks, pxPerSecond);
    return this.#zoom ? this.peaks.sampleRate / this.#zoom.samplesPerPeak : 0;
  }

  tile(index: number): HTMLCanvasElement | null {
    const zoom = this.#zoom;
    if (!zoom || index < 0 || index * TILE_COLUMNS >= zoom.max.length) return null;
    const key = zoom.samplesPerPeak * 65_536 + index;
    const known = this.#tiles.get(key);
    if (known) return known;
    if (this.#tiles.size >= MOST_TILES) {
      const [oldest] = this.#tiles.keys();
      if (oldest !== undefined) this.#tiles.delete(oldest);
    }
    const canvas = document.createElement('canvas');
    canvas.width = TILE_COLUMNS;
    canvas.height = this.heightPx;
    const context = canvas.getContext('2d');
    if (context)
      drawWaveform(
        context,
        zoom,
        { first: index * TILE_COLUMNS, perColumn: 1, columns: TILE_COLUMNS },
        this.heightPx,
        this.#gain,
        this.#colors,
      );
    this.#tiles.set(key, canvas);
    return canvas;
  }
}

/** Factor that lets the loudest peak of a track fill the height; 1 for silence. */
export function waveformGain({ zooms }: Pick<WaveformPeaks, 'zooms'>): number {
  const coarsest = zooms.at(-1);
  let loudest = 0;
  for (let peak = 0; peak < (coarsest?.max.length ?? 0); peak++)
    loudest = Math.max(loudest, coarsest?.max[peak] ?? 0, -(coarsest?.min[peak] ?? 0));
  return loudest === 0 ? 1 : Math.min(MOST_GAIN, (127 * FULL) / loudest);
}

/** Draws a waveform from peak `first` on across a canvas, with `perColumn` peaks per column. */
export function drawWaveform(
  context: CanvasRenderingContext2D,
  zoom: PeaksZoom,
  { first, perColumn, columns }: { first: number; perColumn: number; columns: number },
  heightPx: number,
  enlarged: number,
  colors: BandColors,
): void {
  const middle = heightPx / 2;
  context.fillStyle = colors.low;
  context.globalAlpha = OUTLINE_ALPHA;
  for (let x = 0; x < columns; x++) {
    const from = Math.floor(first + x * perColumn);
    const to = Math.max(from + 1, Math.floor(first + (x + 1) * perColumn));
    let top = 0;
    let bottom = 0;
    for (let peak = from; peak < to && peak < zoom.max.length; peak++) {
      top = Math.max(top, zoom.max[peak] ?? 0);
      bottom = Math.min(bottom, zoom.min[peak] ?? 0);
    }
    const height = ((top - bottom) / 127) * middle * enlarged;
    if (height > 0) context.fillRect(x, middle - (top / 127) * middle * enlarged, 1, Math.max(1, height));
  }
  context.globalAlpha = 1;
  for (const { band, gain } of waveformLayers) {
    context.fillStyle = colors[band];
    const levels = zoom[band];
    for (let x = 0; x < columns; x++) {
      const from = Math.floor(first + x * perColumn);
      const to = Math.max(from + 1, Math.floor(first + (x + 1) * perColumn));
      let level = 0;
      for (let peak = from; peak < to && peak < levels.length; peak++)
        level = Math.max(level, levels[peak] ?? 0);
      const half = Math.min(1, peakLevel(level) * gain * enlarged) * middle * FULL;
      if (half >= 0.5) context.fillRect(x, middle - half, 1, half * 2);
    }
  }
}
