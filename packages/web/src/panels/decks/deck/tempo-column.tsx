import { tempoRangeHolding } from '@stem-studio/contract/decks/deck-tempo';
import { followsOther } from '@stem-studio/contract/decks/settle-lead';
import { type DeckId, tempoRanges } from '@stem-studio/contract/resources/deck-session';
import { useBooth, useDeck } from '../../../state/decks/dj-engine.ts';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton, ControlFader } from '../control-parts.tsx';
import { signed } from '../labels.ts';
import styles from './platter.module.css';

/** The tempo fader with its range, and the buttons that push a deck on or hold it back. */
export function TempoColumn({ deck }: { deck: DeckId }) {
  const booth = useBooth();
  const reach = useDeck(deck, (state) => state.tempo_range);
  const letter = deck.toUpperCase();
  const wanted = tempoRanges[(tempoRanges.indexOf(reach) + 1) % tempoRanges.length] ?? 8;
  const next = useDeck(deck, (state) => tempoRangeHolding(state.tempo_percent, wanted));
  const isFollowing = useStore(booth.decks.session, (session) => followsOther(session, deck));
  return (
    <div className={styles['tempo']}>
      <button
        type="button"
        className={styles['range']}
        aria-label={`Tempo range ±${reach} %, deck ${letter}`}
        title={
          next === reach
            ? `The fader reaches ±${reach} %, which this tempo needs`
            : `The fader reaches ±${reach} %; press for ±${next} %`
        }
        disabled={next === reach}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => booth.decks.dispatch({ event: 'set_deck', deck, changes: { tempo_range: next } })}
      >
        ±{reach}
      </button>
      <ControlFader
        control={`deck.${deck}.tempo`}
        name={`Tempo of deck ${letter}`}
        text={(percent) => `${signed(percent, 2)} %`}
        range={{ min: -reach, max: reach, rest: 0, step: 0.1 }}
        hint={isFollowing ? `−, =; deck ${deck === 'a' ? 'B' : 'A'} goes along` : '−, ='}
        isFromRest
        isDownMore
      />
      <div className={styles['nudge']}>
        <ControlButton
          control={`deck.${deck}.nudge_back`}
          name={`Hold back deck ${letter}`}
          hint="D"
          look="small"
        >
          −
        </ControlButton>
        <ControlButton
          control={`deck.${deck}.nudge_forward`}
          name={`Push deck ${letter}`}
          hint="F"
          look="small"
        >
          +
        </ControlButton>
      </div>
    </div>
  );
}
