import { bigEndian, chunk, createMidiTrack, type MidiTrack, metaEvent } from './midi-track.ts';
import { type QuantizeStep, quantizer } from './quantize.ts';
import { type TempoMap, TICKS_PER_QUARTER } from './tempo-map.ts';

/** A note as a MIDI file holds it. */
export interface MidiNote {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** 0 to 127. */
  readonly pitch: number;
  /** 1 to 127. */
  readonly velocity: number;
  /** How far from the pitch it lies over its length, at equal distances in time, in cents; empty for nowhere. */
  readonly bendsCents: readonly number[];
}

/** What is written. */
export interface MidiSong {
  readonly title: string;
  /** Name of the notes' own track. */
  readonly part: string;
  /** General MIDI instrument, 0 to 127. */
  readonly program: number;
  readonly notes: readonly MidiNote[];
  readonly map: TempoMap;
  /** Moves notes to the nearest division of a bar; null leaves them as they were played. */
  readonly quantize: QuantizeStep | null;
  /** Whether bends are written: they bend all notes that sound, so only where one sounds at a time. */
  readonly hasBends: boolean;
}

/** Semitones to either side that a channel bends when nothing is said; it is said nevertheless. */
const BEND_SEMITONES = 2;
const BEND_CENTS = 100 * BEND_SEMITONES;
const BEND_CENTRE = 0x2000;
/** Smaller movements are not written: nobody hears them, and they make the file large. */
const LEAST_BEND_CENTS = 5;

/**
 * A Standard MIDI File of format 1: tempi, time signatures and the title on a first track, the notes on a second.
 *
 * A note that begins while the same pitch still sounds ends that.
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
    // The metronome clicks each quarter of 24 clocks, which have eight thirty-seconds.
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
    // The registered parameter 0 is how far a channel bends.
    for (const [controller, value] of [
      [101, 0],
      [100, 0],
      [6, BEND_SEMITONES],
      [38, 0],
    ] as const) {
      track.add(0, 'head', [0xb0, controller, value]);
    }
  }
  const place = quantizer(map, quantize);
  const placed = notes
    .map((note) => ({ note, ...place(map.tickAt(note.startSeconds), map.tickAt(note.endSeconds)) }))
    .sort((one, other) => other.start - one.start || other.end - one.end);
  const nextOfPitch = new Map<number, number>();
  for (const { note, start, end } of placed) {
    const next = nextOfPitch.get(note.pitch) ?? Number.POSITIVE_INFINITY;
    // Of two that fall on the same place the longer is left.
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

/** The bytes of a text. */
function utf8(text: string): number[] {
  const bytes = encodeURIComponent(text.toWellFormed()).match(/%[0-9A-F]{2}|./g) ?? [];
  return bytes.map((byte) => (byte.length === 3 ? Number.parseInt(byte.slice(1), 16) : byte.charCodeAt(0)));
}
