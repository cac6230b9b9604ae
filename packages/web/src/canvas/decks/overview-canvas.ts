import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckStemPeaks } from '@stem-studio/audio/deck/deck-stem-peaks';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import type { AnimationLoop } from '../../base/animation-loop.ts';
import type { ControlTarget } from '../../state/decks/control-target.ts';
import type { WaveformColoring } from '../../state/decks/dj-layout.state.ts';
import { cssColors, cssStemColors } from './css-colors.ts';
import { audibleStems, drawStemWaveform, type StemColors } from './stem-waveform.ts';
import { type BandColors, drawWaveform, waveformGain } from './waveform-tiles.ts';

/** Data of an overview that is not part of the deck session. */
export interface OverviewSource {
  readonly peaks: WaveformPeaks | null;
  readonly coloring: WaveformColoring;
}

/** Content of an overview. */
interface OverviewView {
  readonly deck: DeckState;
  readonly peaks: WaveformPeaks | null;
  /** Waveforms of the stems; null for the colours of the bands. */
  readonly stems: DeckStemPeaks | null;
  /** Bit set of `audibleStems`. */
  readonly audible: number;
}

/** Colours of an overview. */
interface OverviewColors {
  readonly bands: BandColors;
  readonly stems: StemColors;
  readonly marks: { readonly deck: string; readonly cue: string };
}

/**
 * Draws the overview of a deck's track with its cues and loop for as long as `scope` lives. The canvas is drawn again only
 * after changes; the playback position only moves `played`.
 *
 * @param played element over the canvas whose left edge is put at the playback position
 */
export function openOverview(
  scope: Scope,
  animation: AnimationLoop,
  canvas: HTMLCanvasElement,
  played: HTMLElement,
  { decks }: ControlTarget,
  deckId: DeckId,
  source: () => OverviewSource,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const colors: OverviewColors = {
    bands: cssColors(canvas, { low: 'wave-low', mid: 'wave-mid', high: 'wave-high' }),
    stems: cssStemColors(canvas),
    marks: cssColors(canvas, { deck: `deck-${deckId}`, cue: 'warning' }),
  };
  let isStale = true;
  let drawnPeaks: WaveformPeaks | null = null;
  let drawnStems: DeckStemPeaks | null = null;
  let drawnVersion = -1;
  let drawnAudible = 0;
  let drawnDeck: Pick<DeckState, 'hot_cues' | 'loop' | 'cue_ms' | 'duration_ms'> | null = null;
  let shown = -1;
  scope.onResize(canvas, () => {
    isStale = true;
  });
  animation.add(scope, () => {
    const deck = decks.session.getState().decks[deckId];
    const { peaks, coloring } = source();
    const stems = coloring === 'stems' ? decks.stemPeaks(deckId) : null;
    const audible = stems ? audibleStems(stems, deck.stems) : 0;
    const version = stems?.version ?? -1;
    const isSame =
      drawnDeck?.hot_cues === deck.hot_cues &&
      drawnDeck.loop === deck.loop &&
      drawnDeck.cue_ms === deck.cue_ms &&
      drawnDeck.duration_ms === deck.duration_ms;
    const areStemsSame = stems === drawnStems && version === drawnVersion && audible === drawnAudible;
    const isDrawn = isStale || peaks !== drawnPeaks || !isSame || !areStemsSame;
    if (isDrawn) {
      isStale = false;
      drawnPeaks = peaks;
      drawnDeck = deck;
      drawnStems = stems;
      drawnVersion = version;
      drawnAudible = audible;
      drawOverview(canvas, context, { deck, peaks, stems, audible }, colors);
    }
    const seconds = deck.duration_ms / 1000;
    const playedRatio = seconds > 0 ? Math.min(1, Math.max(0, decks.positionSeconds(deckId) / seconds)) : 0;
    const pixels = Math.round(playedRatio * canvas.clientWidth * 2) / 2;
    if (pixels === shown) return isDrawn;
    shown = pixels;
    played.style.transform = `translateX(${pixels}px)`;
    return true;
  });
}

function drawOverview(
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  view: OverviewView,
  colors: OverviewColors,
): void {
  const scale = Math.min(2, devicePixelRatio || 1);
  const width = Math.max(1, Math.round(canvas.clientWidth * scale));
  const height = Math.max(1, Math.round(canvas.clientHeight * scale));
  canvas.width = width;
  canvas.height = height;
  if (view.stems) drawStems(context, view.stems, view, colors.stems);
  else if (view.peaks) drawBands(context, view.peaks, colors.bands);
  drawMarks(context, view.deck, scale, colors.marks);
}

function drawBands(context: CanvasRenderingContext2D, peaks: WaveformPeaks, colors: BandColors): void {
  const { width, height } = context.canvas;
  const zoom = peaks.zooms.findLast(({ max }) => max.length >= width) ?? peaks.zooms[0];
  if (!zoom) return;
  const part = { first: 0, perColumn: zoom.max.length / width, columns: width };
  drawWaveform(context, zoom, part, height, waveformGain(peaks), colors);
}

function drawStems(
  context: CanvasRenderingContext2D,
  waveforms: DeckStemPeaks,
  { audible, peaks: song }: OverviewView,
  colors: StemColors,
): void {
  const { width, height } = context.canvas;
  const columns = {
    first: 0,
    perColumn: (waveforms.stems[0]?.peaks.max.length ?? 0) / width,
    columns: width,
  };
  const gain = song ? waveformGain(song) : 1;
  drawStemWaveform(context, { waveforms, audible, song }, columns, { heightPx: height, gain, colors });
}

/** Draws loop, hot cues and cue. */
function drawMarks(
  context: CanvasRenderingContext2D,
  deck: DeckState,
  scale: number,
  marks: OverviewColors['marks'],
): void {
  const { width, height } = context.canvas;
  if (deck.duration_ms <= 0) return;
  const at = (ms: number) => Math.round((ms / deck.duration_ms) * width);
  if (deck.loop) {
    context.fillStyle = marks.deck;
    context.globalAlpha = deck.loop.active ? 0.4 : 0.2;
    const left = at(deck.loop.start_ms);
    context.fillRect(left, 0, Math.max(2 * scale, at(deck.loop.end_ms) - left), height);
    context.globalAlpha = 1;
  }
  for (const cue of deck.hot_cues) {
    context.fillStyle = cue.color;
    context.fillRect(at(cue.position_ms) - scale, 0, 2 * scale, height);
    context.fillRect(at(cue.position_ms) - scale, 0, 6 * scale, 5 * scale);
  }
  context.fillStyle = marks.cue;
  const cue = at(deck.cue_ms);
  context.beginPath();
  context.moveTo(cue, height - 6 * scale);
  context.lineTo(cue + 4 * scale, height);
  context.lineTo(cue - 4 * scale, height);
  context.fill();
}
