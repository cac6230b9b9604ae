import { tempoRangeHolding } from '@stem-studio/contract/decks/deck-tempo';
import { followsOther } from '@stem-studio/contract/decks/settle-lead';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { tempoRanges } from '@stem-studio/contract/resources/deck-session';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton, ControlFader } from '../control-parts.tsx';
import { useControl, useDjEngine } from '../dj-context.ts';
import { signed } from '../labels.ts';
import styles from './platter.module.css';

/** Tempo fader with its range, and the nudge buttons. */
export function TempoColumn({ deck }: { deck: DeckId }) {
  const engine = useDjEngine();
  // Read here, so that the fader below is rendered again when its travel changes.
  const { control: range, value: rangeIndex } = useControl(`deck.${deck}.tempo_range`);
  const reach = tempoRanges[rangeIndex] ?? tempoRanges[0];
  const letter = deck.toUpperCase();
  const wanted = tempoRanges[(tempoRanges.indexOf(reach) + 1) % tempoRanges.length] ?? 8;
  const next = tempoRangeHolding(useControl(`deck.${deck}.tempo`).value, wanted);
  const isFollowing = useStore(engine.decks.session, (session) => followsOther(session, deck));
  return (
    <div className={styles['tempo']}>
      <button
        type="button"
        className={styles['range']}
        aria-label={`Tempo range ±${reach} %, deck ${letter}`}
        title={
          next === reach
            ? `Range ±${reach} %, required by this tempo`
            : `Range ±${reach} %; click for ±${next} %`
        }
        disabled={next === reach}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => range.set(tempoRanges.indexOf(next))}
      >
        ±{reach}
      </button>
      <ControlFader
        control={`deck.${deck}.tempo`}
        name={`Tempo of deck ${letter}`}
        text={(percent) => `${signed(percent, 2)} %`}
        hint={isFollowing ? `−, =; deck ${deck === 'a' ? 'B' : 'A'} follows` : '−, ='}
        isFromRest
        isDownMore
      />
      <div className={styles['nudge']}>
        <ControlButton
          control={`deck.${deck}.nudge_back`}
          name={`Nudge back deck ${letter}`}
          hint="D"
          look="small"
        >
          −
        </ControlButton>
        <ControlButton
          control={`deck.${deck}.nudge_forward`}
          name={`Nudge forward deck ${letter}`}
          hint="F"
          look="small"
        >
          +
        </ControlButton>
      </div>
    </div>
  );
}
