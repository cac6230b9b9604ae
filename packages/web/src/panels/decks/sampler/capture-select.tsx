import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import { type StemType, stemTypes } from '@stem-studio/contract/resources/stem';
import { errorText } from '../../../client/api-error.ts';
import { captureLoop } from '../../../state/sampler/capture-loop.ts';
import { toastError } from '../../../state/toasts.state.ts';
import { Select, type SelectOption } from '../../../ui/select.tsx';
import { useDeckTrack } from '../deck/use-deck-track.ts';
import { useDeck, useDjEngine } from '../dj-context.ts';
import styles from './sampler-panel.module.css';

const NONE = 'none';

/** Selector that fills a pad with the present loop of a deck or of one of its stems. */
export function CaptureSelect({ index, disabled }: { index: number; disabled: boolean }) {
  const engine = useDjEngine();
  const titles = { a: useDeckTrack('a').track?.title, b: useDeckTrack('b').track?.title };
  const stems = { a: useDeck('a', (state) => state.stems), b: useDeck('b', (state) => state.stems) };
  const loaded = {
    a: useDeck('a', (state) => state.track_id !== null),
    b: useDeck('b', (state) => state.track_id !== null),
  };
  const options: readonly SelectOption<string>[] = deckIds
    .filter((deck) => loaded[deck])
    .flatMap((deck): SelectOption<string>[] => [
      { value: deck, label: `Loop of deck ${deck.toUpperCase()}` },
      ...stems[deck].map(({ stem_type }) => ({
        value: `${deck} ${stem_type}`,
        label: `Deck ${deck.toUpperCase()}: ${stem_type} only`,
      })),
    ]);
  return (
    <Select
      className={styles['capture']}
      label="Capture a loop"
      title="Fills the pad with the loop of a deck; without one, with the selected loop length from here"
      disabled={disabled || options.length === 0}
      value={NONE}
      options={[
        { value: NONE, label: options.length === 0 ? 'No deck loaded' : 'Capture a loop…' },
        ...options,
      ]}
      onChange={(choice) => {
        const [deck, stem = null] = parse(choice);
        if (!deck) return;
        const title = titles[deck] ?? `Deck ${deck.toUpperCase()}`;
        captureLoop(engine, engine.sampler, index, deck, stem, stem ? `${title} (${stem})` : title).catch(
          (error: unknown) => {
            const text = errorText(error);
            toastError(`Pad ${index + 1} not changed`, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
          },
        );
      }}
    />
  );
}

function parse(choice: string): [DeckId | undefined, StemType | undefined] {
  const [letter, type] = choice.split(' ');
  return [deckIds.find((deck) => deck === letter), stemTypes.find((stem) => stem === type)];
}
