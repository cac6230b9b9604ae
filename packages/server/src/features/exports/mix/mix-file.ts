import type { MixSettings } from '@stem-studio/contract/resources/mix';

/** Returns the bits per sample of the file: 24 by default. */
export function bitDepthOf({ bit_depth }: Pick<MixSettings, 'bit_depth'>): 16 | 24 {
  return bit_depth === '16' ? 16 : 24;
}

/** Returns the description of a mix in names and tags, such as `mix, tempo 90, key −2`. */
export function mixPartText({ tempo, key }: Pick<MixSettings, 'tempo' | 'key'>): string {
  const changes = [
    ...(tempo === 100 ? [] : [`tempo ${tempo}`]),
    ...(key === 0 ? [] : [`key ${key > 0 ? '+' : '−'}${Math.abs(key)}`]),
  ];
  return ['mix', ...changes].join(', ');
}
