import { useRef } from 'react';
import { useScope } from '../../../ui/use-scope.ts';
import { useDjEngine } from '../dj-context.ts';
import styles from './limiter-light.module.css';

/** Time for which the light stays on, in ms, so that a short reduction is seen. */
const HOLD_MS = 400;
/** Gain above which the limiter counts as idle: −0.1 dB, too little to notice. */
const IDLE_GAIN = 10 ** (-0.1 / 20);

/** Light that is on while the limiter of the master reduces the level. */
export function LimiterLight() {
  const engine = useDjEngine();
  const light = useRef<HTMLSpanElement>(null);
  useScope(
    (scope) => {
      let litUntil = 0;
      let shown = false;
      engine.animation.add(scope, (timeMs) => {
        const element = light.current;
        if (!element) return false;
        if (engine.decks.limiterGain() < IDLE_GAIN) litUntil = timeMs + HOLD_MS;
        const isLit = timeMs < litUntil;
        if (isLit === shown) return false;
        shown = isLit;
        element.dataset['lit'] = String(isLit);
        element.ariaLabel = isLit ? 'Limiter active' : 'Limiter idle';
        return true;
      });
    },
    [engine],
  );
  return (
    <span
      ref={light}
      className={styles['limiter']}
      role="img"
      aria-label="Limiter idle"
      title="Limiter: lit while it reduces the level of the master"
      data-lit="false"
    />
  );
}
