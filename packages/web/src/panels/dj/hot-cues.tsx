import { type ControlId, hotCuePads } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import { clockText } from '../../ui/format.ts';
import { ControlButton } from './control-parts.tsx';
import styles from './deck-panel.module.css';
import { useDeck } from './dj-booth.ts';

const padKeys = ['Z', 'X', 'C', 'V', 'B', 'N', 'M', ','] as const;

/** Eight pads, lit in the colours of their cues: press to set or to jump, with Shift or a long press to clear. */
export function HotCues({ deck }: { deck: DeckId }) {
  const cues = useDeck(deck, (state) => state.hot_cues);
  const isEmpty = useDeck(deck, (state) => state.track_id === null);
  const letter = deck.toUpperCase();
  return (
    <div className={styles['pads']} role="group" aria-label={`Hot cues of deck ${letter}`}>
      {Array.from({ length: hotCuePads }, (_, slot) => {
        const cue = cues.find((one) => one.slot === slot);
        const control = `deck.${deck}.hot_cue_${slot + 1}` as ControlId;
        const name = cue
          ? `Hot cue ${slot + 1}, deck ${letter}: ${cue.label || clockText(cue.position_ms / 1000)}; with Shift clear`
          : `Set hot cue ${slot + 1}, deck ${letter}`;
        return (
          <ControlButton
            key={control}
            control={control}
            clear={cue && (`${control}_clear` as ControlId)}
            name={name}
            hint={padKeys[slot] ?? ''}
            look="pad"
            color={cue?.color}
            disabled={isEmpty}
          >
            <span className={styles['slot']}>
              {slot + 1}
              <span>{cue ? clockText(cue.position_ms / 1000) : padKeys[slot]}</span>
            </span>
            <span className={styles['cueName']}>{cue ? cue.label || 'Cue' : ' '}</span>
          </ControlButton>
        );
      })}
    </div>
  );
}
