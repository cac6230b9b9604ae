import { pitchClassNames } from '@stem-studio/dsp/synth/pitch';
import type { Random } from '@stem-studio/dsp/synth/random';

/** Progressions of four bars that establish their key: degrees in semitones above the tonic, and a quality. */
const PROGRESSIONS = {
  major: [
    '0: 7: 9:m 5:',
    '0: 9:m 5: 7:',
    '0: 5: 7: 0:',
    '0: 4:m 5: 7:7',
    '2:m7 7:7 0:maj7 0:maj7',
    '0: 5: 0: 7:',
    '0:maj7 9:m7 2:m7 7:7',
  ],
  minor: [
    '0:m 8: 3: 10:',
    '0:m 5:m 7:m 0:m',
    '0:m 10: 8: 7:',
    '0:m 5:m 0:m 7:7',
    '0:m7 8:maj7 0:m7 7:m7',
    '0:m 3: 10: 0:m',
    '0:m 8: 5:m 7:',
  ],
} as const;

/** Semitones of the scales for melodies. */
export const scales = { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10] } as const;

/** Returns the chords of a random four-bar progression in a key, such as `Am7`. */
export function progressionIn(tonic: number, mode: 'major' | 'minor', random: Random): string[] {
  const all = PROGRESSIONS[mode];
  const chosen = all[Math.floor(random() * all.length)] ?? all[0];
  return chosen.split(' ').map((item) => {
    const [semitones = '0', quality = ''] = item.split(':');
    return `${pitchClassNames[(tonic + Number(semitones)) % 12]}${quality}`;
  });
}
