import type { TranscribedNote, TranscriptionWithNotes } from '@stem-studio/contract/resources/notes';
import { countText } from '../base/format.ts';
import { noteText, pitchName, sourceName } from '../base/note-text.ts';
import { type Surface, type TimeChart, xOf } from './time-chart.ts';

/** Least number of pitches shown: an octave. */
const LEAST_LANES = 12;
/** Heights of a pitch's row that can be chosen. */
export const lanePixels = [3, 4, 6, 8, 11, 14, 18, 24] as const;
/** Height that the rows fill at first. */
const TARGET_HEIGHT_PX = 260;
/** From this height on, notes have a gap between them. */
const GAP_FROM_PX = 4;
/** Least height at which each white key has its name; each C always has. */
const NAMED_KEYS_PX = 11;
const NAME_PX = 9;
/** Width of a black key, as a part of the keyboard. */
const BLACK_PART = 0.6;
/** Below this distance, beats are not drawn. */
const CLOSEST_PX = 5;
/** Most rows of the table; the MIDI file has all notes. */
const MOST_ROWS = 1000;
/** Pitch classes of the black keys. */
const BLACK = new Set([1, 3, 6, 8, 10]);
const SOFTEST_ALPHA = 0.45;

/** A piano roll: a chart with a row for each pitch. */
export interface PianoRoll extends TimeChart {
  /** MIDI pitches of the top and the bottom row. */
  readonly highest: number;
  readonly lowest: number;
  /** Height of a row in pixels. */
  readonly lanePx: number;
  /** Returns the note at a position in a row, or null. */
  noteAt(seconds: number, row: number): TranscribedNote | null;
  /** Draws the keys of the rows, with their names. */
  drawKeys(surface: Surface): void;
}

/** Returns the height of a row at which all pitches of a transcription fit a figure. */
export function fittingLanePx({ notes }: TranscriptionWithNotes): number {
  const { lowest, highest } = rangeOf(notes);
  const most = TARGET_HEIGHT_PX / (highest - lowest + 1);
  return lanePixels.findLast((pixels) => pixels <= Math.min(14, most)) ?? lanePixels[0];
}

/** Returns a piano roll of notes over the time, beats and bars of a song, with a row for each pitch. */
export function pianoRoll(
  transcription: TranscriptionWithNotes,
  { beats, downbeats }: { readonly beats: readonly number[]; readonly downbeats: readonly number[] },
  lanePx = fittingLanePx(transcription),
): PianoRoll {
  const { notes, source } = transcription;
  const { lowest, highest } = rangeOf(notes);
  const lanes = highest - lowest + 1;
  const pitchOf = (row: number): number => highest - row;
  return {
    highest,
    lowest,
    lanePx,
    noteAt: (seconds, row) =>
      notes.find(
        ({ pitch, start_ms, end_ms }) => pitch === pitchOf(row) && within(seconds * 1000, start_ms, end_ms),
      ) ?? null,
    drawKeys: (surface) => drawKeys(surface, lanes, lanePx, pitchOf),
    id: `notes-${source}`,
    title: sourceName(source),
    summary:
      notes.length > 0
        ? `${countText(notes.length, 'note')} · ${pitchName(lowestOf(notes))} to ${pitchName(highestOf(notes))}`
        : 'no notes',
    heightPx: lanes * lanePx,
    labels: [pitchName(highest), pitchName(lowest)],
    rows: lanes,
    stops: notes.map(({ start_ms }) => start_ms / 1000),
    draw: (surface) => {
      drawLanes(surface, lanes, lanePx, pitchOf);
      drawLines(surface, beats, surface.palette.line);
      drawLines(surface, downbeats, surface.palette.lineStrong);
      drawNotes(surface, notes, source, { lanePx, highest });
    },
    read: (seconds, row) => {
      const sounding = notes.filter(({ start_ms, end_ms }) => within(seconds * 1000, start_ms, end_ms));
      const inLane = row === null ? sounding : sounding.filter(({ pitch }) => pitch === pitchOf(row));
      const [first] = inLane;
      if (first && (inLane.length === 1 || row !== null)) return noteText(first);
      const shown = inLane.length > 0 ? inLane : sounding;
      const names = shown.map(({ pitch }) => pitchName(pitch)).join(' ');
      const lane = row === null ? '' : `${pitchName(pitchOf(row))} silent`;
      return [lane, names && `sounding ${names}`].filter((part) => part !== '').join(' · ') || 'silent';
    },
    table: () => ({
      columns: ['Note', 'From', 'To', 'Velocity'],
      rows: notes
        .slice(0, MOST_ROWS)
        .map(({ pitch, start_ms, end_ms, velocity }) => [
          pitchName(pitch),
          `${(start_ms / 1000).toFixed(2)} s`,
          `${(end_ms / 1000).toFixed(2)} s`,
          String(velocity),
        ]),
    }),
  };
}

function within(time: number, from: number, to: number): boolean {
  return time >= from && time < to;
}

function lowestOf(notes: readonly TranscribedNote[]): number {
  return notes.reduce((least, { pitch }) => Math.min(least, pitch), 127);
}

function highestOf(notes: readonly TranscribedNote[]): number {
  return notes.reduce((most, { pitch }) => Math.max(most, pitch), 0);
}

/** Returns the range of pitches shown: all notes with one pitch around them, at least an octave. */
function rangeOf(notes: readonly TranscribedNote[]): { lowest: number; highest: number } {
  if (notes.length === 0) return { lowest: 60, highest: 60 + LEAST_LANES - 1 };
  const lowest = Math.max(0, lowestOf(notes) - 1);
  const highest = Math.min(127, highestOf(notes) + 1);
  const missing = Math.max(0, LEAST_LANES - (highest - lowest + 1));
  return {
    lowest: Math.max(0, lowest - Math.floor(missing / 2)),
    highest: Math.min(127, highest + Math.ceil(missing / 2)),
  };
}

function drawLanes(
  { context, width, palette }: Surface,
  lanes: number,
  lanePx: number,
  pitchOf: (row: number) => number,
): void {
  for (let row = 0; row < lanes; row++) {
    const key = pitchOf(row) % 12;
    if (BLACK.has(key)) {
      context.fillStyle = palette.raised;
      context.fillRect(0, row * lanePx, width, lanePx);
    }
    // A line between octaves, below each C.
    if (key !== 0) continue;
    context.fillStyle = palette.line;
    context.fillRect(0, (row + 1) * lanePx - 1, width, 1);
  }
}

function drawLines(surface: Surface, times: readonly number[], color: string): void {
  const { context, width, height, durationSeconds } = surface;
  if (durationSeconds <= 0 || times.length === 0 || width / times.length < CLOSEST_PX) return;
  context.fillStyle = color;
  for (const seconds of times) context.fillRect(Math.round(xOf(surface, seconds)), 0, 1, height);
}

function drawNotes(
  surface: Surface,
  notes: readonly TranscribedNote[],
  source: string,
  { lanePx, highest }: { readonly lanePx: number; readonly highest: number },
): void {
  const { context } = surface;
  context.fillStyle = getComputedStyle(context.canvas).getPropertyValue(`--stem-${source}`).trim();
  const gap = lanePx >= GAP_FROM_PX ? 1 : 0;
  for (const { start_ms, end_ms, pitch, velocity } of notes) {
    const left = xOf(surface, start_ms / 1000);
    const width = Math.max(1.5, xOf(surface, end_ms / 1000) - left - 0.5);
    context.globalAlpha = SOFTEST_ALPHA + (1 - SOFTEST_ALPHA) * Math.min(1, velocity / 110);
    context.fillRect(left, (highest - pitch) * lanePx, width, lanePx - gap);
  }
  context.globalAlpha = 1;
}

/** Draws a keyboard from top to bottom: white and black keys, the names of each C or of all white keys. */
function drawKeys(
  { context, width, palette }: Surface,
  lanes: number,
  lanePx: number,
  pitchOf: (row: number) => number,
): void {
  context.fillStyle = palette.text;
  context.fillRect(0, 0, width, lanes * lanePx);
  for (let row = 0; row < lanes; row++) {
    const key = pitchOf(row) % 12;
    if (BLACK.has(key)) {
      context.fillStyle = palette.raised;
      context.fillRect(0, row * lanePx, width * BLACK_PART, lanePx);
    } else if (key === 0 || key === 5) {
      // White keys touch below C and F; elsewhere a black key is between them.
      context.fillStyle = palette.lineStrong;
      context.fillRect(0, (row + 1) * lanePx - 1, width, 1);
    }
  }
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  context.font = `600 ${Math.min(11, Math.max(9, lanePx))}px ${palette.font}`;
  for (let row = 0; row < lanes; row++) {
    const key = pitchOf(row) % 12;
    if (BLACK.has(key) || (key !== 0 && lanePx < NAMED_KEYS_PX)) continue;
    const middle = (row + 0.5) * lanePx;
    // Covers lines and neighbours of a row that is lower than its name.
    context.fillStyle = palette.text;
    context.fillRect(width * BLACK_PART, middle - NAME_PX / 2, width * (1 - BLACK_PART), NAME_PX);
    context.fillStyle = palette.raised;
    context.fillText(pitchName(pitchOf(row)), width - 2, middle + 0.5);
  }
}
