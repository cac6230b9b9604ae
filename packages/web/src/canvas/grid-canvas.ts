import type { Scope } from '@stem-studio/audio/base/scope';
import type { PeaksZoom, WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { firstFrom } from '@stem-studio/dsp/time/first-from';

/** Height of the strip with the bar numbers, by which the grid is dragged. */
export const STRIP_PX = 28;
/** Below this distance between beats only bars are drawn. */
const MIN_BEAT_PX = 5;
/** Opacity of beats: visible over a loud waveform, weaker than bars. */
const BEAT_ALPHA = 0.6;
/** Part of the height that low frequencies at full scale fill. */
const LOW_HEIGHT = 0.9;

/** Content of the canvas; read again in each frame. */
export interface GridView {
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly peaks: WaveformPeaks | null;
  /** Position of the playhead, which is in the middle, in seconds. */
  readonly positionSeconds: number;
  /** Seconds from the left edge to the right one. */
  readonly spanSeconds: number;
  /** Offset of the displayed grid against the saved one, in milliseconds. */
  readonly previewMs: number;
  readonly durationSeconds: number;
}

interface Colors {
  readonly wave: string;
  readonly low: string;
  readonly beat: string;
  readonly bar: string;
  readonly playhead: string;
  readonly strip: string;
  readonly label: string;
}

/**
 * Draws the waveform around the playhead with the grid over it until `scope` ends: in every frame in which something has
 * changed.
 */
export function openGridCanvas(scope: Scope, canvas: HTMLCanvasElement, view: () => GridView): void {
  let drawn: GridView | null = null;
  let width = 0;
  const context = canvas.getContext('2d');
  if (!context) return;
  const colors = colorsOf(canvas);
  scope.onResize(canvas, () => {
    drawn = null;
  });
  scope.onAnimationFrame(() => {
    const now = view();
    if (drawn && isSameView(drawn, now)) return;
    drawn = now;
    const scale = Math.min(2, devicePixelRatio || 1);
    const { clientWidth, clientHeight } = canvas;
    if (width !== clientWidth * scale || canvas.height !== Math.round(clientHeight * scale)) {
      width = clientWidth * scale;
      canvas.width = Math.max(1, Math.round(width));
      canvas.height = Math.max(1, Math.round(clientHeight * scale));
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, clientWidth, clientHeight);
    drawView(context, now, colors, clientWidth, clientHeight);
  });
}

function isSameView(one: GridView, other: GridView): boolean {
  return (Object.keys(one) as (keyof GridView)[]).every((key) => one[key] === other[key]);
}

function colorsOf(canvas: HTMLCanvasElement): Colors {
  const style = getComputedStyle(canvas);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    wave: token('stem-mix'),
    low: token('stem-bass'),
    beat: token('text'),
    bar: token('downbeat'),
    playhead: token('text'),
    strip: token('raised'),
    label: token('text'),
  };
}

function drawView(
  context: CanvasRenderingContext2D,
  view: GridView,
  colors: Colors,
  width: number,
  height: number,
): void {
  const { positionSeconds, spanSeconds, previewMs, durationSeconds } = view;
  const from = positionSeconds - spanSeconds / 2;
  const perSecond = width / spanSeconds;
  context.fillStyle = colors.strip;
  context.fillRect(0, 0, width, STRIP_PX);
  const zoom = zoomFor(view.peaks, spanSeconds / width);
  if (view.peaks && zoom)
    drawWave(context, zoom, view.peaks.sampleRate, { from, perSecond, width, height }, colors);

  const xOf = (seconds: number): number => Math.round((seconds + previewMs / 1000 - from) * perSecond);
  const edges = [Math.max(0, -from * perSecond), Math.min(width, (durationSeconds - from) * perSecond)];
  const isInSong = (x: number): boolean => x >= (edges[0] ?? 0) - 1 && x <= (edges[1] ?? 0) + 1;
  context.fillStyle = colors.beat;
  context.globalAlpha = BEAT_ALPHA;
  const seen = visible(view.beats, from - 1, from + spanSeconds + 1);
  const gap = ((seen.at(-1) ?? 0) - (seen[0] ?? 0)) * (perSecond / Math.max(1, seen.length - 1));
  if (seen.length < 2 || gap >= MIN_BEAT_PX)
    for (const beat of seen)
      if (isInSong(xOf(beat))) context.fillRect(xOf(beat), STRIP_PX, 1, height - STRIP_PX);
  context.globalAlpha = 1;
  context.font = '600 11px "Inter Variable", system-ui, sans-serif';
  context.textBaseline = 'middle';
  const firstBar = firstFrom(view.downbeats, from - 8);
  for (const [index, one] of visible(view.downbeats, from - 8, from + spanSeconds + 1).entries()) {
    const x = xOf(one);
    if (!isInSong(x)) continue;
    context.fillStyle = colors.bar;
    context.fillRect(x - 1, 0, 2, height);
    context.fillStyle = colors.label;
    context.fillText(String(firstBar + index + 1), x + 5, STRIP_PX / 2);
  }
  context.fillStyle = colors.playhead;
  context.fillRect(width / 2 - 1, STRIP_PX, 2, height - STRIP_PX);
}

/** Returns the coarsest zoom with at least one peak per pixel, or the finest one. */
function zoomFor(peaks: WaveformPeaks | null, secondsPerPixel: number): PeaksZoom | null {
  const fitting = peaks?.zooms.filter((zoom) => zoom.samplesPerPeak / peaks.sampleRate <= secondsPerPixel);
  return fitting?.at(-1) ?? peaks?.zooms[0] ?? null;
}

function drawWave(
  context: CanvasRenderingContext2D,
  zoom: PeaksZoom,
  sampleRate: number,
  geometry: { from: number; perSecond: number; width: number; height: number },
  colors: Colors,
): void {
  const { from, perSecond, width, height } = geometry;
  const peaksPerPixel = sampleRate / zoom.samplesPerPeak / perSecond;
  const start = (from * sampleRate) / zoom.samplesPerPeak;
  const middle = STRIP_PX + (height - STRIP_PX) / 2;
  const half = (height - STRIP_PX) / 2;
  // Whole peaks per pixel, so that the waveform does not flicker while it scrolls.
  for (const layer of ['wave', 'low'] as const) {
    context.fillStyle = colors[layer];
    context.globalAlpha = layer === 'wave' ? 0.5 : 0.9;
    for (let x = 0; x < width; x++) {
      const first = Math.floor(start + x * peaksPerPixel);
      const end = Math.max(first + 1, Math.floor(start + (x + 1) * peaksPerPixel));
      let high = 0;
      let low = 0;
      for (let index = Math.max(0, first); index < end && index < zoom.max.length; index++) {
        high = Math.max(
          high,
          layer === 'wave' ? (zoom.max[index] ?? 0) / 127 : ((zoom.low[index] ?? 0) / 255) ** 2,
        );
        if (layer === 'wave') low = Math.min(low, (zoom.min[index] ?? 0) / 127);
      }
      if (layer === 'low') {
        high *= LOW_HEIGHT;
        low = -high;
      }
      if (high - low > 0) context.fillRect(x, middle - high * half, 1, Math.max(1, (high - low) * half));
    }
  }
  context.globalAlpha = 1;
}

function visible(times: readonly number[], from: number, to: number): readonly number[] {
  return times.slice(firstFrom(times, from), firstFrom(times, to));
}
