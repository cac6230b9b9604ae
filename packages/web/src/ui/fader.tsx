import { useRef } from 'react';
import styles from './fader.module.css';
import { type SliderRange, travelOf } from './slider-range.ts';
import { useSlider } from './use-slider.ts';

/** A fader whose cap moves upwards or to the right. `text` is its value with its unit. */
export function Fader({
  name,
  value,
  range,
  text,
  axis = 'y',
  isFromRest = false,
  isDownMore = false,
  hint = '',
  onChange,
}: {
  /** Accessible name, also shown as tooltip. */
  name: string;
  value: number;
  range: SliderRange;
  text: string;
  axis?: 'x' | 'y';
  /** Whether the slot is filled from the rest position instead of from its start. */
  isFromRest?: boolean;
  /** Whether values increase downwards, as on the tempo faders of players. */
  isDownMore?: boolean;
  /** Keyboard shortcut, for the tooltip. */
  hint?: string;
  onChange: (value: number) => void;
}) {
  const slot = useRef<HTMLDivElement>(null);
  const travelPx = () => {
    const length = (axis === 'x' ? slot.current?.clientWidth : slot.current?.clientHeight) ?? 0;
    return (length - CAP_PX) * (isDownMore ? -1 : 1);
  };
  const turning = useSlider(slot, { name, text, value, range, onChange, travelPx, axis });
  const share = isDownMore ? 1 - travelOf(value, range) : travelOf(value, range);
  const rest = isDownMore ? 1 - travelOf(range.rest, range) : travelOf(range.rest, range);
  const from = isFromRest ? Math.min(share, rest) : 0;
  const to = isFromRest ? Math.max(share, rest) : share;
  return (
    <div
      ref={slot}
      className={styles['fader']}
      title={`${name}: ${text}${hint && ` (${hint})`}. Shift: fine; double-click: reset`}
      data-axis={axis}
      style={{
        ['--share' as string]: share,
        ['--from' as string]: from,
        ['--to' as string]: to,
        ['--rest' as string]: rest,
      }}
      {...turning}
    >
      <span className={styles['slot']} />
      {isFromRest && <span className={styles['rest']} />}
      <span className={styles['fill']} />
      <span className={styles['cap']} />
    </div>
  );
}

/** Length of the cap along the slot in pixels; the style sheet has the same. */
const CAP_PX = 20;
