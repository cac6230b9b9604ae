import type { Scope } from '@stem-studio/audio/base/scope';
import { gridLines } from '@stem-studio/contract/projects/quantise-notes';
import type { LaneNote } from '@stem-studio/contract/resources/lane-note';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import { pitchName } from '../../../base/note-text.ts';
import { type Palette, readPalette } from '../../../canvas/palette.ts';
import type { TimeWindow } from '../../../state/time-view.ts';
import { pitchAt, type RollGeometry, topOf } from './roll-geometry.ts';
import { notesOf, previewId, type RollModel, type RollView } from './roll-model.ts';
import type { Scale } from './scale.ts';

/** Least distance between two grid lines. */
const CLOSEST_PX = 7;
/** Least height of a row at which each white key, and each note, has its name. */
const NAMED_PX = 14;
/** Width of a black key, as a part of the keyboard. */
const BLACK_PART = 0.6;
/** Pitch classes of the black keys. */
const black = new Set([1, 3, 6, 8, 10]);
const SOFTEST_ALPHA = 0.4;

/** Source of what a roll shows, read again in each frame. */
export interface RollSource {
  readonly model: RollModel;
  readonly geometry: () => RollGeometry;
  /** Scale of the song's key; null where none is shown. */
  readonly scale: () => Scale | null;
  readonly downbeatsMs: () => readonly number[];
}

interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly palette: Palette;
  readonly colour: string;
  readonly width: number;
  readonly height: number;
  readonly window: TimeWindow;
  readonly geometry: RollGeometry;
  readonly notes: readonly LaneNote[];
  readonly view: RollView;
}

/** What was drawn last; a frame that has the same is skipped. */
interface Drawn {
  readonly state: ProjectState;
  readonly view: RollView;
  readonly window: TimeWindow;
  readonly geometry: RollGeometry;
  readonly scale: Scale | null;
  readonly downbeats: readonly number[];
}

/**
 * Draws on a canvas when notes, selection, window, rows or size have changed, until `scope` ends.
 *
 * @param draw draws the whole canvas, which is empty
 */
function openCanvas(
  scope: Scope,
  canvas: HTMLCanvasElement,
  { model, geometry, scale, downbeatsMs }: RollSource,
  draw: (drawing: Drawing, drawn: Drawn) => void,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const palette = readPalette(canvas, context);
  const token = getComputedStyle(canvas).getPropertyValue(`--stem-${model.lane}`).trim();
  let last: Drawn | null = null;
  const redraw = () => {
    last = null;
  };
  scope.onResize(canvas, redraw);
  void document.fonts.ready.then(redraw);
  scope.onAnimationFrame(() => {
    const { state } = model.editor.shown.getState();
    const now: Drawn = {
      state,
      view: model.shown.getState(),
      window: model.editor.view.window,
      geometry: geometry(),
      scale: scale(),
      downbeats: downbeatsMs(),
    };
    if (last && isSame(last, now)) return;
    last = now;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = canvas;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (now.window.spanSeconds <= 0 || width === 0) return;
    const notes = notesOf(state, model.lane);
    const colour = token || palette.chart;
    draw({ context, palette, colour, width, height, notes, ...now }, now);
  });
}

function isSame(one: Drawn, other: Drawn): boolean {
  return (
    one.state === other.state &&
    one.view === other.view &&
    one.window === other.window &&
    one.geometry.rowPx === other.geometry.rowPx &&
    one.geometry.scrollPx === other.geometry.scrollPx &&
    one.scale === other.scale &&
    one.downbeats === other.downbeats
  );
}

const xOf = ({ window, width }: Drawing, ms: number): number =>
  ((ms / 1000 - window.fromSeconds) / window.spanSeconds) * width;

/** Draws rows, grid and notes until `scope` ends. */
export function openRollCanvas(scope: Scope, canvas: HTMLCanvasElement, source: RollSource): void {
  openCanvas(scope, canvas, source, (drawing, { scale, downbeats }) => {
    drawRows(drawing, scale);
    drawGrid(drawing, source.model, downbeats);
    for (const note of drawing.notes) drawNote(drawing, note);
    drawBox(drawing);
  });
}

function drawRows({ context, palette, width, height, geometry }: Drawing, scale: Scale | null): void {
  const lowest = pitchAt(geometry, height);
  for (let pitch = pitchAt(geometry, 0); pitch >= lowest; pitch--) {
    const top = topOf(geometry, pitch);
    const pitchClass = pitch % 12;
    const isDark = scale ? !scale.pitchClasses.has(pitchClass) : black.has(pitchClass);
    if (isDark) {
      context.fillStyle = palette.raised;
      context.fillRect(0, top, width, geometry.rowPx);
    }
    if (scale?.tonic === pitchClass) {
      context.globalAlpha = 0.2;
      context.fillStyle = palette.chart;
      context.fillRect(0, top, width, geometry.rowPx);
      context.globalAlpha = 1;
    }
    // A line between octaves, below each C.
    context.fillStyle = pitchClass === 0 ? palette.lineStrong : palette.line;
    if (pitchClass === 0 || geometry.rowPx >= NAMED_PX)
      context.fillRect(0, top + geometry.rowPx - 1, width, 1);
  }
}

function drawGrid(drawing: Drawing, model: RollModel, downbeats: readonly number[]): void {
  const { context, palette, window, width, height, view } = drawing;
  const fromMs = window.fromSeconds * 1000;
  const toMs = fromMs + window.spanSeconds * 1000;
  const draw = (times: readonly number[], colour: string) => {
    context.fillStyle = colour;
    for (const ms of times) context.fillRect(Math.round(xOf(drawing, ms)), 0, 1, height);
  };
  const visible = (times: readonly number[]) => times.filter((ms) => ms >= fromMs && ms <= toMs);
  const isFar = (times: readonly number[]) => times.length > 0 && width / times.length >= CLOSEST_PX;
  const stepPx = (model.stepMs(fromMs) / (toMs - fromMs)) * width;
  if (stepPx >= CLOSEST_PX) draw(gridLines(model.beats, view.quantisation.grid, fromMs, toMs), palette.line);
  const beats = visible(model.beats.beatsMs);
  if (isFar(beats)) draw(beats, palette.line);
  const bars = visible(downbeats);
  if (isFar(bars)) draw(bars, palette.lineStrong);
}

function drawNote(drawing: Drawing, note: LaneNote): void {
  const { context, palette, colour, width, height, geometry, view } = drawing;
  const left = xOf(drawing, note.start_ms);
  const right = xOf(drawing, note.start_ms + note.length_ms);
  const top = topOf(geometry, note.pitch);
  if (right < 0 || left > width || top > height || top + geometry.rowPx < 0) return;
  const wide = Math.max(2, right - left - 0.5);
  const high = geometry.rowPx - 1;
  const isSelected = view.selected.has(note.id) || note.id.startsWith(previewId);
  context.globalAlpha = SOFTEST_ALPHA + ((1 - SOFTEST_ALPHA) * note.velocity) / 127;
  context.fillStyle = colour;
  context.fillRect(left, top, wide, high);
  context.globalAlpha = 1;
  if (isSelected) {
    // A selected note has a frame, so that its colour is not the only sign.
    context.strokeStyle = palette.text;
    context.lineWidth = 2;
    context.strokeRect(left + 1, top + 1, Math.max(1, wide - 2), Math.max(1, high - 2));
  }
  if (geometry.rowPx < NAMED_PX || wide < 30) return;
  context.font = `600 10px ${palette.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = palette.onChart;
  context.fillText(pitchName(note.pitch), Math.max(0, left) + 4, top + high / 2 + 1);
}

function drawBox(drawing: Drawing): void {
  const { context, palette, geometry, view } = drawing;
  const { box } = view;
  if (!box) return;
  const left = xOf(drawing, box.fromMs);
  const top = topOf(geometry, box.highest);
  const bottom = topOf(geometry, box.lowest) + geometry.rowPx;
  context.globalAlpha = 0.15;
  context.fillStyle = palette.text;
  context.fillRect(left, top, xOf(drawing, box.toMs) - left, bottom - top);
  context.globalAlpha = 1;
}

/** Draws the keyboard beside the roll, with the names of its keys, until `scope` ends. */
export function openKeysCanvas(scope: Scope, canvas: HTMLCanvasElement, source: RollSource): void {
  openCanvas(scope, canvas, source, ({ context, palette, width, height, geometry }) => {
    context.fillStyle = palette.text;
    context.fillRect(0, 0, width, height);
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    context.font = `600 ${Math.min(11, Math.max(8, geometry.rowPx))}px ${palette.font}`;
    const lowest = pitchAt(geometry, height);
    for (let pitch = pitchAt(geometry, 0); pitch >= lowest; pitch--) {
      const top = topOf(geometry, pitch);
      const pitchClass = pitch % 12;
      context.fillStyle = black.has(pitchClass) ? palette.raised : palette.lineStrong;
      if (black.has(pitchClass)) context.fillRect(0, top, width * BLACK_PART, geometry.rowPx);
      // White keys touch below C and F; elsewhere a black key is between them.
      else if (pitchClass === 0 || pitchClass === 5) context.fillRect(0, top + geometry.rowPx - 1, width, 1);
      if (black.has(pitchClass) || (pitchClass !== 0 && geometry.rowPx < NAMED_PX)) continue;
      context.fillStyle = palette.raised;
      context.fillText(pitchName(pitch), width - 3, top + geometry.rowPx / 2 + 0.5);
    }
  });
}

/** Draws the velocity of each note as a bar at its start until `scope` ends. */
export function openVelocityCanvas(scope: Scope, canvas: HTMLCanvasElement, source: RollSource): void {
  openCanvas(scope, canvas, source, (drawing) => {
    const { context, palette, colour, width, height, notes, view } = drawing;
    context.fillStyle = palette.line;
    context.fillRect(0, 0, width, 1);
    for (const { id, start_ms, velocity } of notes) {
      const x = Math.round(xOf(drawing, start_ms));
      if (x < -6 || x > width) continue;
      const high = velocityPx(velocity, height);
      context.fillStyle = view.selected.has(id) ? palette.text : colour;
      context.fillRect(x, height - high, 2, high);
      context.fillRect(x - 2, height - high, 6, 4);
    }
  });
}

/** Space above the bar of the highest velocity, in pixels. */
const VELOCITY_MARGIN_PX = 4;

/** Returns the height of the bar of a velocity, in pixels. */
export function velocityPx(velocity: number, heightPx: number): number {
  return (velocity / 127) * (heightPx - VELOCITY_MARGIN_PX);
}
