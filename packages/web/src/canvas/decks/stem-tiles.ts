import type { DeckStemPeaks } from '@stem-studio/audio/deck/deck-stem-peaks';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { drawStemWaveform, type StemColors } from './stem-waveform.ts';
import { MOST_TILES, STRETCH, TILE_COLUMNS, waveformGain } from './waveform-tiles.ts';
import type { TileSource } from './waveform-view.ts';

/** Zoom levels: each has a quarter of the columns of the one before. */
const ZOOMS = 5;
const ZOOM_STEP = 4;
/** Steps at which the loaded parts of a tile are counted, in peaks; half of a chunk. */
const KNOWN_STEP = 64;

interface Tile {
  readonly canvas: HTMLCanvasElement;
  /** Version of the waveforms that it was compared with last. */
  version: number;
  /** Loaded parts when it was drawn. */
  known: number;
}

/**
 * Waveform of a deck in the colours of its stems, as tiles that are drawn once and cached. A tile is drawn again when
 * more of its stems is loaded, and all are when a stem is muted or not muted any more.
 *
 * @spec Decks on the screen
 */
export class StemTiles implements TileSource {
  readonly waveforms: DeckStemPeaks;
  readonly song: WaveformPeaks | null;
  readonly heightPx: number;
  readonly #colors: StemColors;
  readonly #gain: number;
  readonly #tiles = new Map<number, Tile>();
  #audible = 0;
  #zoom = 0;

  /**
   * @param song waveform of the whole song, shown where no stem is loaded
   * @param heightPx height of a tile, in device pixels
   */
  constructor(waveforms: DeckStemPeaks, song: WaveformPeaks | null, heightPx: number, colors: StemColors) {
    this.waveforms = waveforms;
    this.song = song;
    this.heightPx = heightPx;
    this.#colors = colors;
    this.#gain = song ? waveformGain(song) : 1;
  }

  /** Sets the stems that are drawn, a bit set of `audibleStems`. */
  setAudible(audible: number): void {
    if (audible === this.#audible) return;
    this.#audible = audible;
    this.#tiles.clear();
  }

  chooseZoom(pxPerSecond: number): number {
    const finest = this.waveforms.sampleRateHz / this.#framesPerPeak;
    let zoom = ZOOMS - 1;
    while (zoom > 0 && (finest / ZOOM_STEP ** zoom) * STRETCH < pxPerSecond) zoom--;
    this.#zoom = zoom;
    return finest / ZOOM_STEP ** zoom;
  }

  tile(index: number): HTMLCanvasElement | null {
    const perColumn = ZOOM_STEP ** this.#zoom;
    const first = index * TILE_COLUMNS * perColumn;
    if (index < 0 || first * this.#framesPerPeak >= this.waveforms.frames) return null;
    const key = this.#zoom * 65_536 + index;
    let tile = this.#tiles.get(key);
    if (!tile) {
      this.#dropOldest();
      const canvas = document.createElement('canvas');
      canvas.width = TILE_COLUMNS;
      canvas.height = this.heightPx;
      tile = { canvas, version: -1, known: -1 };
      this.#tiles.set(key, tile);
    }
    if (tile.version !== this.waveforms.version) this.#update(tile, first, perColumn);
    return tile.canvas;
  }

  get #framesPerPeak(): number {
    return this.waveforms.stems[0]?.peaks.framesPerPeak ?? 1;
  }

  #dropOldest(): void {
    if (this.#tiles.size < MOST_TILES) return;
    const [oldest] = this.#tiles.keys();
    if (oldest !== undefined) this.#tiles.delete(oldest);
  }

  #update(tile: Tile, first: number, perColumn: number): void {
    tile.version = this.waveforms.version;
    const known = this.#knownParts(first, first + TILE_COLUMNS * perColumn);
    if (known === tile.known) return;
    tile.known = known;
    const context = tile.canvas.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, TILE_COLUMNS, this.heightPx);
    drawStemWaveform(
      context,
      { waveforms: this.waveforms, audible: this.#audible, song: this.song },
      { first, perColumn, columns: TILE_COLUMNS },
      { heightPx: this.heightPx, gain: this.#gain, colors: this.#colors },
    );
  }

  #knownParts(from: number, to: number): number {
    const { stems } = this.waveforms;
    let known = 0;
    for (let stem = 0; stem < stems.length; stem++) {
      const peaks = stems[stem]?.peaks;
      for (let peak = from; peak < to; peak += KNOWN_STEP) if (peaks?.has(peak)) known++;
    }
    return known;
  }
}
