import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import type { AnimationLoop } from '../../base/animation-loop.ts';
import type { ControlTarget } from '../../state/decks/control-target.ts';
import { cssColors } from './css-colors.ts';
import { drawWaveform, waveformGain } from './waveform-tiles.ts';

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
  peaksNow: () => WaveformPeaks | null,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const colors = cssColors(canvas, { low: 'wave-low', mid: 'wave-mid', high: 'wave-high' });
  const marks = cssColors(canvas, { deck: `deck-${deckId}`, cue: 'warning' });
  let isStale = true;
  let drawnPeaks: WaveformPeaks | null = null;
  let drawnDeck: Pick<DeckState, 'hot_cues' | 'loop' | 'cue_ms' | 'duration_ms'> | null = null;
  let shown = -1;
  scope.onResize(canvas, () => {
    isStale = true;
  });
  animation.add(scope, () => {
    const deck = decks.session.getState().decks[deckId];
    const peaks = peaksNow();
    const isSame =
      drawnDeck?.hot_cues === deck.hot_cues &&
      drawnDeck.loop === deck.loop &&
      drawnDeck.cue_ms === deck.cue_ms &&
      drawnDeck.duration_ms === deck.duration_ms;
    const isDrawn = isStale || peaks !== drawnPeaks || !isSame;
    if (isDrawn) {
      isStale = false;
      drawnPeaks = peaks;
      drawnDeck = deck;
      drawOverview(canvas, context, peaks, deck, colors, marks);
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
  peaks: WaveformPeaks | null,
  deck: DeckState,
  colors: { low: string; mid: string; high: string },
  marks: { deck: string; cue: string },
): void {
  const scale = Math.min(2, devicePixelRatio || 1);
  const width = Math.max(1, Math.round(canvas.clientWidth * scale));
  const height = Math.max(1, Math.round(canvas.clientHeight * scale));
  canvas.width = width;
  canvas.height = height;
  const fitting = peaks?.zooms.filter((zoom) => zoom.max.length >= width);
  const zoom = fitting?.at(-1) ?? peaks?.zooms[0];
  if (peaks && zoom)
    drawWaveform(
      context,
      zoom,
      { first: 0, perColumn: zoom.max.length / width, columns: width },
      height,
      waveformGain(peaks),
      colors,
    );
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
