import { beatLengths, type deckControls, hotCuePads } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { ReactNode } from 'react';
import { lengthText } from '../../../state/decks/dj-state.ts';
import { ControlButton } from '../control-parts.tsx';
import { useControl, useDeck } from '../dj-context.ts';
import styles from './loop-section.module.css';

/** Loop and beat jump controls of a deck. */
export function LoopSection({ deck }: { deck: DeckId }) {
  const hasLoop = useDeck(deck, (state) => state.loop !== null);
  const isFull = useDeck(deck, (state) => state.hot_cues.length >= hotCuePads);
  const isEmpty = useDeck(deck, (state) => state.track_id === null);
  const loopBeats = useBeatLength(deck, 'loop_length');
  const jumpBeats = useBeatLength(deck, 'jump_length');
  const letter = deck.toUpperCase();
  const at = <Name extends keyof typeof deckControls>(name: Name) => `deck.${deck}.${name}` as const;
  return (
    <div className={styles['loops']}>
      <div className={styles['line']} role="group" aria-label={`Loop of deck ${letter}`}>
        <ControlButton control={at('loop_in')} name={`Loop in, deck ${letter}`} hint="I" disabled={isEmpty}>
          IN
        </ControlButton>
        <ControlButton control={at('loop_out')} name={`Loop out, deck ${letter}`} hint="O" disabled={isEmpty}>
          OUT
        </ControlButton>
        <ControlButton
          control={at(hasLoop ? 'loop_toggle' : 'beat_loop')}
          shows={at('loop_toggle')}
          name={`Toggle loop, deck ${letter}`}
          hint="L"
          disabled={isEmpty}
        >
          LOOP
        </ControlButton>
        <ControlButton
          control={at('loop_save')}
          name={`Save loop to a pad, deck ${letter}`}
          hint={isFull ? 'no free pad' : ''}
          disabled={!hasLoop || isFull}
        >
          SAVE
        </ControlButton>
        <ControlButton
          control={at('loop_halve')}
          name={`Halve loop, deck ${letter}`}
          hint="["
          disabled={!hasLoop}
          isSymbol
        >
          ½×
        </ControlButton>
        <ControlButton
          control={at('loop_double')}
          name={`Double loop, deck ${letter}`}
          hint="]"
          disabled={!hasLoop}
          isSymbol
        >
          2×
        </ControlButton>
        <ControlButton
          control={at('loop_move_back')}
          name={`Move loop back, deck ${letter}`}
          disabled={!hasLoop}
          isSymbol
        >
          ◂
        </ControlButton>
        <ControlButton
          control={at('loop_move_forward')}
          name={`Move loop forward, deck ${letter}`}
          disabled={!hasLoop}
          isSymbol
        >
          ▸
        </ControlButton>
      </div>
      <div className={styles['line']}>
        <Length deck={deck} control="loop_length" name={`Loop length, deck ${letter}`}>
          <ControlButton
            control={at('beat_loop')}
            name={`Loop ${lengthText(loopBeats)} beats, deck ${letter}`}
            hint="K"
            disabled={isEmpty}
          >
            {lengthText(loopBeats)}
          </ControlButton>
        </Length>
        <ControlButton
          control={at('loop_roll')}
          name={`Roll ${lengthText(loopBeats)} beats while held, deck ${letter}`}
          hint="R"
          disabled={isEmpty}
        >
          ROLL
        </ControlButton>
        <ControlButton
          control={at('beat_jump_back')}
          name={`Jump ${lengthText(jumpBeats)} beats back, deck ${letter}`}
          hint="←"
          disabled={isEmpty}
          isSymbol
        >
          ◂◂
        </ControlButton>
        <Length deck={deck} control="jump_length" name={`Jump length, deck ${letter}`}>
          <output aria-label={`Jump length, deck ${letter}`}>{lengthText(jumpBeats)}</output>
        </Length>
        <ControlButton
          control={at('beat_jump_forward')}
          name={`Jump ${lengthText(jumpBeats)} beats forward, deck ${letter}`}
          hint="→"
          disabled={isEmpty}
          isSymbol
        >
          ▸▸
        </ControlButton>
      </div>
    </div>
  );
}

/** The length that is selected for loops or jumps, in beats. */
function useBeatLength(deck: DeckId, control: 'loop_length' | 'jump_length'): number {
  return beatLengths[useControl(`deck.${deck}.${control}`).value] ?? 4;
}

/** A length in beats with the buttons that halve and double it. */
function Length({
  deck,
  control,
  name,
  children,
}: {
  deck: DeckId;
  control: 'loop_length' | 'jump_length';
  name: string;
  /** Shown between the buttons. */
  children: ReactNode;
}) {
  const { control: length, value: index } = useControl(`deck.${deck}.${control}`);
  return (
    <span className={styles['length']} role="group" aria-label={name}>
      <button
        type="button"
        aria-label={`Half: ${name}`}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => length.set(index - 1)}
      >
        −
      </button>
      {children}
      <button
        type="button"
        aria-label={`Double: ${name}`}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => length.set(index + 1)}
      >
        +
      </button>
    </span>
  );
}
