import { Popover } from '@base-ui/react/popover';
import styles from './search-help.module.css';

const entries: readonly { readonly example: string; readonly means: string }[] = [
  { example: 'night drive', means: 'both terms, in title, artist, album or tags' },
  { example: '"night drive"', means: 'exact phrase' },
  { example: '-live', means: 'excludes a term' },
  { example: 'bpm:124', means: 'tempo; also bpm:120-128 or bpm:>120' },
  { example: '~bpm:124', means: 'tempo within ± 8 %, also half and double tempo' },
  { example: 'key:Am', means: 'key; also key:8A or key:"A minor"' },
  { example: '~key:8A', means: 'compatible keys: same, relative, one step on the Camelot wheel' },
  { example: 'artist:"The Foresters"', means: 'by field: artist:, title:, album:, genre:, tag:, comment:' },
  { example: 'year:1990-1999 rating:>=4', means: 'year and rating; also plays:0' },
  { example: 'added:7d stems:no', means: 'added in the last 7 days, without stems; also played:never' },
];

/** The search syntax; pressing an example searches for it. */
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
            <Popover.Title className={styles['title']}>Search help</Popover.Title>
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
              All terms must match: <code>~key:8A ~bpm:124 -tag:live</code>. Unknown terms are searched as
              text.
            </Popover.Description>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
