import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type CSSProperties, useRef } from 'react';
import { clockText } from '../../base/format.ts';
import { fifthOf, pitchClassOf } from '../../canvas/circle-of-fifths.ts';
import { countUntil, type SongSpan } from '../../state/song-analysis.ts';
import { useScope } from '../../ui/use-scope.ts';
import styles from './chord-sheet.module.css';

/**
 * The chords of a song in lines, as wide as they last, for windows in which the chart has no space for their names. The
 * current chord is marked, and a press seeks to its start.
 */
export function ChordSheet({ chords, player }: { chords: readonly SongSpan[]; player: SongPlayer | null }) {
  const list = useRef<HTMLOListElement>(null);
  useScope(
    (scope) => {
      if (!player) return;
      const starts = chords.map(({ start }) => start);
      let shown = -1;
      scope.onAnimationFrame(() => {
        const current = countUntil(starts, player.positionSeconds()) - 1;
        if (current === shown) return;
        const items = list.current?.children;
        items?.[shown]?.removeAttribute('data-current');
        items?.[current]?.setAttribute('data-current', 'true');
        shown = current;
      });
    },
    [chords, player],
  );
  return (
    <ol ref={list} className={styles['sheet']} aria-label="Chord sheet">
      {chords.map(({ start, end, label }) => (
        <li key={start} className={styles['chord']} style={styleOf(label, end - start)}>
          <button type="button" disabled={!player} onClick={() => player?.seek(start)}>
            {label || '–'}
            <span className="visually-hidden"> at {clockText(start)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function styleOf(label: string, seconds: number): CSSProperties {
  const pitch = pitchClassOf(label);
  return {
    flexGrow: seconds,
    ...(pitch !== null && { '--chord': `var(--fifth-${fifthOf(pitch)})` }),
  } as CSSProperties;
}
