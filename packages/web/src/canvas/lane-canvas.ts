import type { Scope } from '@stem-studio/audio/base/scope';
import type { LivePeaks, SongPlayer } from '@stem-studio/audio/player/song-player';
import type { DrawablePeaks } from '../client/peaks-query.ts';

/** Opacity of the placeholder for a row that is loading: the waveform of the mix. */
const PLACEHOLDER_ALPHA = 0.22;
const LINE_PX = 1;

/** Source of a row's waveform. */
export interface LaneSource {
  player: SongPlayer;
  row: number;
  /** Waveform of the mix, shown until the row's own arrives; null while unknown. */
  mix: DrawablePeaks | null;
}

/**
 * Draws a row's waveform until `scope` ends, in the text colour of the canvas. Redraws only when samples have arrived or
 * the size has changed.
 */
export function openLaneCanvas(scope: Scope, canvas: HTMLCanvasElement, source: LaneSource): void {
  let drawn = -1;
  let shown: LivePeaks | null = null;
  let isStale = true;
  scope.onResize(canvas, () => {
    isStale = true;
  });
  scope.onAnimationFrame(() => {
    const peaks = source.player.peaks(source.row);
    const version = peaks?.version ?? 0;
    // Another separation may have the same version.
    if (!isStale && version === drawn && peaks === shown) return;
    drawn = version;
    shown = peaks;
    isStale = false;
    drawLane(canvas, source);
  });
}

function drawLane(canvas: HTMLCanvasElement, { player, row, mix }: LaneSource): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  context.fillStyle = getComputedStyle(canvas).color;
  const own = player.peaks(row);
  const isWhole = player.state.getState().rows.length === 1;
  for (let x = 0; x < width; x++) {
    const index = own ? Math.floor((x / width) * own.max.length) : 0;
    const isHere = own?.has(index) ?? false;
    const shown = isHere ? own : mix;
    context.globalAlpha = isHere || isWhole ? 1 : PLACEHOLDER_ALPHA;
    drawColumn(context, shown, x, width, height);
  }
}

function drawColumn(
  context: CanvasRenderingContext2D,
  peaks: DrawablePeaks | null | undefined,
  x: number,
  width: number,
  height: number,
): void {
  let low = 0;
  let high = 0;
  if (peaks) {
    const first = Math.floor((x / width) * peaks.max.length);
    const end = Math.max(first + 1, Math.floor(((x + 1) / width) * peaks.max.length));
    for (let i = first; i < end && i < peaks.max.length; i++) {
      low = Math.min(low, peaks.min[i] ?? 0);
      high = Math.max(high, peaks.max[i] ?? 0);
    }
  }
  const middle = height / 2;
  const top = middle - (high / 127) * middle;
  const bottom = middle - (low / 127) * middle;
  context.fillRect(x, top, 1, Math.max(LINE_PX, bottom - top));
}
