import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { Ref } from 'react';
import { djArrangement, showNextClock } from '../../../state/decks/dj-layout.state.ts';
import { useStore } from '../../../ui/use-store.ts';
import styles from './deck-head.module.css';

/** Elements of a deck's clock, which are written in each animation frame. */
export interface ClockRefs {
  readonly remaining: Ref<HTMLSpanElement>;
  readonly elapsed: Ref<HTMLSpanElement>;
  readonly smpte: Ref<HTMLSpanElement>;
  readonly bars: Ref<HTMLSpanElement>;
}

/** Clock of a deck: the time left, and below it the elapsed time; a press shows timecode, then bars. */
export function DeckClock({ deck, remaining, elapsed, smpte, bars }: ClockRefs & { deck: DeckId }) {
  const clock = useStore(djArrangement, (arrangement) => arrangement.clock);
  return (
    <button type="button" className={styles['clock']} onClick={showNextClock}>
      <span className="visually-hidden">Clock of deck {deck.toUpperCase()}, time left </span>
      <span ref={remaining} className={styles['remaining']} title="Time left at this tempo">
        −0:00
      </span>
      <span ref={elapsed} className={styles['second']} title="Elapsed time" hidden={clock !== 'elapsed'}>
        0:00
      </span>
      <span
        ref={smpte}
        className={styles['second']}
        title="Hours, minutes, seconds, frames"
        hidden={clock !== 'timecode'}
      >
        --:--:--:--
      </span>
      <span ref={bars} className={styles['second']} title="Bar, beat, tick" hidden={clock !== 'bars'}>
        -.-.---
      </span>
    </button>
  );
}
