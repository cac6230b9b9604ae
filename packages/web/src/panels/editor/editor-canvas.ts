import type { Scope } from '@stem-studio/audio/base/scope';
import type { LivePeaks } from '@stem-studio/audio/player/song-player';
import { sourceMsAt, warpOf } from '@stem-studio/contract/projects/warp';
import type { Clip, ProjectState } from '@stem-studio/contract/resources/project';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { fadeGain } from '@stem-studio/renderer/gain/fade-curve';
import { stemName } from '../../base/stem-color.ts';
import type { TimeWindow } from '../../state/time-view.ts';
import { fadeHandleX, HANDLE_PX, hasHandles, TITLE_PX } from './hit-test.ts';
import type { Selection } from './selection.ts';

/** Columns of the line of a fade. */
const FADE_STEPS = 24;

/** What the lanes of the editor show; read again in each frame. */
export interface EditorScene {
  readonly state: ProjectState;
  readonly selection: Selection;
}

/** Source of what the canvas shows. */
export interface EditorCanvasSource {
  scene: () => EditorScene;
  window: () => TimeWindow;
  /** Waveform of a stem; null while none of it has arrived. */
  peaks: (source: StemType) => LivePeaks | null;
  /** Sample rate of the stems, in Hz. */
  sampleRateHz: () => number;
}

interface Colours {
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly panel: string;
  readonly loop: string;
  readonly selected: string;
  readonly font: string;
  /** Colour of a stem. */
  readonly stem: (name: string) => string;
}

/** Drawing surface and the position of what is drawn on it. */
interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly colours: Colours;
  readonly source: EditorCanvasSource;
  width: number;
  height: number;
  window: TimeWindow;
}

/**
 * Draws the clips of all lanes until `scope` ends: when the project, the selection, the window or the size has changed,
 * or more of a waveform has arrived.
 */
export function openEditorCanvas(scope: Scope, canvas: HTMLCanvasElement, source: EditorCanvasSource): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const surface: Surface = {
    context,
    colours: readColours(canvas),
    source,
    width: 0,
    height: 0,
    window: source.window(),
  };
  let scene: EditorScene | null = null;
  let arrived = -1;
  let isResized = true;
  scope.onResize(canvas, () => {
    isResized = true;
  });
  void document.fonts.ready.then(() => {
    isResized = true;
  });
  scope.onAnimationFrame(() => {
    const now = source.scene();
    const window = source.window();
    let version = 0;
    for (const { source: stem } of now.state.sources) version += source.peaks(stem)?.version ?? 0;
    if (!isResized && now === scene && window === surface.window && version === arrived) return;
    if (isResized) resize(canvas, surface);
    isResized = false;
    scene = now;
    arrived = version;
    surface.window = window;
    drawScene(surface, now);
  });
}

function readColours(canvas: HTMLCanvasElement): Colours {
  const style = getComputedStyle(canvas);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const stems = new Map<string, string>();
  return {
    line: token('line'),
    text: token('text'),
    muted: token('muted'),
    panel: token('panel'),
    loop: token('loop'),
    selected: token('text-selection'),
    font: token('font'),
    stem: (name) => {
      const known = stems.get(name);
      if (known !== undefined) return known;
      const colour = token(`stem-${name}`) || token('stem-mix');
      stems.set(name, colour);
      return colour;
    },
  };
}

function resize(canvas: HTMLCanvasElement, surface: Surface): void {
  const ratio = Math.min(2, devicePixelRatio || 1);
  surface.width = canvas.clientWidth;
  surface.height = canvas.clientHeight;
  canvas.width = Math.max(1, Math.round(surface.width * ratio));
  canvas.height = Math.max(1, Math.round(surface.height * ratio));
  surface.context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

const xOf = ({ window, width }: Surface, ms: number): number =>
  window.spanSeconds > 0 ? ((ms / 1000 - window.fromSeconds) / window.spanSeconds) * width : 0;

function drawScene(surface: Surface, { state, selection }: EditorScene): void {
  const { context, colours, width, height } = surface;
  context.clearRect(0, 0, width, height);
  if (surface.window.spanSeconds <= 0 || width === 0) return;
  const { lanes } = state;
  const laneHeight = height / Math.max(1, lanes.length);
  const hasSolo = lanes.some((lane) => lane.is_soloed);
  for (let index = 0; index < lanes.length; index++) {
    const lane = lanes[index];
    if (!lane) continue;
    const top = index * laneHeight;
    context.fillStyle = colours.line;
    context.fillRect(0, Math.round(top), width, 1);
    const isSilent = lane.is_muted || (hasSolo && !lane.is_soloed);
    for (const clip of lane.clips) {
      drawClip(surface, state, clip, top + 1, laneHeight - 2, isSilent, selection.clips.includes(clip.id));
    }
    const { span } = selection;
    if (span && selection.clips.length === 0 && selection.lanes.includes(lane.id)) {
      context.globalAlpha = 0.45;
      context.fillStyle = colours.selected;
      const left = xOf(surface, span.startMs);
      context.fillRect(left, top, Math.max(1, xOf(surface, span.endMs) - left), laneHeight);
      context.globalAlpha = 1;
    }
  }
  drawMarkers(surface, state.markers);
}

function drawMarkers(surface: Surface, markers: ProjectState['markers']): void {
  const { context, colours, width, height } = surface;
  context.font = `11px ${colours.font}`;
  context.textBaseline = 'middle';
  for (const { start_ms, label } of markers) {
    const x = Math.round(xOf(surface, start_ms));
    if (x < -200 || x > width) continue;
    context.fillStyle = colours.loop;
    context.fillRect(x, 0, 1, height);
    context.fillText(label, x + 4, height - 8);
  }
}

function drawClip(
  surface: Surface,
  state: ProjectState,
  clip: Clip,
  top: number,
  height: number,
  isSilent: boolean,
  isSelected: boolean,
): void {
  const { context, colours, width } = surface;
  const left = xOf(surface, clip.start_ms);
  const right = xOf(surface, clip.start_ms + clip.length_ms);
  if (right < 0 || left > width) return;
  const shownLeft = Math.max(-2, left);
  const shownWidth = Math.max(1, Math.min(width + 2, right) - shownLeft);
  const colour = colours.stem(clip.source);
  const alpha = isSilent ? 0.35 : 1;
  context.globalAlpha = 0.14 * alpha;
  context.fillStyle = colour;
  context.fillRect(shownLeft, top, shownWidth, height);
  context.globalAlpha = (isSelected ? 0.9 : 0.4) * alpha;
  context.fillRect(shownLeft, top, shownWidth, TITLE_PX);
  context.globalAlpha = 0.9 * alpha;
  drawWave(surface, state, clip, top + TITLE_PX, height - TITLE_PX);
  context.globalAlpha = alpha;
  drawFade(surface, clip, 'fade_in', top, height);
  drawFade(surface, clip, 'fade_out', top, height);
  context.strokeStyle = isSelected ? colours.text : colour;
  context.lineWidth = isSelected ? 2 : 1;
  context.strokeRect(shownLeft + 0.5, top + 0.5, shownWidth - 1, height - 1);
  drawTitle(surface, clip, top, shownLeft, shownWidth, isSelected);
  context.globalAlpha = 1;
}

/** Returns the name of a clip with what is not as recorded: "Vocals · 80 % · +2 st · reversed". */
function clipTitle({ source, volume, semitones, warp, is_reversed }: Clip): string {
  return [
    stemName(source),
    ...(volume === 100 ? [] : [`${Math.round(volume)} %`]),
    ...(semitones === 0 ? [] : [`${semitones > 0 ? '+' : '−'}${Math.abs(semitones)} st`]),
    ...(warp === null ? [] : ['warped']),
    ...(is_reversed ? ['reversed'] : []),
  ].join(' · ');
}

function drawTitle(
  { context, colours }: Surface,
  clip: Clip,
  top: number,
  left: number,
  width: number,
  isSelected: boolean,
): void {
  if (width < 48) return;
  context.save();
  context.beginPath();
  context.rect(left, top, width - 4, TITLE_PX);
  context.clip();
  context.font = `600 11px ${colours.font}`;
  context.textBaseline = 'middle';
  context.fillStyle = isSelected ? colours.panel : colours.text;
  context.fillText(clipTitle(clip), Math.max(left, 0) + 6, top + TITLE_PX / 2 + 1);
  context.restore();
}

/** Returns the position in the recording that a clip plays at a position of the timeline, both in seconds. */
function recordedAt(state: ProjectState, clip: Clip): (seconds: number) => number {
  const warp = warpOf(state, clip);
  const lengthMs = state.sources.find(({ source }) => source === clip.source)?.length_ms ?? 0;
  return (seconds) => {
    const ms = sourceMsAt(warp, clip.from_ms + seconds * 1000 - clip.start_ms);
    return (clip.is_reversed ? lengthMs - ms : ms) / 1000;
  };
}

function drawWave(surface: Surface, state: ProjectState, clip: Clip, top: number, height: number): void {
  const { context, source, width, window } = surface;
  const peaks = source.peaks(clip.source);
  const middle = top + height / 2;
  const first = Math.max(0, Math.floor(xOf(surface, clip.start_ms)));
  const last = Math.min(width, xOf(surface, clip.start_ms + clip.length_ms));
  const gain = Math.min(2, clip.volume / 100) / 127;
  const secondsPerPx = window.spanSeconds / width;
  const perSecond = peaks ? source.sampleRateHz() / peaks.framesPerPeak : 0;
  const recorded = recordedAt(state, clip);
  for (let x = first; x < last; x++) {
    let low = 0;
    let high = 0;
    if (peaks) {
      const one = recorded(window.fromSeconds + x * secondsPerPx);
      const other = recorded(window.fromSeconds + (x + 1) * secondsPerPx);
      const from = Math.max(0, Math.floor(Math.min(one, other) * perSecond));
      const to = Math.max(from + 1, Math.floor(Math.max(one, other) * perSecond));
      for (let at = from; at < to && at < peaks.max.length; at++) {
        low = Math.min(low, peaks.min[at] ?? 0);
        high = Math.max(high, peaks.max[at] ?? 0);
      }
    }
    const up = Math.min(1, high * gain) * (height / 2);
    const down = Math.min(1, -low * gain) * (height / 2);
    context.fillRect(x, middle - up, 1, Math.max(1, up + down));
  }
}

function drawFade(
  surface: Surface,
  clip: Clip,
  side: 'fade_in' | 'fade_out',
  laneTop: number,
  laneHeight: number,
): void {
  const { context, colours } = surface;
  const fade = clip[side];
  const top = laneTop + TITLE_PX;
  const height = laneHeight - TITLE_PX;
  const toMs = (ms: number) => xOf(surface, ms);
  if (fade.length_ms > 0) {
    const isIn = side === 'fade_in';
    const from = isIn ? clip.start_ms : clip.start_ms + clip.length_ms - fade.length_ms;
    context.beginPath();
    for (let step = 0; step <= FADE_STEPS; step++) {
      const part = step / FADE_STEPS;
      const gain = fadeGain(fade.curve, isIn ? part : 1 - part);
      context.lineTo(toMs(from + part * fade.length_ms), top + (1 - gain) * height);
    }
    context.strokeStyle = colours.text;
    context.lineWidth = 1.5;
    context.stroke();
  }
  if (!hasHandles(clip, toMs)) return;
  context.fillStyle = colours.text;
  const x = fadeHandleX(clip, side, toMs);
  context.fillRect(x - HANDLE_PX / 2, top + HANDLE_PX / 2, HANDLE_PX, HANDLE_PX);
}
