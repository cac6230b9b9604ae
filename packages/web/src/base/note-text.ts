import type { HeardNote, NoteSource } from '@stem-studio/contract/resources/notes';
import { pitchClasses } from '@stem-studio/contract/resources/track';
import { stemName } from './stem-color.ts';

/** A pitch as musicians write it: `C4` for MIDI number 60. */
export function pitchName(pitch: number): string {
  return `${pitchClasses[((pitch % 12) + 12) % 12] ?? ''}${Math.floor(pitch / 12) - 1}`;
}

/** What notes were heard in. */
export function sourceName(source: NoteSource): string {
  return source === 'mix' ? 'Whole song' : stemName(source);
}

/** A note in words, such as `C4 from 1.25 s for 0.40 s, velocity 90`. */
export function noteText({ pitch, start_ms, end_ms, velocity }: HeardNote): string {
  const [start, length] = [start_ms / 1000, (end_ms - start_ms) / 1000];
  return `${pitchName(pitch)} from ${start.toFixed(2)} s for ${length.toFixed(2)} s, velocity ${velocity}`;
}
