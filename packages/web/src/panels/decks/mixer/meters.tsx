import { useRef } from 'react';
import { useBooth } from '../../../state/decks/dj-engine.ts';
import { useScope } from '../../../ui/use-scope.ts';
import { openMeters } from './level-meters.ts';
import styles from './mixer-panel.module.css';

/** Two bars with marks at their peaks: left and right. */
export function Meters({ name, levels }: { name: string; levels: () => readonly [number, number] }) {
  const booth = useBooth();
  const bars = useRef<HTMLDivElement>(null);
  const read = useRef(levels);
  useScope(
    (scope) => {
      if (bars.current) openMeters(scope, booth.round, bars.current, () => read.current());
    },
    [booth],
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
