import { loopBetween, snapToBeat } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { Transcription } from '@stem-studio/contract/resources/notes';
import type { Stem } from '@stem-studio/contract/resources/stem';
import { type PointerEvent, useRef, useState } from 'react';
import { clockText } from '../../base/format.ts';
import type { DrawablePeaks } from '../../client/peaks-query.ts';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import { CompareBar } from './compare-bar.tsx';
import { type Comparison, choiceAfter } from './comparison.ts';
import { LaneRow } from './lane-row.tsx';
import styles from './player-panel.module.css';
import { openPlayhead } from './playhead.ts';
import { Transport } from './transport.tsx';
import { usePlayerKeys } from './use-player-keys.ts';

/** A shorter drag on the ruler is a click. */
const DRAG_PX = 4;

/** The player of a track: transport, ruler with loop, and one row per stem. */
export function PlayerPanel({
  player,
  stems,
  comparison,
  mix,
  beats,
  notes,
  onMakeNotes,
  onListKeys,
}: {
  player: SongPlayer;
  stems: readonly Stem[];
  comparison: Comparison;
  mix: DrawablePeaks | null;
  beats: readonly number[];
  /** Existing transcriptions of the stems. */
  notes: readonly Transcription[];
  onMakeNotes: (stem: Stem) => void;
  onListKeys: () => void;
}) {
  const state = useStore(player.state, (all) => all);
  const { durationSeconds, loop, isLooping, rows } = state;
  const [isSnapping, setIsSnapping] = useState(true);
  const snapped = isSnapping ? beats : [];
  usePlayerKeys(player, snapped, {
    listKeys: onListKeys,
    compare: (step) => comparison.select(choiceAfter(comparison, step)),
  });

  const lanes = useRef<HTMLDivElement>(null);
  const timeline = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  useScope(
    (scope) => {
      if (!timeline.current || !playhead.current || !time.current) return;
      openPlayhead(scope, player, {
        timeline: timeline.current,
        playhead: playhead.current,
        time: time.current,
        meters: () => [...(lanes.current?.querySelectorAll<HTMLElement>('[data-meter]') ?? [])],
      });
    },
    [player],
  );

  const secondsAt = (event: PointerEvent) => {
    const box = timeline.current?.getBoundingClientRect();
    if (!box || box.width === 0) return 0;
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * durationSeconds;
  };
  const scrub = (event: PointerEvent) => {
    if (event.type === 'pointerdown') {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
    } else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    player.seek(secondsAt(event));
  };
  const dragFrom = useRef<{ x: number; seconds: number } | null>(null);
  const drawLoop = (event: PointerEvent) => {
    const from = dragFrom.current;
    if (!from || Math.abs(event.clientX - from.x) < DRAG_PX) return;
    player.setLoop(
      loopBetween(snapToBeat(from.seconds, snapped), snapToBeat(secondsAt(event), snapped), durationSeconds),
    );
  };
  const percent = (seconds: number) => `${durationSeconds > 0 ? (seconds / durationSeconds) * 100 : 0}%`;
  const region = loop && {
    left: percent(loop.startSeconds),
    width: percent(loop.endSeconds - loop.startSeconds),
  };

  return (
    <div className={styles['player']}>
      <Transport
        player={player}
        state={state}
        time={time}
        hasBeats={beats.length > 0}
        isSnapping={isSnapping}
        onSnap={setIsSnapping}
        onListKeys={onListKeys}
      />
      <CompareBar comparison={comparison} state={state} />
      <div ref={lanes} className={styles['lanes']} data-rows={rows.length}>
        <div
          className={styles['ruler']}
          title="Drag to set loop"
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            dragFrom.current = { x: event.clientX, seconds: secondsAt(event) };
          }}
          onPointerMove={drawLoop}
          onPointerUp={(event) => {
            const from = dragFrom.current;
            dragFrom.current = null;
            if (from && Math.abs(event.clientX - from.x) < DRAG_PX) player.seek(from.seconds);
          }}
        >
          <Marks durationSeconds={durationSeconds} />
          {region && <span className={styles['handle']} data-on={isLooping} style={region} />}
        </div>
        {rows.map((row, index) => {
          const stem = stems.find(({ stem_type }) => stem_type === row.type) ?? null;
          return (
            <LaneRow
              key={row.type}
              player={player}
              row={row}
              rows={rows}
              index={index}
              mix={mix}
              stem={stem}
              notes={{
                found: notes.find(({ source }) => source === row.type) ?? null,
                make: () => stem && onMakeNotes(stem),
              }}
            />
          );
        })}
        <div
          ref={timeline}
          className={styles['timeline']}
          role="slider"
          tabIndex={0}
          aria-label="Song position"
          aria-valuemin={0}
          aria-valuemax={Math.floor(durationSeconds)}
          aria-valuenow={0}
          onPointerDown={scrub}
          onPointerMove={scrub}
        >
          {region && <span className={styles['region']} data-on={isLooping} style={region} />}
          <div ref={playhead} className={styles['playhead']} />
        </div>
      </div>
    </div>
  );
}

/** Time labels along the ruler, spaced so that they do not overlap. */
function Marks({ durationSeconds }: { durationSeconds: number }) {
  const step = [5, 10, 15, 30, 60, 120, 300, 600].find((seconds) => durationSeconds / seconds <= 10) ?? 1200;
  const count = durationSeconds > 0 ? Math.ceil(durationSeconds / step) : 0;
  return Array.from({ length: count }, (_, i) => (
    <span
      key={i * step}
      className={styles['mark']}
      style={{ left: `${((i * step) / durationSeconds) * 100}%` }}
    >
      {clockText(i * step)}
    </span>
  ));
}
