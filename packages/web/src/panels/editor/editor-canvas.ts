import type { Scope } from '@stem-studio/audio/base/scope';
import type { Clip, ProjectState } from '@stem-studio/contract/resources/project';
import { fadeGain } from '@stem-studio/renderer/gain/fade-curve';
import { stemName } from '../../base/stem-color.ts';
import { warpMarksOf } from './clip-time.ts';
import { drawClipWave } from './clip-wave.ts';
import {
  type Colours,
  type EditorCanvasSource,
  type EditorScene,
  type Surface,
  xOf,
} from './editor-surface.ts';
import { fadeHandleX, HANDLE_PX, hasHandles, TITLE_PX } from './hit-test.ts';

/** Half the width of the mark of a change of tempo, in px. */
const WARP_MARK_PX = 3;
/** Columns of the line of a fade. */
const FADE_STEPS = 24;

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
    let version = source.samplesVersion();
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
  drawClipWave(surface, { state, clip, top: top + TITLE_PX, height: height - TITLE_PX });
  context.globalAlpha = alpha;
  drawWarpMarks(surface, state, clip, top);
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

/** Draws where the tempo of a clip changes, as small triangles below its name. */
function drawWarpMarks(surface: Surface, state: ProjectState, clip: Clip, top: number): void {
  const { context, colours, width } = surface;
  context.fillStyle = colours.text;
  let before = Number.NEGATIVE_INFINITY;
  for (const ms of warpMarksOf(state, clip)) {
    const x = xOf(surface, ms);
    if (x < 0 || x > width || x - before < 2 * WARP_MARK_PX) continue;
    before = x;
    context.beginPath();
    context.moveTo(x - WARP_MARK_PX, top + TITLE_PX);
    context.lineTo(x + WARP_MARK_PX, top + TITLE_PX);
    context.lineTo(x, top + TITLE_PX + 2 * WARP_MARK_PX);
    context.fill();
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
