import { conductorTrack } from './conductor-track.ts';
import { midiFile } from './midi-track.ts';
import { type MidiNote, notesTrack } from './notes-track.ts';
import type { QuantizeStep } from './quantize.ts';
import type { TempoMap } from './tempo-map.ts';

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

/**
 * Encodes a Standard MIDI File of format 1.
 *
 * The first track has tempi, time signatures and the title, the second the notes. A note that begins while the same
 * pitch still sounds ends the earlier note.
 *
 * @see "Standard MIDI Files 1.0", MIDI Manufacturers Association, 1996
 */
export function writeMidiFile(song: MidiSong): Uint8Array<ArrayBuffer> {
  return midiFile([
    conductorTrack(song.title, song.map),
    notesTrack({ ...song, name: song.part, channel: 0 }, song.map),
  ]);
}
