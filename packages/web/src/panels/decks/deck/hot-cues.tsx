import { type ControlId, hotCuePads } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import { useDeck, useDjState } from '../../../state/decks/dj-engine.ts';
import { clockText } from '../../../ui/format.ts';
import { ControlButton } from '../control-parts.tsx';
import styles from './deck-panel.module.css';

const padKeys = ['Z', 'X', 'C', 'V', 'B', 'N', 'M', ','] as const;

/**
 * Eight pads, lit in the colours of their cues: press to set or to jump, hold on a deck that stands to hear it from there;
 * with Shift, or while CLEAR is on, a press empties them.
 */
export function HotCues({ deck }: { deck: DeckId }) {
  const cues = useDeck(deck, (state) => state.hot_cues);
  const isEmpty = useDeck(deck, (state) => state.track_id === null);
  const isClearing = useDjState((state) => state.isClearing[deck]);
  const letter = deck.toUpperCase();
  return (
    <div className={styles['pads']} role="group" aria-label={`Hot cues of deck ${letter}`}>
      {Array.from({ length: hotCuePads }, (_, slot) => {
        const cue = cues.find((one) => one.slot === slot);
        const control = `deck.${deck}.hot_cue_${slot + 1}` as ControlId;
        const label = cue && (cue.label || clockText(cue.position_ms / 1000));
        const name = !cue
          ? `Set hot cue ${slot + 1}, deck ${letter}`
          : isClearing
            ? `Clear hot cue ${slot + 1}, deck ${letter}: ${label}`
            : `Hot cue ${slot + 1}, deck ${letter}: ${label}; with Shift clear`;
        return (
          <ControlButton
            key={control}
            control={isClearing ? (`${control}_clear` as ControlId) : control}
            clear={cue && (`${control}_clear` as ControlId)}
            name={name}
            hint={padKeys[slot] ?? ''}
            look="pad"
            color={cue?.color}
            disabled={isEmpty || (isClearing && !cue)}
          >
            <span className={styles['slot']}>
              {slot + 1}
              <span>{cue ? clockText(cue.position_ms / 1000) : padKeys[slot]}</span>
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
