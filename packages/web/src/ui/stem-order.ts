import type { StemType } from '@stem-studio/contract/resources/stem';

/** From the top of a desk to its bottom: the voice, what keeps time, what plays chords, what is left. */
const fromTheTop: readonly StemType[] = [
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

/** The stems in the order in which people see them, whatever order an engine wrote them in. */
export function sortStems<Item extends { readonly stem_type: StemType }>(stems: readonly Item[]): Item[] {
  const place = (item: Item) => fromTheTop.indexOf(item.stem_type);
  return stems.toSorted((a, b) => place(a) - place(b));
}
