import { Popover } from '@base-ui/react/popover';
import { effectBeats, effectSpecs, effectTypes } from '@stem-studio/contract/decks/effects';
import controlStyles from '../control-parts.module.css';
import { ControlButton, ControlFader } from '../control-parts.tsx';
import { useControl } from '../dj-context.ts';
import { percentText } from '../labels.ts';
import popupStyles from '../popup.module.css';
import type { EffectAddress } from './effect-address.ts';
import { beatsText, fractionText, parameterText, wetText } from './effect-text.ts';
import styles from './effects.module.css';

const parameterNames = ['parameter_1', 'parameter_2', 'parameter_3', 'parameter_4'] as const;

/** All settings of a slot: type, macro, mix, time and the parameters of the type. */
export function EffectDetails({ at, name }: { at: EffectAddress; name: string }) {
  const { control: type, value } = useControl(`${at}.type`);
  const spec = effectSpecs[effectTypes[value] ?? 'echo'];
  return (
    <>
      <Popover.Title className={popupStyles['title']}>{name}</Popover.Title>
      <div className={styles['types']} role="group" aria-label={`Type of ${name}`}>
        {effectTypes.map((one, index) => (
          <button
            key={one}
            type="button"
            className={controlStyles['button']}
            aria-pressed={index === value}
            title={effectSpecs[one].about}
            onClick={() => type.set(index)}
          >
            {effectSpecs[one].label}
          </button>
        ))}
      </div>
      <div className={styles['details']}>
        <Line label="Macro" text={percentText} control={`${at}.macro`} name={`Macro knob of ${name}`} />
        <Line label="Dry/wet" text={wetText} control={`${at}.wet`} name={`Mix of ${name}`} />
        {spec.time !== null && <Time at={at} name={name} about={spec.time} />}
        {spec.parameters.map((parameter, index) => (
          <Line
            key={parameter.name}
            label={parameter.name}
            control={`${at}.${parameterNames[index] ?? 'parameter_1'}`}
            name={`${parameter.name} of ${name}`}
            text={(position) => parameterText(parameter, position)}
          />
        ))}
        {at !== 'mixer.effect' && (
          <div className={styles['line']}>
            <span>Position</span>
            <ControlButton control={`${at}.post_fader`} name={`Post-fader: ${name}`} look="small">
              POST-FADER
            </ControlButton>
          </div>
        )}
      </div>
    </>
  );
}

/** A setting on a fader with its name and value. */
function Line({
  label,
  control,
  name,
  text,
}: {
  label: string;
  control: Parameters<typeof ControlFader>[0]['control'];
  name: string;
  text: (value: number) => string;
}) {
  const { value } = useControl(control);
  return (
    <div className={styles['line']}>
      <span>{label}</span>
      <ControlFader control={control} name={name} text={text} axis="x" />
      <output>{text(value)}</output>
    </div>
  );
}

/** The time of the effect: in beats, or in ms. */
function Time({ at, name, about }: { at: EffectAddress; name: string; about: string }) {
  const { control: time, value: index } = useControl(`${at}.time`);
  const isSynced = useControl(`${at}.beat_sync`).value > 0;
  return (
    <>
      <div className={styles['line']} title={about}>
        <span>Time</span>
        <ControlButton control={`${at}.beat_sync`} name={`Beat sync: ${name}`} look="small">
          BEATS
        </ControlButton>
        <output>{isSynced ? beatsText(index) : ''}</output>
      </div>
      {isSynced ? (
        <div className={styles['beats']} role="group" aria-label={`Beats of ${name}`}>
          {effectBeats.map((beats, at) => (
            <button
              key={beats}
              type="button"
              className={controlStyles['button']}
              aria-label={beatsText(at)}
              aria-pressed={at === index}
              onClick={() => time.set(at)}
            >
              {fractionText(beats)}
            </button>
          ))}
        </div>
      ) : (
        <Line
          label="Length"
          control={`${at}.time_ms`}
          name={`Time of ${name} in ms`}
          text={(ms) => `${Math.round(ms)} ms`}
        />
      )}
    </>
  );
}
