import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { EffectSlot } from './effect-slot.tsx';
import styles from './effects.module.css';

/** The two effects of a deck in one line. */
export function EffectRow({ deck }: { deck: DeckId }) {
  const letter = deck.toUpperCase();
  return (
    <div className={styles['row']} role="group" aria-label={`Effects of deck ${letter}`}>
      <EffectSlot at={`deck.${deck}.effect_1`} name={`Effect 1, deck ${letter}`} hint="J" deck={deck} />
      <EffectSlot
        at={`deck.${deck}.effect_2`}
        name={`Effect 2, deck ${letter}`}
        hint="Shift + J"
        deck={deck}
      />
    </div>
  );
}

/** The effect on the master in one line. */
export function MasterEffect() {
  return (
    <div className={styles['row']}>
      <EffectSlot at="mixer.effect" name="Master effect" hint="P" />
    </div>
  );
}
