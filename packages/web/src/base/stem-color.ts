import type { StemType } from '@stem-studio/contract/resources/stem';

/** Returns the CSS colour of a stem; `mix` for the whole song. */
export function stemColor(type: StemType | 'mix'): string {
  return `var(--stem-${type})`;
}

/** Returns the display name of a stem, such as `Electric guitar` for `electric_guitar`. */
export function stemName(type: StemType | 'mix'): string {
  const name = type.replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}
