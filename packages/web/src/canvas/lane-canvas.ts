import type { Scope } from '@stem-studio/audio/base/scope';
import type { LivePeaks, SongPlayer } from '@stem-studio/audio/player/song-player';
import { firstFrom } from '@stem-studio/dsp/time/first-from';
import type { DrawablePeaks } from '../client/peaks-query.ts';

/** Opacity of the placeholder for a row that is loading: the waveform of the mix. */
const PLACEHOLDER_ALPHA = 0.22;
const LINE_PX = 1;
/** Below these distances, bars and beats are not drawn. */
const CLOSEST_BARS_PX = 6;
const CLOSEST_BEATS_PX = 14;
/** Factors by which a quiet waveform is enlarged. */
const SCALES = [16, 12, 8, 6, 4, 3, 2, 1.5, 1] as const;
/** A waveform below this part of full scale is silence and is not enlarged. */
const SILENT = 0.01;

/** Source of a row's waveform. */
export interface LaneSource {
  player: SongPlayer;
  row: number;
  /** Waveform of the mix, shown until the row's own arrives; null while unknown. */
  mix: DrawablePeaks | null;
  beats: readonly number[];
  downbeats: readonly number[];
  /** Visible part of the song; read again in each frame. */
  window: () => { readonly fromSeconds: number; readonly spanSeconds: number };
  durationSeconds: () => number;
  /** Receives the factor by which the waveform is enlarged, whenever it changes. */
  onScale: (scale: number) => void;
}

/**
 * Returns the factor by which a waveform is enlarged so that its peak nearly fills the height, in readable steps.
 *
 * @param peak highest absolute sample, 0 to 1
 */
export function laneScale(peak: number): number {
  if (peak < SILENT) return 1;
  return SCALES.find((scale) => scale * peak <= 1) ?? 1;
}

/** Returns the highest absolute peak, 0 to 1; unknown peaks are 0. */
export function peakOf({ min, max }: DrawablePeaks): number {
  let highest = 0;
  for (let i = 0; i < max.length; i++) highest = Math.max(highest, max[i] ?? 0, -(min[i] ?? 0));
  return highest / 127;
}

/**
 * Draws a row's waveform until `scope` ends, in the text colour of the canvas, over the lines of bars and beats. Redraws
 * only when samples have arrived, or the size or the window has changed.
 */
export function openLaneCanvas(scope: Scope, canvas: HTMLCanvasElement, source: LaneSource): void {
  let drawn = -1;
  let shown: LivePeaks | null = null;
  let scale = 0;
  let window: ReturnType<LaneSource['window']> | null = null;
  let isStale = true;
  scope.onResize(canvas, () => {
    isStale = true;
  });
  scope.onAnimationFrame(() => {
    const peaks = source.player.peaks(source.row);
    const version = peaks?.version ?? 0;
    const now = source.window();
    // Another separation may have the same version.
    const isSame = version === drawn && peaks === shown;
    if (!isStale && isSame && now === window) return;
    if (!isSame || scale === 0) {
      const level = laneScale(peaks ? peakOf(peaks) : source.mix ? peakOf(source.mix) : 0);
      if (level !== scale) source.onScale(level);
      scale = level;
    }
    drawn = version;
    shown = peaks;
    window = now;
    isStale = false;
    drawLane(canvas, source, scale);
  });
}

function drawLane(canvas: HTMLCanvasElement, source: LaneSource, scale: number): void {
  const { player, row, mix } = source;
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  drawBeats(context, source, style.getPropertyValue('--line').trim(), { width, height });
  context.fillStyle = style.color;
  const own = player.peaks(row);
  const isWhole = player.state.getState().rows.length === 1;
  const { fromSeconds, spanSeconds } = source.window();
  const duration = source.durationSeconds() || 1;
  const partAt = (x: number) => (fromSeconds + (x / width) * (spanSeconds || duration)) / duration;
  for (let x = 0; x < width; x++) {
    const isHere = own?.has(Math.floor(partAt(x) * own.max.length)) ?? false;
    context.globalAlpha = isHere || isWhole ? 1 : PLACEHOLDER_ALPHA;
    drawColumn(
      context,
      isHere ? own : mix,
      { x, height, scale: isHere || isWhole ? scale : 1 },
      partAt(x),
      partAt(x + 1),
    );
  }
}

/** Draws the lines of bars and, where they are far enough apart, of beats. */
function drawBeats(
  context: CanvasRenderingContext2D,
  { beats, downbeats, window }: LaneSource,
  colour: string,
  { width, height }: { width: number; height: number },
): void {
  const { fromSeconds, spanSeconds } = window();
  if (spanSeconds <= 0) return;
  context.fillStyle = colour;
  for (const [times, closest, alpha] of [
    [beats, CLOSEST_BEATS_PX, 0.5],
    [downbeats, CLOSEST_BARS_PX, 1],
  ] as const) {
    const first = firstFrom(times, fromSeconds);
    const end = firstFrom(times, fromSeconds + spanSeconds);
    if (width / Math.max(1, end - first) < closest) continue;
    context.globalAlpha = alpha;
    for (let i = first; i < end; i++) {
      const x = (((times[i] ?? 0) - fromSeconds) / spanSeconds) * width;
      context.fillRect(Math.round(x), 0, 1, height);
    }
  }
}

function drawColumn(
  context: CanvasRenderingContext2D,
  peaks: DrawablePeaks | null | undefined,
  { x, height, scale }: { x: number; height: number; scale: number },
  from: number,
  to: number,
): void {
  let low = 0;
  let high = 0;
  if (peaks) {
    const first = Math.floor(from * peaks.max.length);
    const end = Math.max(first + 1, Math.floor(to * peaks.max.length));
    for (let i = first; i < end && i < peaks.max.length; i++) {
      low = Math.min(low, peaks.min[i] ?? 0);
      high = Math.max(high, peaks.max[i] ?? 0);
    }
  }
  const middle = height / 2;
  const top = middle - Math.min(1, (high / 127) * scale) * middle;
  const bottom = middle - Math.max(-1, (low / 127) * scale) * middle;
  context.fillRect(x, top, 1, Math.max(LINE_PX, bottom - top));
}
