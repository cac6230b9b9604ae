import { useRef } from 'react';
import styles from './knob.module.css';
import { knobPositionOf, type SliderRange } from './slider-range.ts';
import { useSlider } from './use-slider.ts';

/** Rotation of a knob to either side, in degrees from the top. */
const SWEEP_DEGREES = 135;
const RADIUS = 15;

/** A knob operated by drag, wheel and keys. `text` is its value with its unit. */
export function Knob({
  label,
  name,
  value,
  range,
  text,
  isOff = false,
  isSmall = false,
  note = '',
  noteAbout = '',
  onChange,
}: {
  /** Label below the knob. */
  label: string;
  /** Accessible name, also shown as tooltip. */
  name: string;
  value: number;
  range: SliderRange;
  text: string;
  /** Whether it has no effect at the moment, such as the band of an active kill. */
  isOff?: boolean;
  /** Whether it is drawn for a dense row. */
  isSmall?: boolean;
  /** Short text in its corner. */
  note?: string;
  /** What the note says in full, for tooltip and screen readers. */
  noteAbout?: string;
  onChange: (value: number) => void;
}) {
  const dial = useRef<HTMLDivElement>(null);
  const fullText = noteAbout === '' ? text : `${text}. ${noteAbout}`;
  const turning = useSlider(dial, { name, text: fullText, value, range, onChange });
  const angle = knobPositionOf(value, range) * SWEEP_DEGREES;
  const rest = knobPositionOf(range.rest, range) * SWEEP_DEGREES;
  return (
    <div
      ref={dial}
      className={styles['knob']}
      title={`${name}: ${fullText}. Drag up or down, Shift: fine; double-click: reset`}
      data-off={isOff}
      data-small={isSmall}
      {...turning}
    >
      <svg viewBox="0 0 40 40" aria-hidden="true" focusable="false">
        <path className={styles['track']} d={arc(-SWEEP_DEGREES, SWEEP_DEGREES)} />
        {Math.abs(angle - rest) > 0.5 && (
          <path className={styles['value']} d={arc(Math.min(angle, rest), Math.max(angle, rest))} />
        )}
        <circle className={styles['cap']} cx="20" cy="20" r="10.5" />
        <line
          className={styles['mark']}
          x1="20"
          y1="18"
          x2="20"
          y2="10.5"
          transform={`rotate(${angle.toFixed(1)} 20 20)`}
        />
      </svg>
      <span className={styles['label']} aria-hidden="true">
        {label}
      </span>
      {note !== '' && (
        <span className={styles['note']} aria-hidden="true">
          {note}
        </span>
      )}
      <span className={styles['text']} aria-hidden="true">
        {text}
      </span>
    </div>
  );
}

function arc(from: number, to: number): string {
  const point = (degrees: number) => {
    const radians = ((degrees - 90) * Math.PI) / 180;
    return `${(20 + RADIUS * Math.cos(radians)).toFixed(2)} ${(20 + RADIUS * Math.sin(radians)).toFixed(2)}`;
  };
  return `M${point(from)}A${RADIUS} ${RADIUS} 0 ${to - from > 180 ? 1 : 0} 1 ${point(to)}`;
}
