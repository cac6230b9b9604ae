import { Scope } from '@stem-studio/audio/base/scope';
import { type ControlId, type ControlRange, controlRange } from '@stem-studio/contract/controls';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { controlValue } from '../../state/decks/control-value.ts';
import { useBooth } from '../../state/decks/dj-engine.ts';
import { setControl } from '../../state/decks/set-control.ts';
import { Fader } from '../../ui/fader.tsx';
import { Knob } from '../../ui/knob.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './control-parts.module.css';

const nowhere: ControlRange = { min: 0, max: 1, rest: 0, step: 0.05 };

interface Turned {
  control: ControlId;
  /** What it is called aloud and on hover. */
  name: string;
  /** Its value with its unit. */
  text: (value: number) => string;
  range?: ControlRange;
}

/** A knob that is a control of the decks. */
export function ControlKnob({
  control,
  name,
  label,
  text,
  isOff = false,
}: Turned & { label: string; isOff?: boolean }) {
  const booth = useBooth();
  const value = useStore(booth.decks.session, () => controlValue(booth, control));
  return (
    <Knob
      label={label}
      name={name}
      value={value}
      range={controlRange(control) ?? nowhere}
      text={text(value)}
      isOff={isOff}
      onTurn={(turned) => setControl(booth, control, turned)}
    />
  );
}

/** A fader that is a control of the decks. */
export function ControlFader({
  control,
  name,
  text,
  range = controlRange(control) ?? nowhere,
  ...look
}: Turned & { axis?: 'x' | 'y'; isFromRest?: boolean; isDownMore?: boolean; hint?: string }) {
  const booth = useBooth();
  const value = useStore(booth.decks.session, () => controlValue(booth, control));
  return (
    <Fader
      {...look}
      name={name}
      value={value}
      range={range}
      text={text(value)}
      onTurn={(turned) => setControl(booth, control, turned)}
    />
  );
}

/**
 * A button that is a control of the decks: it acts when it goes down, not when it comes up, and is held for as long as it
 * is. A click of the mouse leaves the focus where it was, so that the Space bar goes on to mean Play.
 */
export function ControlButton({
  control,
  clear,
  name,
  hint = '',
  isOn,
  look = 'plain',
  color,
  disabled = false,
  className = '',
  children,
}: {
  control: ControlId;
  /** Pressed instead with Shift. */
  clear?: ControlId | undefined;
  name: string;
  /** The key that does the same. */
  hint?: string;
  /** Whether what it switches is on; left out where it switches nothing. */
  isOn?: boolean | undefined;
  look?: 'plain' | 'round' | 'pad' | 'small';
  /** Lights it. */
  color?: string | undefined;
  disabled?: boolean;
  className?: string | undefined;
  children: ReactNode;
}) {
  const booth = useBooth();
  const held = useRef<{ control: ControlId; scope: Scope } | null>(null);
  const up = () => {
    const was = held.current;
    held.current = null;
    was?.scope.dispose();
    if (was) setControl(booth, was.control, 0);
  };
  const down = (isClearing: boolean) => {
    up();
    if (isClearing && clear) return setControl(booth, clear, 1);
    const scope = new Scope();
    // What is let go in another window is let go here.
    scope.listen(globalThis, 'blur', up);
    held.current = { control, scope };
    setControl(booth, control, 1);
  };
  useScope((scope) => {
    // What is held does not stay held when its button goes.
    scope.own(up);
  }, []);
  return (
    <button
      type="button"
      className={`${styles['button']} ${styles[look] ?? ''} ${className}`}
      aria-label={name}
      aria-pressed={isOn}
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
        // A press by a screen reader: no pointer and no key came before it.
        if (event.detail !== 0) return;
        down(false);
        up();
      }}
    >
      {children}
    </button>
  );
}
