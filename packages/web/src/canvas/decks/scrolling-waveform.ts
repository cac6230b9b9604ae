import type { Scope } from '@stem-studio/audio/base/scope';
import { emptyDeck } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import type { AnimationLoop } from '../../base/animation-loop.ts';
import type { ControlTarget } from '../../state/decks/control-target.ts';
import type { WaveformColoring } from '../../state/decks/dj-layout.state.ts';
import { cssColors, cssStemColors } from './css-colors.ts';
import { StemTiles } from './stem-tiles.ts';
import { audibleStems } from './stem-waveform.ts';
import { WaveformPainter } from './waveform-painter.ts';
import { type BandColors, WaveformTiles } from './waveform-tiles.ts';
import type { Section, WaveformMarks } from './waveform-view.ts';

/** Data of a waveform that is not part of the deck session. */
export interface WaveformSource {
  peaks: WaveformPeaks | null;
  sections: readonly Section[];
  coloring: WaveformColoring;
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
  const stemColors = cssStemColors(canvas);
  let bands: WaveformTiles | null = null;
  let stems: StemTiles | null = null;
  let stemVersion = -1;
  let audible = 0;
  let isStale = true;
  let scale = 1;
  scope.onResize(canvas, () => {
    isStale = true;
  });
  animation.add(scope, () => {
    const deck: DeckState = decks.session.getState().decks[deckId];
    const local = decks.local.getState()[deckId];
    const { peaks, sections, coloring } = source();
    const position = decks.positionSeconds(deckId);
    const { spanSeconds } = state.getState();
    if (isStale || scale !== Math.min(2, devicePixelRatio || 1)) {
      scale = Math.min(2, devicePixelRatio || 1);
      canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
      canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
      isStale = true;
    }
    const waveforms = coloring === 'stems' ? decks.stemPeaks(deckId) : null;
    const nowAudible = waveforms ? audibleStems(waveforms, deck.stems) : 0;
    const tiles = waveforms ? stems : bands;
    const hasTiles = waveforms
      ? stems?.waveforms === waveforms && stems.song === peaks && stems.heightPx === canvas.height
      : peaks === (bands?.peaks ?? null) && (!bands || bands.heightPx === canvas.height);
    if (
      !isStale &&
      hasTiles &&
      view.tiles === tiles &&
      stemVersion === (waveforms?.version ?? -1) &&
      audible === nowAudible &&
      view.deck === deck &&
      view.positionSeconds === position &&
      view.spanSeconds === spanSeconds &&
      view.beats === local.grid.beats &&
      view.sections === sections
    )
      return false;
    isStale = false;
    if (!hasTiles && waveforms) stems = new StemTiles(waveforms, peaks, canvas.height, stemColors);
    else if (!hasTiles) bands = peaks && new WaveformTiles(peaks, canvas.height, colors);
    if (waveforms) stems?.setAudible(nowAudible);
    else stems = null;
    view.tiles = waveforms ? stems : bands;
    stemVersion = waveforms?.version ?? -1;
    audible = nowAudible;
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
