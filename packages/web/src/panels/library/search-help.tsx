import { Popover } from '@base-ui/react/popover';
import styles from './search-help.module.css';

const entries: readonly { readonly example: string; readonly means: string }[] = [
  { example: 'night drive', means: 'both words, in title, artist, album or tags' },
  { example: '"night drive"', means: 'just this phrase' },
  { example: '-live', means: 'without this word; works before everything here' },
  { example: 'bpm:124', means: 'this tempo; a range is bpm:120-128, a bound bpm:>120' },
  { example: '~bpm:124', means: 'what a pitch fader (± 8 %) brings there, half and double tempo too' },
  { example: 'key:Am', means: 'this key; key:8A and key:"A minor" say the same' },
  { example: '~key:8A', means: 'keys that go with it: the same, its relative, a step up or down the wheel' },
  { example: 'artist:"The Foresters"', means: 'by field: artist:, title:, album:, genre:, tag:' },
];

/** What can be typed into the search, each to be tried with a press. */
export function SearchHelp({
  anchor,
  onTry,
  onClose,
}: {
  anchor: Element;
  onTry: (search: string) => void;
  onClose: () => void;
}) {
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className={styles['positioner']} anchor={anchor} align="end" sideOffset={8}>
          <Popover.Popup className={styles['popup']}>
            <Popover.Title className={styles['title']}>What the search understands</Popover.Title>
            <ul className={styles['list']}>
              {entries.map(({ example, means }) => (
                <li key={example}>
                  <button type="button" title={`Search for ${example}`} onClick={() => onTry(example)}>
                    <code>{example}</code>
                  </button>
                  <span>{means}</span>
                </li>
              ))}
            </ul>
            <Popover.Description className={styles['note']}>
              Parts stand side by side, and all of them must fit: <code>~key:8A ~bpm:124 -tag:live</code>.
              What it does not understand it looks for as words.
            </Popover.Description>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
