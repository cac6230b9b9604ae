import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { clockText } from '../../../base/format.ts';
import { ControlButton } from '../control-parts.tsx';
import { useDeck, useDjState } from '../dj-context.ts';
import styles from './deck-panel.module.css';

/** Pads by the number of their hot cue, with the keys that press them. */
const pads = [
  { number: 1, key: 'Z' },
  { number: 2, key: 'X' },
  { number: 3, key: 'C' },
  { number: 4, key: 'V' },
  { number: 5, key: 'B' },
  { number: 6, key: 'N' },
  { number: 7, key: 'M' },
  { number: 8, key: ',' },
] as const;

/**
 * Eight hot cue pads in the colours of their cues. A press sets an empty one or jumps to the cue, a stopped deck previews
 * while the pad is held; with Shift, or while CLEAR is on, a press clears it.
 */
export function HotCues({ deck }: { deck: DeckId }) {
  const cues = useDeck(deck, (state) => state.hot_cues);
  const isEmpty = useDeck(deck, (state) => state.track_id === null);
  const isClearing = useDjState((state) => state.isClearing[deck]);
  const letter = deck.toUpperCase();
  return (
    <div className={styles['pads']} role="group" aria-label={`Hot cues of deck ${letter}`}>
      {pads.map(({ number, key }) => {
        const cue = cues.find(({ slot }) => slot === number - 1);
        const control = `deck.${deck}.hot_cue_${number}` as const;
        const clear = `${control}_clear` as const;
        const label = cue && (cue.label || clockText(cue.position_ms / 1000));
        const name = !cue
          ? `Set hot cue ${number}, deck ${letter}`
          : isClearing
            ? `Clear hot cue ${number}, deck ${letter}: ${label}`
            : `Hot cue ${number}, deck ${letter}: ${label}; Shift clears`;
        return (
          <ControlButton
            key={control}
            control={isClearing ? clear : control}
            shift={cue && clear}
            name={name}
            hint={key}
            look="pad"
            isSymbol
            color={cue?.color}
            disabled={isEmpty || (isClearing && !cue)}
          >
            <span className={styles['slot']}>
              {number}
              <span>{cue ? clockText(cue.position_ms / 1000) : key}</span>
            </span>
            <span className={styles['cueName']}>
              {cue ? (isClearing ? '✕ ' : '') + (cue.label || 'Cue') : ' '}
            </span>
          </ControlButton>
        );
      })}
    </div>
  );
}
