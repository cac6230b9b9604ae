import { bigEndian, createMidiTrack, metaEvent, textBytes } from './midi-track.ts';
import type { TempoMap } from './tempo-map.ts';

/** Text at a position of a MIDI file. */
export interface MidiText {
  readonly seconds: number;
  readonly text: string;
}

/** Key signature of a MIDI file. */
export interface MidiKey {
  /** Number of sharps, or of flats as a negative number: −7 to 7. */
  readonly sharps: number;
  readonly isMinor: boolean;
}

/** Encodes the track with title, tempi, time signatures, key signature and markers. */
export function conductorTrack(
  title: string,
  map: TempoMap,
  {
    markers = [],
    key = null,
  }: { readonly markers?: readonly MidiText[]; readonly key?: MidiKey | null } = {},
): number[] {
  const track = createMidiTrack();
  track.add(0, 'head', metaEvent(0x03, textBytes(title)));
  for (const { tick, numerator, denominator } of map.signatures) {
    // The metronome clicks each quarter of 24 clocks, with eight thirty-second notes per quarter.
    track.add(tick, 'head', metaEvent(0x58, [numerator, Math.log2(denominator), 24, 8]));
  }
  for (const { tick, microsecondsPerQuarter } of map.tempos) {
    track.add(tick, 'head', metaEvent(0x51, bigEndian(microsecondsPerQuarter, 3)));
  }
  if (key) track.add(0, 'head', metaEvent(0x59, [key.sharps & 0xff, key.isMinor ? 1 : 0]));
  for (const { seconds, text } of markers)
    track.add(Math.round(map.tickAt(seconds)), 'head', metaEvent(0x06, textBytes(text)));
  return track.finish();
}
