import type { LivePeaks } from '@stem-studio/audio/player/song-player';
import type { Clip, ProjectState } from '@stem-studio/contract/resources/project';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { clipTimeOf } from './clip-time.ts';
import { type Surface, xOf } from './editor-surface.ts';

/** Samples for each px from which on peaks are enough. */
const PEAKS_FROM = 256;
/** Px for each sample from which on it is a dot. */
const DOTS_FROM = 5;
const DOT_PX = 2;

/** A clip and where its waveform is drawn, in px. */
export interface WaveBox {
  readonly state: ProjectState;
  readonly clip: Clip;
  readonly top: number;
  readonly height: number;
}

/** Waveform that is being drawn. */
interface Wave extends WaveBox {
  /** Position in the recording at a position of the timeline, both in seconds. */
  readonly recorded: (seconds: number) => number;
  /** First px, and the first after the clip. */
  readonly first: number;
  readonly last: number;
  readonly gain: number;
  /** Samples of a block; null while they are read. */
  readonly blockAt: (index: number) => Float32Array | null;
}

/** Lowest and highest sample of a part of a recording; 1 is full scale. */
interface Extent {
  low: number;
  high: number;
}

/** Draws what a clip plays: peaks, or the samples themselves with a line through them where few enough are shown. */
export function drawClipWave(surface: Surface, box: WaveBox): void {
  const { source, width, window } = surface;
  const { clip, state } = box;
  const wave: Wave = {
    ...box,
    recorded: clipTimeOf(state, clip).recordedAt,
    first: Math.max(0, Math.floor(xOf(surface, clip.start_ms))),
    last: Math.min(width, xOf(surface, clip.start_ms + clip.length_ms)),
    gain: Math.min(2, clip.volume / 100),
    blockAt: blocksOf(source, clip),
  };
  const framesPerPx = (window.spanSeconds / width) * source.sampleRateHz();
  if (framesPerPx <= 1) drawLine(surface, wave, 1 / framesPerPx);
  else drawColumns(surface, wave, framesPerPx < PEAKS_FROM);
}

/** Returns a function that returns blocks of samples, and asks for each only once in a row. */
function blocksOf(source: Surface['source'], clip: Clip): Wave['blockAt'] {
  let last = -1;
  let block: Float32Array | null = null;
  return (index) => {
    if (index !== last) block = source.samples(clip.source, index);
    last = index;
    return block;
  };
}

function drawColumns(surface: Surface, wave: Wave, showsSamples: boolean): void {
  const { context, source, width, window } = surface;
  const { clip, first, last, gain, recorded, top, height } = wave;
  const secondsPerPx = window.spanSeconds / width;
  const peaks = source.peaks(clip.source);
  const rateHz = source.sampleRateHz();
  const middle = top + height / 2;
  const extent: Extent = { low: 0, high: 0 };
  for (let x = first; x < last; x++) {
    const one = recorded(window.fromSeconds + x * secondsPerPx) * rateHz;
    const other = recorded(window.fromSeconds + (x + 1) * secondsPerPx) * rateHz;
    const from = Math.max(0, Math.min(one, other));
    const to = Math.max(one, other);
    extent.low = 0;
    extent.high = 0;
    const isKnown = showsSamples && addSamples(wave, from, to, extent);
    if (!isKnown && peaks) addPeaks(peaks, from, to, extent);
    const up = Math.min(1, extent.high * gain) * (height / 2);
    const down = Math.min(1, -extent.low * gain) * (height / 2);
    context.fillRect(x, middle - up, 1, Math.max(1, up + down));
  }
}

/** Takes frames `from` to `to` into an extent by their peaks. */
function addPeaks(peaks: LivePeaks, from: number, to: number, extent: Extent): void {
  const first = Math.floor(from / peaks.framesPerPeak);
  const end = Math.max(first + 1, Math.floor(to / peaks.framesPerPeak));
  for (let at = first; at < end && at < peaks.max.length; at++) {
    extent.low = Math.min(extent.low, (peaks.min[at] ?? 0) / 127);
    extent.high = Math.max(extent.high, (peaks.max[at] ?? 0) / 127);
  }
}

/** Takes frames `from` to `to` into an extent; false while they are read. */
function addSamples({ blockAt }: Wave, from: number, to: number, extent: Extent): boolean {
  const last = Math.floor(to);
  for (let frame = Math.floor(from); frame <= last; ) {
    const index = Math.floor(frame / CHUNK_FRAMES);
    const block = blockAt(index);
    if (!block) return false;
    const start = index * CHUNK_FRAMES;
    const end = Math.min(last + 1, start + CHUNK_FRAMES);
    for (; frame < end; frame++) {
      const sample = block[frame - start] ?? 0;
      if (sample < extent.low) extent.low = sample;
      if (sample > extent.high) extent.high = sample;
    }
  }
  return true;
}

/** Draws the samples of a few milliseconds as a line, with dots where there is space for them. */
function drawLine(surface: Surface, wave: Wave, pxPerFrame: number): void {
  const { context, source, width, window } = surface;
  const { first, last, gain, recorded, top, height } = wave;
  const rateHz = source.sampleRateHz();
  const secondsAt = (x: number) => window.fromSeconds + (x / width) * window.spanSeconds;
  const [one, other] = [recorded(secondsAt(first)) * rateHz, recorded(secondsAt(last)) * rateHz];
  const low = Math.max(0, Math.floor(Math.min(one, other)) - 1);
  const high = Math.ceil(Math.max(one, other)) + 1;
  const xAt = (frame: number) =>
    other === one ? first : first + ((frame - one) / (other - one)) * (last - first);
  context.save();
  context.beginPath();
  context.rect(first, top, last - first, height);
  context.clip();
  context.strokeStyle = context.fillStyle;
  context.lineWidth = 1.5;
  context.beginPath();
  const dots: [number, number][] = [];
  for (let frame = low; frame <= high; frame++) {
    const block = wave.blockAt(Math.floor(frame / CHUNK_FRAMES));
    if (!block) continue;
    const y = top + (height / 2) * (1 - Math.max(-1, Math.min(1, (block[frame % CHUNK_FRAMES] ?? 0) * gain)));
    context.lineTo(xAt(frame), y);
    if (pxPerFrame >= DOTS_FROM) dots.push([xAt(frame), y]);
  }
  context.stroke();
  for (const [x, y] of dots) context.fillRect(x - DOT_PX, y - DOT_PX, 2 * DOT_PX, 2 * DOT_PX);
  context.restore();
}
