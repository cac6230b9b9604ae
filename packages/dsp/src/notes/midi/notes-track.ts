import { createMidiTrack, type MidiTrack, metaEvent, textBytes } from './midi-track.ts';
import { type QuantizeStep, quantizer } from './quantize.ts';
import type { TempoMap } from './tempo-map.ts';

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

/** Default bend range of a channel in semitones to either side; written explicitly all the same. */
const BEND_SEMITONES = 2;
const BEND_CENTS = 100 * BEND_SEMITONES;
const BEND_CENTRE = 0x2000;
/** Smallest change of a bend that is written: smaller ones are inaudible and enlarge the file. */
const LEAST_BEND_CENTS = 5;

/** A track of notes in a MIDI file. */
export interface MidiPart {
  readonly name: string;
  /** Channel, 0 to 15. */
  readonly channel: number;
  /** General MIDI instrument, 0 to 127. */
  readonly program: number;
  readonly notes: readonly MidiNote[];
  /** Quantises notes to a division of a bar; null keeps their timing. */
  readonly quantize: QuantizeStep | null;
  /** Whether bends are written: they affect all notes of the channel, so they suit monophonic parts only. */
  readonly hasBends: boolean;
}

/**
 * Encodes a track of notes. A note that begins while the same pitch still sounds ends the earlier note; of two notes with
 * the same start only the longer is kept.
 */
export function notesTrack(
  { name, channel, program, notes, quantize, hasBends }: MidiPart,
  map: TempoMap,
): number[] {
  const track = createMidiTrack();
  track.add(0, 'head', metaEvent(0x03, textBytes(name)));
  track.add(0, 'head', [0xc0 | channel, program]);
  if (hasBends) {
    // Registered parameter 0 is the bend range of a channel.
    for (const [controller, value] of [
      [101, 0],
      [100, 0],
      [6, BEND_SEMITONES],
      [38, 0],
    ] as const) {
      track.add(0, 'head', [0xb0 | channel, controller, value]);
    }
  }
  const quantizedSpan = quantizer(map, quantize);
  const placed = notes
    .map((note) => ({ note, ...quantizedSpan(map.tickAt(note.startSeconds), map.tickAt(note.endSeconds)) }))
    .sort((one, other) => other.start - one.start || other.end - one.end);
  const nextOfPitch = new Map<number, number>();
  for (const { note, start, end } of placed) {
    const next = nextOfPitch.get(note.pitch) ?? Number.POSITIVE_INFINITY;
    if (next <= start) continue;
    nextOfPitch.set(note.pitch, start);
    const stop = Math.min(end, next);
    if (hasBends) addBends(track, channel, note, start, stop);
    track.add(start, 'noteOn', [0x90 | channel, note.pitch, note.velocity]);
    track.add(stop, 'noteOff', [0x80 | channel, note.pitch, 0]);
  }
  return track.finish();
}

function addBends(
  track: MidiTrack,
  channel: number,
  { bendsCents }: MidiNote,
  start: number,
  stop: number,
): void {
  let written: number | null = null;
  bendsCents.forEach((cents, at) => {
    if (written !== null && Math.abs(cents - written) < LEAST_BEND_CENTS) return;
    written = cents;
    const value = Math.round((cents / BEND_CENTS + 1) * BEND_CENTRE);
    const bend = Math.max(0, Math.min(2 * BEND_CENTRE - 1, value));
    const tick = start + Math.floor(((stop - start) * at) / bendsCents.length);
    track.add(tick, 'bend', [0xe0 | channel, bend & 0x7f, bend >> 7]);
  });
}
