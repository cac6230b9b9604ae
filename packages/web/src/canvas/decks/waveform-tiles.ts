import { type PeaksZoom, peakLevel, type WaveformPeaks } from '@stem-studio/dsp/signal/peaks';

/** Columns of a tile, one a peak. */
export const TILE_COLUMNS = 1024;
/** Tiles kept of a song: what is seen and a little around it. */
const MOST_TILES = 16;
/** A zoom may be drawn wider than it is by this much before a finer one is taken. */
const STRETCH = 1.4;

/** The colours of what is deep, in the middle and high. */
export interface BandColors {
  readonly low: string;
  readonly mid: string;
  readonly high: string;
}

/** The three layers from back to front: how strongly each level shows, and its part of the height at full level. */
const layers = [
  { band: 'low', gain: 1.7 },
  { band: 'mid', gain: 1.9 },
  { band: 'high', gain: 1.7 },
] as const;
const OUTLINE_ALPHA = 0.38;
/** Quiet songs are drawn larger, but not by more than this. */
const MOST_GAIN = 2.5;
/** The loudest moment of a song fills this much of the height. */
const FULL = 0.96;

/** The coarsest zoom that need not be stretched much at so many pixels a second of the song; the finest where none fits. */
export function zoomFor(peaks: WaveformPeaks, pxPerSecond: number): PeaksZoom | null {
  const fitting = peaks.zooms.findLast(
    (zoom) => (peaks.sampleRate / zoom.samplesPerPeak) * STRETCH >= pxPerSecond,
  );
  return fitting ?? peaks.zooms[0] ?? null;
}

/**
 * A song's waveform as strips drawn ahead, so that a picture of the screen costs a few copies. The colour says what
 * sounds: deep, middle and high lie over each other.
 */
export class WaveformTiles {
  readonly peaks: WaveformPeaks;
  readonly heightPx: number;
  readonly #colors: BandColors;
  readonly #gain: number;
  readonly #tiles = new Map<number, HTMLCanvasElement>();

  /** @param heightPx of a strip, in pixels of the device */
  constructor(peaks: WaveformPeaks, heightPx: number, colors: BandColors) {
    this.peaks = peaks;
    this.heightPx = heightPx;
    this.#colors = colors;
    this.#gain = waveformGain(peaks);
  }

  /** Strip `index` of a zoom, from 0; null beyond the song. */
  tile(zoom: PeaksZoom, index: number): HTMLCanvasElement | null {
    if (index < 0 || index * TILE_COLUMNS >= zoom.max.length) return null;
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

/** What a song's waveform is enlarged by, so that its loudest moment fills the height; 1 for silence. */
export function waveformGain({ zooms }: WaveformPeaks): number {
  const coarsest = zooms.at(-1);
  let loudest = 0;
  for (let peak = 0; peak < (coarsest?.max.length ?? 0); peak++)
    loudest = Math.max(loudest, coarsest?.max[peak] ?? 0, -(coarsest?.min[peak] ?? 0));
  return loudest === 0 ? 1 : Math.min(MOST_GAIN, (127 * FULL) / loudest);
}

/** Draws a waveform from peak `first` on over the whole of a canvas, each of its columns of `perColumn` peaks. */
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
  for (const { band, gain } of layers) {
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
