import type { StemType } from '@stem-studio/contract/resources/stem';

/** The style value of a stem's colour; `mix` for the whole song. */
export function stemColor(type: StemType | 'mix'): string {
  return `var(--stem-${type})`;
}

/** A stem's name as a person reads it: `electric guitar` for `electric_guitar`. */
export function stemName(type: StemType | 'mix'): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
