import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import { firstFrom } from '@stem-studio/dsp/time/first-from';
import { TILE_COLUMNS, type WaveTiles, zoomFor } from './wave-tiles.ts';

/** Beats nearer to each other than this are not drawn: bars are left, and then every fourth bar. */
const CLOSEST_PX = 6;
/** Bars nearer than this have no number. */
const NUMBERED_PX = 44;
const FLAG_PX = 15;

/** A named part of a song, in seconds. */
export interface Section {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Colours of a waveform's marks, read from the style sheet. */
export interface WaveMarks {
  readonly deck: string;
  readonly beat: string;
  readonly bar: string;
  readonly text: string;
  readonly ground: string;
  readonly outside: string;
  readonly cue: string;
}

/** What one picture of a deck's waveform shows. The same object serves all pictures. */
export interface WaveView {
  deck: DeckState;
  tiles: WaveTiles | null;
  beats: readonly number[];
  downbeats: readonly number[];
  sections: readonly Section[];
  durationSeconds: number;
  /** What is heard now, in seconds of the song. */
  positionSeconds: number;
  /** Seconds of sound from edge to edge. */
  spanSeconds: number;
}

const barNumbers: string[] = [];
function barNumber(bar: number): string {
  return (barNumbers[bar] ??= String(bar));
}
const markFont = (scale: number) => (scale === 1 ? oneFont : `600 ${10 * scale}px ${family}`);
const family = '"Inter Variable", system-ui, sans-serif';
const oneFont = `600 10px ${family}`;

/**
 * Draws a waveform around the place that is heard, in seconds of sound: two songs at the same tempo have their beats
 * under each other, whatever they were recorded at. Makes no object.
 *
 * @param scale pixels of the device for each of the page
 */
export function drawWavePicture(
  context: CanvasRenderingContext2D,
  view: WaveView,
  marks: WaveMarks,
  widthPx: number,
  heightPx: number,
  scale: number,
): void {
  const rate = 1 + view.deck.tempo_percent / 100;
  const perSecond = widthPx / (view.spanSeconds * rate);
  const from = view.positionSeconds - widthPx / 2 / perSecond;
  const to = view.positionSeconds + widthPx / 2 / perSecond;
  context.fillStyle = marks.ground;
  context.fillRect(0, 0, widthPx, heightPx);
  if (view.durationSeconds > 0) {
    context.fillStyle = marks.outside;
    if (from < 0) context.fillRect(0, 0, -from * perSecond, heightPx);
    if (to > view.durationSeconds) {
      const end = (view.durationSeconds - from) * perSecond;
      context.fillRect(end, 0, widthPx - end, heightPx);
    }
    if (view.tiles) drawTiles(context, view.tiles, from, perSecond, widthPx, heightPx);
    drawLoop(context, view.deck, from, perSecond, marks, heightPx, scale);
    drawGrid(context, view, from, to, perSecond, marks, heightPx, scale);
    drawSections(context, view.sections, from, to, perSecond, marks, heightPx, scale);
    drawCues(context, view.deck, from, to, perSecond, marks, heightPx, scale);
  }
  if (view.durationSeconds <= 0) return;
  context.fillStyle = marks.ground;
  context.fillRect(widthPx / 2 - 2 * scale, 0, 4 * scale, heightPx);
  context.fillStyle = marks.text;
  context.fillRect(widthPx / 2 - scale, 0, 2 * scale, heightPx);
}

function drawTiles(
  context: CanvasRenderingContext2D,
  tiles: WaveTiles,
  from: number,
  perSecond: number,
  widthPx: number,
  heightPx: number,
): void {
  const zoom = zoomFor(tiles.peaks, perSecond);
  if (!zoom) return;
  const columnsPerSecond = tiles.peaks.sampleRate / zoom.samplesPerPeak;
  const tileSeconds = TILE_COLUMNS / columnsPerSecond;
  const first = Math.floor(from / tileSeconds);
  for (let index = first; ; index++) {
    // Edges on whole pixels, so that no seam shows between two strips.
    const left = Math.round((index * tileSeconds - from) * perSecond);
    if (left >= widthPx) return;
    const tile = tiles.tile(zoom, index);
    const right = Math.round(((index + 1) * tileSeconds - from) * perSecond);
    if (tile) context.drawImage(tile, left, 0, right - left, heightPx);
  }
}

function drawLoop(
  context: CanvasRenderingContext2D,
  { loop }: DeckState,
  from: number,
  perSecond: number,
  marks: WaveMarks,
  heightPx: number,
  scale: number,
): void {
  if (!loop) return;
  const left = (loop.start_ms / 1000 - from) * perSecond;
  const right = (loop.end_ms / 1000 - from) * perSecond;
  context.fillStyle = marks.deck;
  context.globalAlpha = loop.active ? 0.26 : 0.08;
  context.fillRect(left, 0, right - left, heightPx);
  context.globalAlpha = loop.active ? 1 : 0.5;
  context.fillRect(left - scale, 0, 2 * scale, heightPx);
  context.fillRect(right - scale, 0, 2 * scale, heightPx);
  context.globalAlpha = 1;
}

function drawGrid(
  context: CanvasRenderingContext2D,
  { beats, downbeats }: WaveView,
  from: number,
  to: number,
  perSecond: number,
  marks: WaveMarks,
  heightPx: number,
  scale: number,
): void {
  const first = firstFrom(beats, from);
  const gap = beatGap(beats, first) * perSecond;
  if (gap >= CLOSEST_PX * scale) {
    context.fillStyle = marks.beat;
    context.globalAlpha = 0.5;
    for (let index = first; index < beats.length; index++) {
      const seconds = beats[index] ?? 0;
      if (seconds > to) break;
      context.fillRect(Math.round((seconds - from) * perSecond), 0, scale, heightPx);
    }
    context.globalAlpha = 1;
  }
  const firstBar = Math.max(0, firstFrom(downbeats, from) - 1);
  const barGap = beatGap(downbeats, firstBar) * perSecond;
  const every = barGap >= CLOSEST_PX * scale ? 1 : 4;
  const numbered = Math.max(1, 2 ** Math.ceil(Math.log2((NUMBERED_PX * scale) / Math.max(1, barGap))));
  context.font = markFont(scale);
  context.textBaseline = 'top';
  for (let index = firstBar; index < downbeats.length; index++) {
    const seconds = downbeats[index] ?? 0;
    if (seconds > to) break;
    if (index % every !== 0) continue;
    const x = Math.round((seconds - from) * perSecond);
    context.fillStyle = marks.bar;
    context.fillRect(x, 0, 2 * scale, heightPx);
    if (index % numbered !== 0) continue;
    context.fillStyle = marks.text;
    context.fillText(barNumber(index + 1), x + 5 * scale, 3 * scale);
  }
}

function beatGap(times: readonly number[], at: number): number {
  const index = Math.min(at, times.length - 2);
  return index < 0 ? 0 : (times[index + 1] ?? 0) - (times[index] ?? 0);
}

function drawSections(
  context: CanvasRenderingContext2D,
  sections: readonly Section[],
  from: number,
  to: number,
  perSecond: number,
  marks: WaveMarks,
  heightPx: number,
  scale: number,
): void {
  context.font = markFont(scale);
  context.textBaseline = 'bottom';
  for (let index = 0; index < sections.length; index++) {
    const section = sections[index];
    if (!section || section.end < from || section.start > to) continue;
    // The name stays in view for as long as its part is heard.
    const x = Math.max(24 * scale, (section.start - from) * perSecond);
    const right = (section.end - from) * perSecond;
    const width = context.measureText(section.label).width + 10 * scale;
    if (right - x < width) continue;
    context.fillStyle = marks.outside;
    context.fillRect(x, heightPx - 15 * scale, width, 15 * scale);
    context.fillStyle = marks.text;
    context.fillText(section.label, x + 5 * scale, heightPx - 2 * scale);
  }
}

function drawCues(
  context: CanvasRenderingContext2D,
  deck: DeckState,
  from: number,
  to: number,
  perSecond: number,
  marks: WaveMarks,
  heightPx: number,
  scale: number,
): void {
  context.font = markFont(scale);
  context.textBaseline = 'middle';
  for (let index = 0; index < deck.hot_cues.length; index++) {
    const cue = deck.hot_cues[index];
    if (!cue) continue;
    const seconds = cue.position_ms / 1000;
    const x = Math.round((seconds - from) * perSecond);
    if (seconds > to || x < -160 * scale) continue;
    context.fillStyle = cue.color;
    context.fillRect(x - scale, 0, 2 * scale, heightPx);
    const name = barNumber(cue.slot + 1);
    const width =
      cue.label === '' ? 0 : Math.min(120 * scale, context.measureText(cue.label).width + 6 * scale);
    context.fillRect(x - scale, 0, FLAG_PX * scale + width, FLAG_PX * scale);
    context.fillStyle = marks.ground;
    context.fillText(name, x + 3 * scale, (FLAG_PX * scale) / 2 + scale);
    if (width > 0) context.fillText(cue.label, x + 13 * scale, (FLAG_PX * scale) / 2 + scale, 114 * scale);
  }
  const cue = (deck.cue_ms / 1000 - from) * perSecond;
  if (cue < -20 * scale || deck.cue_ms / 1000 > to) return;
  context.fillStyle = marks.cue;
  context.beginPath();
  context.moveTo(cue, heightPx - 10 * scale);
  context.lineTo(cue + 7 * scale, heightPx);
  context.lineTo(cue - 7 * scale, heightPx);
  context.fill();
}
