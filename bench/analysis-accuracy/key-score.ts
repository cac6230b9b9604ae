const NATURALS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

interface Key {
  tonic: number;
  mode: string;
}

/**
 * Returns the MIREX score of a key: 1 the same, 0.5 a fifth above in the same mode, 0.3 the relative, 0.2 the parallel,
 * else 0.
 *
 * @see https://www.music-ir.org/mirex/wiki/2020:Audio_Key_Detection
 */
export function keyScore(truth: string, estimate: string): number {
  const wanted = parseKey(truth);
  const found = parseKey(estimate);
  if (!wanted || !found) return 0;
  const distance = (found.tonic - wanted.tonic + 12) % 12;
  if (found.mode === wanted.mode) return distance === 0 ? 1 : distance === 7 ? 0.5 : 0;
  if (distance === 0) return 0.2;
  return distance === (wanted.mode === 'major' ? 9 : 3) ? 0.3 : 0;
}

function parseKey(text: string): Key | null {
  const [, letter = '', accidental, mode = ''] = /^([A-G])([#b]?) (major|minor)$/.exec(text) ?? [];
  const natural = NATURALS[letter];
  if (natural === undefined) return null;
  const shift = accidental === '#' ? 1 : accidental === 'b' ? -1 : 0;
  return { tonic: (natural + shift + 12) % 12, mode };
}
