import { Popover } from '@base-ui/react/popover';
import { beatLengths, type stemControls } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckStem } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { stemName } from '../../../base/stem-color.ts';
import { lengthText } from '../../../state/decks/dj-state.ts';
import { stemLoopLength } from '../../../state/decks/stem-loop-length.ts';
import controlStyles from '../control-parts.module.css';
import { ControlButton } from '../control-parts.tsx';
import { useControl, useDeck, useDjEngine, useDjState, useLocalDeck } from '../dj-context.ts';
import { usePopupPosition } from '../lower/use-popup-position.ts';
import popupStyles from '../popup.module.css';
import styles from './stem-loop.module.css';

/** Length of a stem's loop, in beats: see {@link stemLoopLength}. */
export function useStemLoopLength(deck: DeckId, stem_type: StemType): number {
  const engine = useDjEngine();
  // Subscribes to everything that the length depends on.
  useDeck(deck, (state) => state.stems);
  useDeck(deck, (state) => state.track_bpm);
  useLocalDeck(deck, (local) => local.grid);
  useDjState((state) => state.stemLoopBeats);
  return stemLoopLength(engine, deck, stem_type);
}

/** Length of a stem's loop, on a button that opens the controls of the loop. */
export function StemLoop({ deck, stem }: { deck: DeckId; stem: DeckStem }) {
  const { stem_type, loop } = stem;
  const at = <Name extends keyof typeof stemControls>(name: Name) =>
    `deck.${deck}.stem.${stem_type}.${name}` as const;
  const length = useStemLoopLength(deck, stem_type);
  const { control: lengthControl } = useControl(at('loop_length'));
  const isBegun = useLocalDeck(deck, (local) => local.stemLoopIns[stem_type] !== undefined);
  const name = `${stemName(stem_type)}, deck ${deck.toUpperCase()}`;
  const popup = usePopupPosition(deck);
  return (
    <Popover.Root>
      <Popover.Trigger
        className={`${controlStyles['button']} ${controlStyles['small']} ${styles['trigger']}`}
        aria-label={`Loop of ${name}: ${lengthText(length)} beats`}
        title="Loop of this stem"
      >
        {lengthText(length)}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={popupStyles['positioner']} align="end" sideOffset={4} {...popup}>
          <Popover.Popup className={`${popupStyles['popup']} ${styles['popup']}`} data-deck={deck}>
            <Popover.Title className={popupStyles['title']}>Loop of {name}</Popover.Title>
            <div className={styles['lengths']} role="group" aria-label={`Beats in the loop of ${name}`}>
              {beatLengths.map((beats, index) => (
                <button
                  key={beats}
                  type="button"
                  className={controlStyles['button']}
                  aria-label={`${lengthText(beats)} beats`}
                  aria-pressed={beats === length}
                  onClick={() => lengthControl.set(index)}
                >
                  {lengthText(beats)}
                </button>
              ))}
            </div>
            <div className={styles['line']}>
              <ControlButton control={at('loop_in')} name={`Loop in, ${name}`}>
                IN
              </ControlButton>
              <ControlButton
                control={at('loop_out')}
                name={`Loop out, ${name}`}
                disabled={!isBegun && loop === null}
              >
                OUT
              </ControlButton>
              <ControlButton
                control={at(loop ? 'loop_toggle' : 'loop')}
                name={`Toggle loop, ${name}`}
                shows={at('loop_toggle')}
              >
                LOOP
              </ControlButton>
              <ControlButton
                control={at('loop_halve')}
                name={`Halve loop, ${name}`}
                disabled={!loop}
                isSymbol
              >
                ½×
              </ControlButton>
              <ControlButton
                control={at('loop_double')}
                name={`Double loop, ${name}`}
                disabled={!loop}
                isSymbol
              >
                2×
              </ControlButton>
              <ControlButton
                control={at('loop_move_back')}
                name={`Move loop back, ${name}`}
                disabled={!loop}
                isSymbol
              >
                ◂
              </ControlButton>
              <ControlButton
                control={at('loop_move_forward')}
                name={`Move loop forward, ${name}`}
                disabled={!loop}
                isSymbol
              >
                ▸
              </ControlButton>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
