import { type StemType, stemTypes } from '@stem-studio/contract/resources/stem';
import type { StemColors } from './stem-waveform.ts';

/** Returns colours of the style sheet by local names, as they apply to an element. */
export function cssColors<Name extends string>(
  element: Element,
  names: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const style = getComputedStyle(element);
  const entries = Object.entries<string>(names).map(([name, token]) => [
    name,
    style.getPropertyValue(`--${token}`).trim(),
  ]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** Returns the colours of stem-coloured waveforms, as they apply to an element. */
export function cssStemColors(element: Element): StemColors {
  const tokens = Object.fromEntries(stemTypes.map((type) => [type, `stem-${type}`])) as Record<
    StemType,
    string
  >;
  return cssColors(element, { ...tokens, outline: 'stem-mix' });
}
