import type { Scope } from '@stem-studio/audio/base/scope';
import { emptyDeck } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import type { AnimationLoop } from '../../base/animation-loop.ts';
import type { ControlTarget } from '../../state/decks/control-target.ts';
import { cssColors } from './css-colors.ts';
import { WaveformPainter } from './waveform-painter.ts';
import { type BandColors, WaveformTiles } from './waveform-tiles.ts';
import type { Section, WaveformMarks } from './waveform-view.ts';

/** Data of a waveform that is not part of the deck session. */
export interface WaveformSource {
  peaks: WaveformPeaks | null;
  sections: readonly Section[];
}

/**
 * Draws a deck's waveform scrolling under the playhead for as long as `scope` lives, in each animation frame in which
 * something changed.
 *
 * @param source read in each frame
 */
export function openScrollingWaveform(
  scope: Scope,
  animation: AnimationLoop,
  canvas: HTMLCanvasElement,
  { decks, state }: ControlTarget,
  deckId: DeckId,
  source: () => WaveformSource,
): void {
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return;
  const colors: BandColors = cssColors(canvas, { low: 'wave-low', mid: 'wave-mid', high: 'wave-high' });
  const marks: WaveformMarks = cssColors(canvas, {
    deck: `deck-${deckId}`,
    beat: 'text',
    bar: 'warning',
    text: 'text',
    ground: 'background',
    outside: 'panel',
    cue: 'warning',
  });
  const painter = new WaveformPainter(context, marks, {
    deck: emptyDeck,
    tiles: null,
    beats: [],
    downbeats: [],
    sections: [],
    durationSeconds: 0,
    positionSeconds: 0,
    spanSeconds: 0,
  });
  const { view } = painter;
  let isStale = true;
  let scale = 1;
  scope.onResize(canvas, () => {
    isStale = true;
  });
  animation.add(scope, () => {
    const deck: DeckState = decks.session.getState().decks[deckId];
    const local = decks.local.getState()[deckId];
    const { peaks, sections } = source();
    const position = decks.positionSeconds(deckId);
    const { spanSeconds } = state.getState();
    if (isStale || scale !== Math.min(2, devicePixelRatio || 1)) {
      scale = Math.min(2, devicePixelRatio || 1);
      canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
      canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
      isStale = true;
    }
    const hasTiles =
      peaks === (view.tiles?.peaks ?? null) && (!view.tiles || view.tiles.heightPx === canvas.height);
    if (
      !isStale &&
      hasTiles &&
      view.deck === deck &&
      view.positionSeconds === position &&
      view.spanSeconds === spanSeconds &&
      view.beats === local.grid.beats &&
      view.sections === sections
    )
      return false;
    isStale = false;
    if (!hasTiles) view.tiles = peaks && new WaveformTiles(peaks, canvas.height, colors);
    view.deck = deck;
    view.beats = local.grid.beats;
    view.downbeats = local.grid.downbeats;
    view.sections = sections;
    view.durationSeconds = deck.duration_ms / 1000;
    view.positionSeconds = position;
    view.spanSeconds = spanSeconds;
    painter.draw(scale);
    return true;
  });
}
