import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { useRef } from 'react';
import { sectionTitle } from '../../base/section-text.ts';
import type { TimelineContent } from '../../canvas/timeline-canvas.ts';
import type { SongSpan } from '../../state/song-analysis.ts';
import { useScope } from '../../ui/use-scope.ts';
import styles from './mix-panel.module.css';
import { followText } from './playhead.ts';

/** Returns the current chord and the next other one: `Cm7 → F`; a dash where there is no chord. */
export function chordText(chords: readonly SongSpan[], seconds: number): string {
  const now = chords.find(({ start, end }) => seconds >= start && seconds < end)?.label || '–';
  const next = chords.find(({ start, label }) => start > seconds && label !== '' && label !== now);
  return next ? `${now} → ${next.label}` : now;
}

/** The section, and the current and the next chord, at the playhead. */
export function NowPlaying({ player, content }: { player: SongPlayer; content: TimelineContent }) {
  const section = useRef<HTMLSpanElement>(null);
  const chord = useRef<HTMLSpanElement>(null);
  const { sections, chords } = content;
  useScope(
    (scope) => {
      if (section.current)
        followText(scope, player, section.current, (seconds) => {
          const found = sections.find(({ start, end }) => seconds >= start && seconds < end);
          return found ? sectionTitle(found.label) : '';
        });
      if (chord.current && chords.length > 0)
        followText(scope, player, chord.current, (seconds) => chordText(chords, seconds));
    },
    [player, sections, chords],
  );
  return (
    <span className={styles['now']}>
      <span ref={section} className={styles['section']} />
      {chords.length > 0 && (
        <span className={styles['chord']} title="Current and next chord">
          <span className="visually-hidden">Chord: </span>
          <span ref={chord} data-chord />
        </span>
      )}
    </span>
  );
}
