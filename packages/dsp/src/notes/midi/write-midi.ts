import { bigEndian, chunk, createMidiTrack, type MidiTrack, metaEvent } from './midi-track.ts';
import { type QuantizeStep, quantizer } from './quantize.ts';
import { type TempoMap, TICKS_PER_QUARTER } from './tempo-map.ts';

/** A note of a MIDI file. */
export interface MidiNote {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** MIDI number, 0 to 127. */
  readonly pitch: number;
  /** MIDI velocity, 1 to 127. */
  readonly velocity: number;
  /** Deviation from the pitch over the length of the note in cents, at equal time intervals; empty for none. */
  readonly bendsCents: readonly number[];
}

/** Content of a MIDI file. */
export interface MidiSong {
  readonly title: string;
  /** Name of the track that contains the notes. */
  readonly part: string;
  /** General MIDI instrument, 0 to 127. */
  readonly program: number;
  readonly notes: readonly MidiNote[];
  readonly map: TempoMap;
  /** Quantises notes to a division of a bar; null keeps their timing. */
  readonly quantize: QuantizeStep | null;
  /** Whether bends are written: they affect all notes of the channel, so they suit monophonic parts only. */
  readonly hasBends: boolean;
}

/** Default bend range of a channel in semitones to either side; written explicitly all the same. */
const BEND_SEMITONES = 2;
const BEND_CENTS = 100 * BEND_SEMITONES;
const BEND_CENTRE = 0x2000;
/** Smallest change of a bend that is written: smaller ones are inaudible and enlarge the file. */
const LEAST_BEND_CENTS = 5;

/**
 * Encodes a Standard MIDI File of format 1.
 *
 * The first track has tempi, time signatures and the title, the second the notes. A note that begins while the same
 * pitch still sounds ends the earlier note.
 *
 * @see "Standard MIDI Files 1.0", MIDI Manufacturers Association, 1996
 */
export function writeMidiFile(song: MidiSong): Uint8Array<ArrayBuffer> {
  const head = chunk('MThd', [...bigEndian(1, 2), ...bigEndian(2, 2), ...bigEndian(TICKS_PER_QUARTER, 2)]);
  return Uint8Array.from(head.concat(conductor(song), notesTrack(song)));
}

function conductor({ title, map }: MidiSong): number[] {
  const track = createMidiTrack();
  track.add(0, 'head', metaEvent(0x03, utf8(title)));
  for (const { tick, numerator, denominator } of map.signatures) {
    // The metronome clicks each quarter of 24 clocks, with eight thirty-second notes per quarter.
    track.add(tick, 'head', metaEvent(0x58, [numerator, Math.log2(denominator), 24, 8]));
  }
  for (const { tick, microsecondsPerQuarter } of map.tempos) {
    track.add(tick, 'head', metaEvent(0x51, bigEndian(microsecondsPerQuarter, 3)));
  }
  return track.finish();
}

function notesTrack({ part, program, notes, map, quantize, hasBends }: MidiSong): number[] {
  const track = createMidiTrack();
  track.add(0, 'head', metaEvent(0x03, utf8(part)));
  track.add(0, 'head', [0xc0, program]);
  if (hasBends) {
    // Registered parameter 0 is the bend range of a channel.
    for (const [controller, value] of [
      [101, 0],
      [100, 0],
      [6, BEND_SEMITONES],
      [38, 0],
    ] as const) {
      track.add(0, 'head', [0xb0, controller, value]);
    }
  }
  const quantizedSpan = quantizer(map, quantize);
  const placed = notes
    .map((note) => ({ note, ...quantizedSpan(map.tickAt(note.startSeconds), map.tickAt(note.endSeconds)) }))
    .sort((one, other) => other.start - one.start || other.end - one.end);
  const nextOfPitch = new Map<number, number>();
  for (const { note, start, end } of placed) {
    const next = nextOfPitch.get(note.pitch) ?? Number.POSITIVE_INFINITY;
    // Of two notes with the same start only the longer is kept.
    if (next <= start) continue;
    nextOfPitch.set(note.pitch, start);
    const stop = Math.min(end, next);
    if (hasBends) addBends(track, note, start, stop);
    track.add(start, 'noteOn', [0x90, note.pitch, note.velocity]);
    track.add(stop, 'noteOff', [0x80, note.pitch, 0]);
  }
  return track.finish();
}

function addBends(track: MidiTrack, { bendsCents }: MidiNote, start: number, stop: number): void {
  let written: number | null = null;
  bendsCents.forEach((cents, at) => {
    if (written !== null && Math.abs(cents - written) < LEAST_BEND_CENTS) return;
    written = cents;
    const value = Math.round((cents / BEND_CENTS + 1) * BEND_CENTRE);
    const bend = Math.max(0, Math.min(2 * BEND_CENTRE - 1, value));
    const tick = start + Math.floor(((stop - start) * at) / bendsCents.length);
    track.add(tick, 'bend', [0xe0, bend & 0x7f, bend >> 7]);
  });
}

/** Encodes a text as UTF-8. */
function utf8(text: string): number[] {
  const bytes = encodeURIComponent(text.toWellFormed()).match(/%[0-9A-F]{2}|./g) ?? [];
  return bytes.map((byte) => (byte.length === 3 ? Number.parseInt(byte.slice(1), 16) : byte.charCodeAt(0)));
}
