import { useState } from 'react';
import type { DebugLine } from '../../state/decks/dj-engine.ts';
import { useScope } from '../../ui/use-scope.ts';
import { useDjEngine } from './dj-context.ts';
import styles from './dj-panel.module.css';

const MOST_LINES = 200;

/** Debug log of the deck session; the service sends it only while this panel is open. */
export function DebugPanel() {
  const engine = useDjEngine();
  const [lines, setLines] = useState<readonly { id: number; line: DebugLine }[]>([]);
  useScope(
    (scope) => {
      let id = 0;
      engine.followDebugLog(scope, (line) => {
        id++;
        const entry = { id, line };
        setLines((before) => [entry, ...before].slice(0, MOST_LINES));
      });
    },
    [engine],
  );
  return (
    <div className={styles['debug']} role="log" aria-label="Debug log of the decks">
      {lines.length === 0 && <p>No events yet</p>}
      {lines.map(({ id, line }) => (
        <p key={id} data-refused={!line.accepted}>
          <time>{new Date(line.at).toISOString().slice(11, 23)}</time>
          <span>v{line.version}</span>
          <strong>{line.event}</strong>
          <span>{line.deck?.toUpperCase() ?? ''}</span>
          <span>{line.accepted ? '' : 'refused'}</span>
          <span>{line.detail}</span>
        </p>
      ))}
    </div>
  );
}
