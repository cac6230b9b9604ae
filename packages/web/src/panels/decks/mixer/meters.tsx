import { useRef } from 'react';
import { useScope } from '../../../ui/use-scope.ts';
import { useDjEngine } from '../dj-context.ts';
import { openMeters } from './level-meters.ts';
import styles from './mixer-panel.module.css';

/** Stereo level meter. */
export function Meters({ name, levels }: { name: string; levels: () => readonly [number, number] }) {
  const engine = useDjEngine();
  const bars = useRef<HTMLDivElement>(null);
  const read = useRef(levels);
  useScope(
    (scope) => {
      if (bars.current) openMeters(scope, engine.animation, bars.current, () => read.current());
    },
    [engine],
  );
  return (
    <div ref={bars} className={styles['meters']} role="img" aria-label={name} title={name}>
      <span>
        <span className={styles['bar']} />
        <span className={styles['mark']} />
      </span>
      <span>
        <span className={styles['bar']} />
        <span className={styles['mark']} />
      </span>
    </div>
  );
}
