import type { ControlId } from '@stem-studio/contract/controls';
import { useRef } from 'react';
import { useSlider } from '../../../ui/use-slider.ts';
import { useControl } from '../dj-context.ts';
import styles from './effects.module.css';

/** Rotation to either side of the top, in degrees. */
const SWEEP_DEGREES = 135;
const RADIUS = 9;

/** A knob for a row of 26 px, with its letter inside of the dial's opening. */
export function EffectKnob({
  control: id,
  name,
  letter,
  text,
  className = '',
}: {
  control: ControlId;
  /** Accessible name, also shown in the tooltip. */
  name: string;
  letter: string;
  /** The value with its unit. */
  text: (value: number) => string;
  className?: string | undefined;
}) {
  const { control, value } = useControl(id);
  const dial = useRef<HTMLDivElement>(null);
  const turning = useSlider(dial, {
    name,
    text: text(value),
    value,
    range: control.range,
    onChange: control.set,
  });
  const angle = (2 * control.position() - 1) * SWEEP_DEGREES;
  return (
    <div
      ref={dial}
      className={`${styles['knob']} ${className}`}
      title={`${name}: ${text(value)}. Drag up or down, Shift: fine; double-click: reset`}
      {...turning}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path className={styles['track']} d={arc(SWEEP_DEGREES)} />
        {angle > -SWEEP_DEGREES && <path className={styles['value']} d={arc(angle)} />}
        <text x="12" y="15" textAnchor="middle">
          {letter}
        </text>
      </svg>
    </div>
  );
}

/** Returns an arc from the left end of the travel to an angle. */
function arc(to: number): string {
  const point = (degrees: number) => {
    const radians = ((degrees - 90) * Math.PI) / 180;
    return `${(12 + RADIUS * Math.cos(radians)).toFixed(2)} ${(12 + RADIUS * Math.sin(radians)).toFixed(2)}`;
  };
  return `M${point(-SWEEP_DEGREES)}A${RADIUS} ${RADIUS} 0 ${to + SWEEP_DEGREES > 180 ? 1 : 0} 1 ${point(to)}`;
}
