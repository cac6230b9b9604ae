import type { StemType } from '@stem-studio/contract/resources/stem';

/** Display order: vocals, rhythm, harmony, the rest. */
const displayOrder: readonly StemType[] = [
  'vocals',
  'backing_vocals',
  'drums',
  'bass',
  'guitar',
  'electric_guitar',
  'acoustic_guitar',
  'piano',
  'synth',
  'strings',
  'wind',
  'other',
];

/** Returns stems in display order, regardless of their order in the separation. */
export function sortStems<Item extends { readonly stem_type: StemType }>(stems: readonly Item[]): Item[] {
  const position = (item: Item) => displayOrder.indexOf(item.stem_type);
  return stems.toSorted((a, b) => position(a) - position(b));
}
