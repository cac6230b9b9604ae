import type { NoteSource, TranscribedNote } from '@stem-studio/contract/resources/notes';
import { pitchClasses } from '@stem-studio/contract/resources/track';
import { stemName } from './stem-color.ts';

/** Returns the name of a MIDI pitch, such as `C4` for 60. */
export function pitchName(pitch: number): string {
  return `${pitchClasses[((pitch % 12) + 12) % 12] ?? ''}${Math.floor(pitch / 12) - 1}`;
}

/** Name of the transcribed stem, or of the whole song. */
export function sourceName(source: NoteSource): string {
  return source === 'mix' ? 'Whole song' : stemName(source);
}

/** Text of a note, such as `C4 from 1.25 s for 0.40 s, velocity 90`. */
export function noteText({ pitch, start_ms, end_ms, velocity }: TranscribedNote): string {
  const [start, length] = [start_ms / 1000, (end_ms - start_ms) / 1000];
  return `${pitchName(pitch)} from ${start.toFixed(2)} s for ${length.toFixed(2)} s, velocity ${velocity}`;
}
