import { PITCH_CLASSES } from '../../tonal/camelot.ts';
import { chordTemplates } from '../../tonal/chord-templates.ts';
import { conductorTrack, type MidiKey, type MidiText } from './conductor-track.ts';
import { createMidiTrack, metaEvent, midiFile, textBytes } from './midi-track.ts';
import { type MidiNote, notesTrack } from './notes-track.ts';
import type { QuantizeStep } from './quantize.ts';
import type { TempoMap } from './tempo-map.ts';

/** Chord of a song, in seconds. */
export interface MidiChord {
  readonly start: number;
  readonly end: number;
  /** `C`, `Am`, `G7`, `Fmaj7`, `Dm7`; any other text is no chord. */
  readonly label: string;
}

/** Notes of one instrument. */
export interface ArrangedPart {
  readonly name: string;
  /** General MIDI instrument, 0 to 127. */
  readonly program: number;
  /** Whether the notes are those of a drum kit. */
  readonly isDrums: boolean;
  readonly notes: readonly MidiNote[];
}

/** Content of a MIDI file of several parts. */
export interface MidiArrangement {
  readonly title: string;
  readonly map: TempoMap;
  /** Key such as `A minor`; any other text writes no key signature. */
  readonly key: string;
  readonly parts: readonly ArrangedPart[];
  /** Cue points and markers. */
  readonly markers: readonly MidiText[];
  readonly chords: readonly MidiChord[];
  /** Whether chords are notes too; otherwise only texts. */
  readonly hasChordNotes: boolean;
  /** Quantises notes to a division of a bar; null keeps their timing. */
  readonly quantize: QuantizeStep | null;
}

/** Channel of drum kits, from 0. */
const DRUM_CHANNEL = 9;
const CHANNELS = 16;
/** Lowest root of the notes of a chord: C3. */
const LOWEST_ROOT = 48;
const CHORD_VELOCITY = 80;

/**
 * Encodes a Standard MIDI File of format 1: a track with tempi, time signatures, key and markers, one with the chords as
 * texts, and one for each part.
 *
 * @see "Standard MIDI Files 1.0", MIDI Manufacturers Association, 1996
 * @spec Notes of lanes
 */
export function writeMidiArrangement(song: MidiArrangement): Uint8Array<ArrayBuffer> {
  const { title, map, markers, quantize } = song;
  const melodic = Array.from({ length: CHANNELS }, (_, channel) => channel).filter(
    (channel) => channel !== DRUM_CHANNEL,
  );
  const tracks = [conductorTrack(title, map, { markers, key: keySignature(song.key) })];
  if (song.chords.length > 0) tracks.push(chordTrack(song));
  // The first channel is that of the chords.
  let next = 1;
  for (const { name, program, isDrums, notes } of song.parts) {
    const channel = isDrums ? DRUM_CHANNEL : (melodic[next++ % melodic.length] ?? 0);
    tracks.push(notesTrack({ name, channel, program, notes, quantize, hasBends: false }, map));
  }
  return midiFile(tracks);
}

/** Returns the key signature of a key; null for an unknown key. */
function keySignature(key: string): MidiKey | null {
  const [tonic = '', mode = ''] = key.split(' ');
  const pitchClass = (PITCH_CLASSES as readonly string[]).indexOf(tonic);
  if (pitchClass < 0 || (mode !== 'major' && mode !== 'minor')) return null;
  const isMinor = mode === 'minor';
  const major = isMinor ? pitchClass + 3 : pitchClass;
  // Fifths above C, as −5 to 6.
  return { sharps: ((major * 7 + 5) % 12) - 5, isMinor };
}

function chordTrack({ chords, map, hasChordNotes }: MidiArrangement): number[] {
  const track = createMidiTrack();
  track.add(0, 'head', metaEvent(0x03, textBytes('Chords')));
  for (const { start, end, label } of chords) {
    const template = chordTemplates.find((each) => each.label === label);
    if (!template) continue;
    const from = Math.round(map.tickAt(start));
    const to = Math.max(from + 1, Math.round(map.tickAt(end)));
    track.add(from, 'head', metaEvent(0x01, textBytes(label)));
    if (!hasChordNotes) continue;
    const root = LOWEST_ROOT + template.root;
    for (const tone of template.tones) {
      const pitch = root + ((tone - template.root + 12) % 12);
      track.add(from, 'noteOn', [0x90, pitch, CHORD_VELOCITY]);
      track.add(to, 'noteOff', [0x80, pitch, 0]);
    }
  }
  return track.finish();
}
