import type { DeckStemPeaks } from '@stem-studio/audio/deck/deck-stem-peaks';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { PeaksZoom, WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { FULL, OUTLINE_ALPHA } from './waveform-tiles.ts';

/** Colour of each stem, and of the outline of the song where no stem is loaded. */
export type StemColors = Readonly<Record<StemType | 'outline', string>>;

/** Columns to draw: `perColumn` peaks of the stems each, from peak `first` on. */
export interface StemColumns {
  readonly first: number;
  readonly perColumn: number;
  readonly columns: number;
}

/** Stems to draw. */
export interface StemDrawing {
  readonly waveforms: DeckStemPeaks;
  /** Audible stems, a bit set of {@link audibleStems}. */
  readonly audible: number;
  /** Waveform of the whole song, shown where no stem is loaded; null while it is not loaded. */
  readonly song: WaveformPeaks | null;
}

/** Size and colours of a drawing. */
export interface StemDrawingLook {
  readonly heightPx: number;
  /** Factor of all levels. */
  readonly gain: number;
  readonly colors: StemColors;
}

/** The part of a drawing context that a waveform needs. */
export type WaveformContext = Pick<CanvasRenderingContext2D, 'fillRect' | 'fillStyle' | 'globalAlpha'>;

/**
 * Returns the audible stems as a bit set, in the order of `waveforms`: neither muted nor turned down, and
 * soloed where any stem is. Allocates nothing.
 */
export function audibleStems({ stems }: DeckStemPeaks, states: DeckState['stems']): number {
  let isAnySoloed = false;
  for (let i = 0; i < states.length; i++) isAnySoloed ||= states[i]?.is_soloed === true;
  let audible = 0;
  for (let stem = 0; stem < stems.length; stem++) {
    for (let i = 0; i < states.length; i++) {
      const state = states[i];
      if (state?.stem_type !== stems[stem]?.type) continue;
      if (state && !state.is_muted && state.volume > 0 && (!isAnySoloed || state.is_soloed))
        audible |= 1 << stem;
    }
  }
  return audible;
}

/**
 * Draws the peak level of each audible stem in its colour, mirrored at the middle. In each column the loudest stem is
 * drawn first, so that quieter ones stay visible in front of it. Columns whose stems are not loaded show the outline
 * of the song.
 */
export function drawStemWaveform(
  context: WaveformContext,
  { waveforms, audible, song }: StemDrawing,
  part: StemColumns,
  look: StemDrawingLook,
): void {
  const { heightPx, gain, colors } = look;
  const { columns } = part;
  const { stems } = waveforms;
  const middle = heightPx / 2;
  if (song) drawUnknown(context, waveforms, song, part, look);
  const levels = levelsOf(waveforms, audible, part);
  const ranks = ranksOf(levels, stems.length, columns);
  for (let rank = 0; rank < stems.length; rank++) {
    for (let stem = 0; stem < stems.length; stem++) {
      context.fillStyle = colors[stems[stem]?.type ?? 'other'];
      for (let x = 0; x < columns; x++) {
        if (ranks[stem * columns + x] !== rank) continue;
        const level = levels[stem * columns + x] ?? 0;
        const half = Math.min(1, (level / 127) * gain) * middle * FULL;
        if (half >= 0.5) context.fillRect(x, middle - half, 1, half * 2);
      }
    }
  }
}

/** Largest absolute peak of each stem in each column, 0 to 127, stem by stem; 0 where it is muted or not loaded. */
function levelsOf({ stems }: DeckStemPeaks, audible: number, part: StemColumns): Uint8Array {
  const { first, perColumn, columns } = part;
  const levels = new Uint8Array(stems.length * columns);
  for (let stem = 0; stem < stems.length; stem++) {
    const peaks = stems[stem]?.peaks;
    if (!peaks || (audible & (1 << stem)) === 0) continue;
    const { min, max } = peaks;
    for (let x = 0; x < columns; x++) {
      const from = Math.floor(first + x * perColumn);
      const to = Math.min(max.length, Math.max(from + 1, Math.floor(first + (x + 1) * perColumn)));
      let level = 0;
      for (let peak = from; peak < to; peak++) level = Math.max(level, max[peak] ?? 0, -(min[peak] ?? 0));
      levels[stem * columns + x] = level;
    }
  }
  return levels;
}

/** Number of louder stems in the same column, stem by stem; of equal ones the first counts as louder. */
function ranksOf(levels: Uint8Array, stems: number, columns: number): Uint8Array {
  const ranks = new Uint8Array(levels.length);
  for (let stem = 0; stem < stems; stem++) {
    for (let other = stem + 1; other < stems; other++) {
      for (let x = 0; x < columns; x++) {
        const own = stem * columns + x;
        const its = other * columns + x;
        const quieter = (levels[own] ?? 0) < (levels[its] ?? 0) ? own : its;
        ranks[quieter] = (ranks[quieter] ?? 0) + 1;
      }
    }
  }
  return ranks;
}

/** Draws the outline of the song in the columns of which no stem is loaded. */
function drawUnknown(
  context: WaveformContext,
  { stems, sampleRateHz }: DeckStemPeaks,
  song: WaveformPeaks,
  { first, perColumn, columns }: StemColumns,
  { heightPx, gain, colors }: StemDrawingLook,
): void {
  const framesPerPeak = stems[0]?.peaks.framesPerPeak ?? 1;
  const zoom = zoomOf(song, perColumn * framesPerPeak);
  if (!zoom) return;
  const middle = heightPx / 2;
  // Peaks of the song per peak of the stems.
  const ratio = (framesPerPeak / sampleRateHz) * (song.sampleRate / zoom.samplesPerPeak);
  context.fillStyle = colors.outline;
  context.globalAlpha = OUTLINE_ALPHA;
  for (let x = 0; x < columns; x++) {
    const peak = first + x * perColumn;
    if (isKnown(stems, Math.floor(peak + perColumn / 2))) continue;
    const index = Math.floor(peak * ratio);
    const top = ((zoom.max[index] ?? 0) / 127) * middle * gain;
    const bottom = ((zoom.min[index] ?? 0) / 127) * middle * gain;
    if (top > bottom) context.fillRect(x, middle - top, 1, Math.max(1, top - bottom));
  }
  context.globalAlpha = 1;
}

function isKnown(stems: DeckStemPeaks['stems'], peak: number): boolean {
  for (let stem = 0; stem < stems.length; stem++) if (stems[stem]?.peaks.has(peak)) return true;
  return false;
}

/** The finest zoom level whose peaks are at least as long as a column; the coarsest if none is. */
function zoomOf({ zooms }: WaveformPeaks, framesPerColumn: number): PeaksZoom | null {
  return zooms.find(({ samplesPerPeak }) => samplesPerPeak >= framesPerColumn) ?? zooms.at(-1) ?? null;
}
