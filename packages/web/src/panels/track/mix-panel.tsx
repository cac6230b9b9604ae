import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { Transcription } from '@stem-studio/contract/resources/notes';
import type { Stem } from '@stem-studio/contract/resources/stem';
import { type PointerEvent, useMemo, useRef, useState } from 'react';
import type { TimelineContent } from '../../canvas/timeline-canvas.ts';
import type { DrawablePeaks } from '../../client/peaks-query.ts';
import { Button } from '../../ui/button.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import { CompareBar } from './compare-bar.tsx';
import type { Comparison } from './comparison.ts';
import { LaneRow } from './lane-row.tsx';
import { LaneScrollbar } from './lane-scrollbar.tsx';
import { LaneTimeline } from './lane-timeline.tsx';
import { LaneZoom } from './lane-zoom.tsx';
import { LoopMark } from './loop-mark.tsx';
import styles from './mix-panel.module.css';
import { MixReset } from './mix-reset.tsx';
import { NowPlaying } from './now-playing.tsx';
import { followLevels } from './playhead.ts';
import { useLaneView } from './use-lane-view.ts';

/** The mix of a track: timeline, and one lane per stem with its channel strip. */
export function MixPanel({
  player,
  stems,
  comparison,
  mix,
  content,
  snapped,
  isCompact,
  notes,
  onMakeNotes,
}: {
  player: SongPlayer;
  stems: readonly Stem[];
  comparison: Comparison;
  /** Waveform of the whole song. */
  mix: DrawablePeaks | null;
  content: TimelineContent;
  /** Beats that the ends of a loop snap to; empty for none. */
  snapped: readonly number[];
  /** Whether it stands in the pane below the library. */
  isCompact: boolean;
  /** Existing transcriptions of the stems. */
  notes: readonly Transcription[];
  onMakeNotes: (stem: Stem) => void;
}) {
  const state = useStore(player.state, (all) => all);
  const { rows, stripRefusal, stretchRefusal } = state;
  const isNarrow = useIsNarrow();
  const [showsKnobs, setShowsKnobs] = useState(false);
  const lanes = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const view = useLaneView(player, lanes, field, playhead);
  useScope(
    (scope) =>
      followLevels(scope, player, () => [
        ...(lanes.current?.querySelectorAll<HTMLElement>('[data-meter]') ?? []),
      ]),
    [player],
  );
  const { beats, downbeats } = content;
  // The compact pane is too low for a row of chords; the current one is named beside it.
  const timeline = useMemo(() => (isCompact ? { ...content, chords: [] } : content), [content, isCompact]);
  const song = useMemo(() => ({ view, mix, beats, downbeats }), [view, mix, beats, downbeats]);
  const scrub = (event: PointerEvent) => {
    if (event.type === 'pointerdown') {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
    } else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { fromSeconds, spanSeconds } = view.window;
    const part = box.width > 0 ? Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) : 0;
    player.seek(fromSeconds + part * spanSeconds);
  };
  const hasStrips = stripRefusal === '';
  const hasKnobs = hasStrips && (!isNarrow || showsKnobs);
  return (
    <div className={styles['mix']} data-compact={isCompact}>
      <CompareBar comparison={comparison} state={state} />
      {stretchRefusal !== '' && rows.length === 1 && <p className={styles['hint']}>{stretchRefusal}</p>}
      <div ref={lanes} className={styles['lanes']} data-rows={rows.length} data-knobs={hasKnobs}>
        <div className={styles['corner']}>
          <NowPlaying player={player} content={content} />
          {isNarrow && hasStrips && (
            <Button small aria-pressed={showsKnobs} onClick={() => setShowsKnobs(!showsKnobs)}>
              EQ
            </Button>
          )}
          <MixReset player={player} />
          <LaneZoom view={view} player={player} />
        </div>
        <LaneTimeline player={player} view={view} content={timeline} snapped={snapped} />
        <div className={styles['rows']} style={{ ['--rows' as string]: rows.length }}>
          {rows.map((row, index) => {
            const stem = stems.find(({ stem_type }) => stem_type === row.type) ?? null;
            return (
              <LaneRow
                key={row.type}
                player={player}
                row={row}
                rows={rows}
                index={index}
                song={song}
                stem={stem}
                hasKnobs={hasKnobs}
                notes={{
                  found: notes.find(({ source }) => source === row.type) ?? null,
                  make: () => stem && onMakeNotes(stem),
                }}
              />
            );
          })}
          <div
            ref={field}
            className={styles['timeline']}
            data-lanes-field
            onPointerDown={scrub}
            onPointerMove={scrub}
          >
            <LoopMark player={player} view={view} className={styles['region'] ?? ''} />
            <div ref={playhead} className={styles['playhead']} />
          </div>
        </div>
        <LaneScrollbar view={view} />
      </div>
    </div>
  );
}
