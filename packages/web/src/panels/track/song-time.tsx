import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { useRef, useState } from 'react';
import { clockText, countText } from '../../base/format.ts';
import { barBeatAt } from '../../state/song-analysis.ts';
import { useScope } from '../../ui/use-scope.ts';
import { followText } from './playhead.ts';
import styles from './transport.module.css';

/** Position and length of the song; a press switches between time and bars. */
export function SongTime({
  player,
  durationSeconds,
  beats,
  downbeats,
}: {
  player: SongPlayer;
  durationSeconds: number;
  beats: readonly number[];
  downbeats: readonly number[];
}) {
  const [prefersBars, setPrefersBars] = useState(false);
  const showsBars = prefersBars && downbeats.length > 0;
  const now = useRef<HTMLSpanElement>(null);
  useScope(
    (scope) => {
      if (!now.current) return;
      followText(scope, player, now.current, (seconds) => {
        if (!showsBars) return clockText(seconds);
        const found = barBeatAt(beats, downbeats, seconds);
        return found ? `${found.bar}.${found.beat}` : '0.0';
      });
    },
    [player, showsBars, beats, downbeats],
  );
  return (
    <button
      type="button"
      className={styles['time']}
      disabled={downbeats.length === 0}
      title={showsBars ? 'Show time' : 'Show bars and beats'}
      onClick={() => setPrefersBars(!prefersBars)}
    >
      <span ref={now} className={styles['now']} />
      <span className={styles['total']}>
        {' / '}
        {showsBars ? countText(downbeats.length, 'bar') : clockText(durationSeconds)}
      </span>
    </button>
  );
}
