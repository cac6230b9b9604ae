import { type EffectParameterSpec, effectBeats, effectValue } from '@stem-studio/contract/decks/effects';

/** Formats the value of a parameter at a position with its unit: `60 %`, `2.4 kHz`, `Low-pass`. */
export function parameterText(spec: EffectParameterSpec, position: number): string {
  const value = effectValue(spec, position);
  switch (spec.unit) {
    case 'choice':
      return spec.choices[value] ?? '';
    case 'percent':
      return `${Math.round(value * 100)} %`;
    case 'Hz':
      return value < 1000 ? `${Math.round(value)} Hz` : `${(value / 1000).toFixed(1)} kHz`;
    case 'ms':
      return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
    default:
      return `${value.toFixed(1)} ${spec.unit}`;
  }
}

/** Formats the beat-synced time at an index of the list: `1/2 beat`, `4 beats`. */
export function beatsText(index: number): string {
  const beats = effectBeats[index] ?? 1;
  return `${fractionText(beats)} ${beats > 1 ? 'beats' : 'beat'}`;
}

/** Formats a number of beats: `1/3`, `3/4`, `8`. */
export function fractionText(beats: number): string {
  for (const below of [1, 2, 3, 4, 8]) {
    const above = beats * below;
    if (Math.abs(above - Math.round(above)) < 1e-9)
      return below === 1 ? String(Math.round(above)) : `${Math.round(above)}/${below}`;
  }
  return beats.toFixed(2);
}

/** Formats a mix of dry signal and effect: `dry`, `40 %`, `effect only`. */
export function wetText(wet: number): string {
  if (wet === 0) return 'dry';
  return wet === 1 ? 'effect only' : `${Math.round(wet * 100)} %`;
}
