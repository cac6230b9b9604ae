import { Popover } from '@base-ui/react/popover';
import { effectSpecs, effectTypes } from '@stem-studio/contract/decks/effects';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { Icon } from '../../../ui/icon.tsx';
import controlStyles from '../control-parts.module.css';
import { ControlButton } from '../control-parts.tsx';
import { useControl } from '../dj-context.ts';
import { percentText } from '../labels.ts';
import { usePopupPosition } from '../lower/use-popup-position.ts';
import popupStyles from '../popup.module.css';
import type { EffectAddress } from './effect-address.ts';
import { EffectDetails } from './effect-details.tsx';
import { EffectKnob } from './effect-knob.tsx';
import { wetText } from './effect-text.ts';
import styles from './effects.module.css';

/** A slot in one line: its effect as the switch, the details, macro and mix. */
export function EffectSlot({
  at,
  name,
  hint,
  deck,
}: {
  at: EffectAddress;
  /** Name of the slot, such as `Effect 1, deck A`. */
  name: string;
  /** Key that switches it. */
  hint: string;
  /** Deck whose colour the details have. */
  deck?: DeckId;
}) {
  const { label } = effectSpecs[effectTypes[useControl(`${at}.type`).value] ?? 'echo'];
  const popup = usePopupPosition(deck);
  return (
    <div className={styles['slot']} role="group" aria-label={name}>
      <ControlButton
        control={`${at}.on`}
        name={`${name}: ${label}`}
        hint={hint}
        look="small"
        className={styles['on']}
      >
        <span className={styles['type']}>{label}</span>
      </ControlButton>
      <Popover.Root>
        <Popover.Trigger
          className={`${controlStyles['button']} ${controlStyles['small']} ${styles['open']}`}
          aria-label={`Settings of ${name}`}
          title={`Settings of ${name}`}
        >
          <Icon name="expand" size={16} />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner
            className={popupStyles['positioner']}
            side="top"
            align="start"
            sideOffset={4}
            {...popup}
          >
            <Popover.Popup className={`${popupStyles['popup']} ${styles['popup']}`} data-deck={deck}>
              <EffectDetails at={at} name={name} />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      <EffectKnob control={`${at}.macro`} name={`Macro of ${name}`} letter="M" text={percentText} />
      <EffectKnob
        control={`${at}.wet`}
        name={`Dry/wet of ${name}`}
        letter="W"
        text={wetText}
        className={styles['wet']}
      />
    </div>
  );
}
