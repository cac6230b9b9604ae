import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import { firstFrom } from '@stem-studio/dsp/time/first-from';
import { TILE_COLUMNS } from './waveform-tiles.ts';
import type { Section, WaveformMarks, WaveformView } from './waveform-view.ts';

/** Smallest distance of beat lines; below it only bars are drawn, and then every fourth bar. */
const CLOSEST_PX = 6;
/** Smallest distance of bar numbers. */
const NUMBERED_PX = 44;
const FLAG_PX = 15;

const barNumbers: string[] = [];
function barNumber(bar: number): string {
  return (barNumbers[bar] ??= String(bar));
}
const markFont = (scale: number) => (scale === 1 ? oneFont : `600 ${10 * scale}px ${family}`);
const family = '"Inter Variable", system-ui, sans-serif';
const oneFont = `600 10px ${family}`;

/**
 * Paints a waveform around the playback position. Its time axis is playing time, so beats of two tracks at the same
 * tempo align, regardless of their recorded tempi. Drawing allocates nothing; `view` is the content of the next
 * frame.
 */
export class WaveformPainter {
  readonly view: WaveformView;
  readonly #context: CanvasRenderingContext2D;
  readonly #marks: WaveformMarks;
  #widthPx = 0;
  #heightPx = 0;
  /** Device pixels per CSS pixel. */
  #scale = 1;
  /** Positions at the left and the right edge, in seconds of the track. */
  #from = 0;
  #to = 0;
  /** Device pixels per second of the track. */
  #perSecond = 0;

  constructor(context: CanvasRenderingContext2D, marks: WaveformMarks, view: WaveformView) {
    this.#context = context;
    this.#marks = marks;
    this.view = view;
  }

  /** Paints the canvas. @param scale device pixels per CSS pixel */
  draw(scale: number): void {
    const context = this.#context;
    const { deck, durationSeconds, positionSeconds, spanSeconds } = this.view;
    const { width, height } = context.canvas;
    const rate = 1 + deck.tempo_percent / 100;
    this.#widthPx = width;
    this.#heightPx = height;
    this.#scale = scale;
    this.#perSecond = width / (spanSeconds * rate);
    this.#from = positionSeconds - width / 2 / this.#perSecond;
    this.#to = positionSeconds + width / 2 / this.#perSecond;
    context.fillStyle = this.#marks.ground;
    context.fillRect(0, 0, width, height);
    if (durationSeconds <= 0) return;
    this.#drawOutside();
    this.#drawTiles();
    this.#drawLoop();
    this.#drawGrid();
    this.#drawSections();
    this.#drawHotCues();
    this.#drawCue();
    this.#drawPlayhead();
  }

  /** Distance of a position in the track from the left edge, in device pixels. */
  #xOf(seconds: number): number {
    return (seconds - this.#from) * this.#perSecond;
  }

  #drawOutside(): void {
    const { durationSeconds } = this.view;
    this.#context.fillStyle = this.#marks.outside;
    if (this.#from < 0) this.#context.fillRect(0, 0, -this.#from * this.#perSecond, this.#heightPx);
    if (this.#to <= durationSeconds) return;
    const end = this.#xOf(durationSeconds);
    this.#context.fillRect(end, 0, this.#widthPx - end, this.#heightPx);
  }

  #drawTiles(): void {
    const { tiles } = this.view;
    const columnsPerSecond = tiles?.chooseZoom(this.#perSecond) ?? 0;
    if (!tiles || columnsPerSecond === 0) return;
    const tileSeconds = TILE_COLUMNS / columnsPerSecond;
    for (let index = Math.floor(this.#from / tileSeconds); ; index++) {
      // Edges on whole pixels, so that no seam shows between two tiles.
      const left = Math.round(this.#xOf(index * tileSeconds));
      if (left >= this.#widthPx) return;
      const tile = tiles.tile(index);
      const right = Math.round(this.#xOf((index + 1) * tileSeconds));
      if (tile) this.#context.drawImage(tile, left, 0, right - left, this.#heightPx);
    }
  }

  #drawLoop(): void {
    const { loop } = this.view.deck;
    if (!loop) return;
    const context = this.#context;
    const left = this.#xOf(loop.start_ms / 1000);
    const right = this.#xOf(loop.end_ms / 1000);
    context.fillStyle = this.#marks.deck;
    context.globalAlpha = loop.active ? 0.26 : 0.08;
    context.fillRect(left, 0, right - left, this.#heightPx);
    context.globalAlpha = loop.active ? 1 : 0.5;
    this.#drawEdge(left);
    this.#drawEdge(right);
    context.globalAlpha = 1;
  }

  /** Draws a vertical line, two CSS pixels wide. */
  #drawEdge(x: number): void {
    this.#context.fillRect(x - this.#scale, 0, 2 * this.#scale, this.#heightPx);
  }

  #drawGrid(): void {
    const { beats, downbeats } = this.view;
    const first = firstFrom(beats, this.#from);
    if (beatGap(beats, first) * this.#perSecond >= CLOSEST_PX * this.#scale) this.#drawBeats(first);
    this.#drawBars(Math.max(0, firstFrom(downbeats, this.#from) - 1));
  }

  #drawBeats(first: number): void {
    const { beats } = this.view;
    const context = this.#context;
    context.fillStyle = this.#marks.beat;
    context.globalAlpha = 0.5;
    for (let index = first; index < beats.length; index++) {
      const seconds = beats[index] ?? 0;
      if (seconds > this.#to) break;
      context.fillRect(Math.round(this.#xOf(seconds)), 0, this.#scale, this.#heightPx);
    }
    context.globalAlpha = 1;
  }

  #drawBars(first: number): void {
    const { downbeats } = this.view;
    const context = this.#context;
    const scale = this.#scale;
    const gap = beatGap(downbeats, first) * this.#perSecond;
    const every = gap >= CLOSEST_PX * scale ? 1 : 4;
    const numbered = Math.max(1, 2 ** Math.ceil(Math.log2((NUMBERED_PX * scale) / Math.max(1, gap))));
    this.#write('top');
    for (let index = first; index < downbeats.length; index++) {
      const seconds = downbeats[index] ?? 0;
      if (seconds > this.#to) break;
      if (index % every !== 0) continue;
      const x = Math.round(this.#xOf(seconds));
      context.fillStyle = this.#marks.bar;
      context.fillRect(x, 0, 2 * scale, this.#heightPx);
      if (index % numbered !== 0) continue;
      context.fillStyle = this.#marks.text;
      context.fillText(barNumber(index + 1), x + 5 * scale, 3 * scale);
    }
  }

  #drawSections(): void {
    const { sections } = this.view;
    this.#write('bottom');
    for (let index = 0; index < sections.length; index++) {
      const section = sections[index];
      if (section && section.end >= this.#from && section.start <= this.#to) this.#drawSection(section);
    }
  }

  #drawSection({ start, end, label }: Section): void {
    const context = this.#context;
    const scale = this.#scale;
    // The label stays visible for as long as its section plays.
    const x = Math.max(24 * scale, this.#xOf(start));
    const width = context.measureText(label).width + 10 * scale;
    if (this.#xOf(end) - x < width) return;
    context.fillStyle = this.#marks.outside;
    context.fillRect(x, this.#heightPx - 15 * scale, width, 15 * scale);
    context.fillStyle = this.#marks.text;
    context.fillText(label, x + 5 * scale, this.#heightPx - 2 * scale);
  }

  #drawHotCues(): void {
    const { hot_cues } = this.view.deck;
    this.#write('middle');
    for (let index = 0; index < hot_cues.length; index++) {
      const cue = hot_cues[index];
      if (cue && cue.position_ms / 1000 <= this.#to) this.#drawHotCue(cue);
    }
  }

  #drawHotCue({ position_ms, color, slot, label }: DeckState['hot_cues'][number]): void {
    const context = this.#context;
    const scale = this.#scale;
    const x = Math.round(this.#xOf(position_ms / 1000));
    if (x < -160 * scale) return;
    const labelPx = label === '' ? 0 : Math.min(120 * scale, context.measureText(label).width + 6 * scale);
    const flagPx = FLAG_PX * scale;
    context.fillStyle = color;
    this.#drawEdge(x);
    context.fillRect(x - scale, 0, flagPx + labelPx, flagPx);
    context.fillStyle = this.#marks.ground;
    context.fillText(barNumber(slot + 1), x + 3 * scale, flagPx / 2 + scale);
    if (labelPx > 0) context.fillText(label, x + 13 * scale, flagPx / 2 + scale, 114 * scale);
  }

  #drawCue(): void {
    const context = this.#context;
    const scale = this.#scale;
    const seconds = this.view.deck.cue_ms / 1000;
    const x = this.#xOf(seconds);
    if (x < -20 * scale || seconds > this.#to) return;
    context.fillStyle = this.#marks.cue;
    context.beginPath();
    context.moveTo(x, this.#heightPx - 10 * scale);
    context.lineTo(x + 7 * scale, this.#heightPx);
    context.lineTo(x - 7 * scale, this.#heightPx);
    context.fill();
  }

  #drawPlayhead(): void {
    const context = this.#context;
    const scale = this.#scale;
    context.fillStyle = this.#marks.ground;
    context.fillRect(this.#widthPx / 2 - 2 * scale, 0, 4 * scale, this.#heightPx);
    context.fillStyle = this.#marks.text;
    this.#drawEdge(this.#widthPx / 2);
  }

  #write(baseline: CanvasTextBaseline): void {
    this.#context.font = markFont(this.#scale);
    this.#context.textBaseline = baseline;
  }
}

function beatGap(times: readonly number[], at: number): number {
  const index = Math.min(at, times.length - 2);
  return index < 0 ? 0 : (times[index + 1] ?? 0) - (times[index] ?? 0);
}
