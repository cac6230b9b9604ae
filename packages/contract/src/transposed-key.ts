import { pitchClasses } from './resources/track.ts';

/** Returns a key moved by semitones, in sharps as the API names keys; an unknown text stays as it is. */
export function transposedKey(key: string, semitones: number): string {
  const [tonic = '', ...mode] = key.split(' ');
  const pitchClass = (pitchClasses as readonly string[]).indexOf(tonic);
  if (pitchClass < 0) return key;
  return [pitchClasses[(((pitchClass + semitones) % 12) + 12) % 12], ...mode].join(' ');
}

/** Returns a chord or pitch in sharps moved by semitones: `F#m/A` two up is `G#m/B`. */
export function transposedChord(label: string, semitones: number): string {
  return label.replace(/(^|\/)([A-G]#?)/g, (_, before: string, pitch: string) => {
    return before + transposedKey(pitch, semitones);
  });
}
