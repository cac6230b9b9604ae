import { Scope } from '@stem-studio/audio/base/scope';
import { type ControlId, controlSpecs } from '@stem-studio/contract/controls';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { type Control, pressControl, releaseControl } from '../../state/controls/control.ts';
import { Fader } from '../../ui/fader.tsx';
import { Knob } from '../../ui/knob.tsx';
import { useScope } from '../../ui/use-scope.ts';
import styles from './control-parts.module.css';
import { useControl, useDjEngine } from './dj-context.ts';

interface ContinuousProps {
  /** Address of a continuous control. */
  control: ControlId;
  /** Accessible name, also shown in the tooltip. */
  name: string;
  /** The value with its unit. */
  text: (value: number) => string;
}

/** A knob for a continuous control. */
export function ControlKnob({
  control: id,
  name,
  label,
  text,
  isOff = false,
}: ContinuousProps & { label: string; isOff?: boolean }) {
  const { control, value } = useControl(id);
  return (
    <Knob
      label={label}
      name={name}
      value={value}
      range={control.range}
      text={text(value)}
      isOff={isOff}
      onChange={control.set}
    />
  );
}

/** A fader for a continuous control; its slot covers the travel of the control at the time of rendering. */
export function ControlFader({
  control: id,
  name,
  text,
  ...look
}: ContinuousProps & { axis?: 'x' | 'y'; isFromRest?: boolean; isDownMore?: boolean; hint?: string }) {
  const { control, value } = useControl(id);
  return (
    <Fader
      {...look}
      name={name}
      value={value}
      range={{ ...control.range, ...control.travel() }}
      text={text(value)}
      onChange={control.set}
    />
  );
}

/**
 * Returns the value of `aria-pressed` for a control: whether it is on or lit; undefined for buttons that have no
 * light.
 */
function usePressed(id: ControlId): boolean | undefined {
  const { value } = useControl(id);
  const spec = controlSpecs[id];
  return spec.kind === 'button' && spec.lit === null ? undefined : value > 0;
}

/**
 * A button for a toggle or button control. It acts on pointer down, and a button control is held until pointer up. A
 * mouse click does not move the focus, so that Space still means Play.
 */
export function ControlButton({
  control,
  shift,
  shows = control,
  name,
  hint = '',
  look = 'plain',
  color,
  disabled = false,
  className = '',
  isSymbol = false,
  children,
}: {
  control: ControlId;
  /** Pressed instead while Shift is held. */
  shift?: ControlId | undefined;
  /** The control whose value `aria-pressed` shows. */
  shows?: ControlId;
  name: string;
  /** The key that does the same. */
  hint?: string;
  look?: 'plain' | 'round' | 'pad' | 'small';
  /** Lights the button in this colour. */
  color?: string | undefined;
  disabled?: boolean;
  className?: string | undefined;
  /** Whether it shows symbols, an abbreviation or a readout instead of its name; they are not read out. */
  isSymbol?: boolean;
  children: ReactNode;
}) {
  const { controls } = useDjEngine();
  const isPressed = usePressed(shows);
  const held = useRef<{ control: Control; scope: Scope } | null>(null);
  const up = () => {
    const released = held.current;
    held.current = null;
    released?.scope.dispose();
    if (released) releaseControl(released.control);
  };
  const down = (isShifted: boolean) => {
    up();
    const pressed = controls[isShifted && shift ? shift : control];
    const scope = new Scope();
    // A release outside of this window is not reported to it.
    scope.listen(globalThis, 'blur', up);
    held.current = { control: pressed, scope };
    pressControl(pressed);
  };
  useScope((scope) => {
    // A held button must not stay held after it is unmounted.
    scope.own(up);
  }, []);
  return (
    <button
      type="button"
      className={`${styles['button']} ${styles[look] ?? ''} ${className}`}
      aria-label={isSymbol ? undefined : name}
      aria-pressed={look === 'pad' ? undefined : isPressed}
      title={hint === '' ? name : `${name} (${hint})`}
      disabled={disabled}
      data-lit={color !== undefined}
      style={color === undefined ? undefined : { ['--lit' as string]: color }}
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event: PointerEvent) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        down(event.shiftKey);
      }}
      onPointerUp={up}
      onPointerCancel={up}
      onLostPointerCapture={up}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        if (!event.repeat) down(event.shiftKey);
      }}
      onKeyUp={(event: KeyboardEvent) => {
        if (event.key === 'Enter' || event.key === ' ') up();
      }}
      onBlur={up}
      onClick={(event) => {
        // Assistive technology clicks without a pointer or a key.
        if (event.detail !== 0) return;
        down(false);
        up();
      }}
    >
      {isSymbol ? (
        <>
          <span className="visually-hidden">{name}</span>
          <span className={styles['symbol']} aria-hidden="true">
            {children}
          </span>
        </>
      ) : (
        children
      )}
    </button>
  );
}
