import { pitchClasses } from '@stem-studio/contract/resources/track';

/** Returns a key such as `A minor` raised by semitones; any other text unchanged. */
export function shiftedKey(key: string, semitones: number): string {
  const [tonic = '', ...mode] = key.split(' ');
  const at = (pitchClasses as readonly string[]).indexOf(tonic);
  if (at < 0) return key;
  return [pitchClasses[(((at + semitones) % 12) + 12) % 12], ...mode].join(' ');
}
