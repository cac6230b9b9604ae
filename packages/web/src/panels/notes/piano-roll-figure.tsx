import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { TranscriptionWithNotes } from '@stem-studio/contract/resources/notes';
import { type MouseEvent, type PointerEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { clockText } from '../../base/format.ts';
import { pitchName } from '../../base/note-text.ts';
import { fittingLanePx, lanePixels, pianoRoll } from '../../canvas/piano-roll.ts';
import { openKeysCanvas, openRollCanvas } from '../../canvas/roll-canvas.ts';
import { openTimelineCanvas } from '../../canvas/timeline-canvas.ts';
import { type ChartCursor, noCursor } from '../../state/chart-cursor.state.ts';
import type { TimeView } from '../../state/time-view.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import chartStyles from '../../ui/chart-figure.module.css';
import { moveCursorByKey } from '../../ui/chart-keys.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { useScope } from '../../ui/use-scope.ts';
import styles from './piano-roll.module.css';
import { RollZoom } from './roll-zoom.tsx';
import { useAudition, useNotePlayer } from './use-note-player.ts';

/** A transcription as a piano roll: it zooms, names its keys and bars, and plays. */
export function PianoRollFigure({
  found,
  beats,
  downbeats,
  durationSeconds,
  player,
  cursor,
  view,
  children,
}: {
  found: TranscriptionWithNotes;
  beats: readonly number[];
  downbeats: readonly number[];
  durationSeconds: number;
  player: SongPlayer | null;
  /** Cursor and window that all rolls of a track share. */
  cursor: StoreApi<ChartCursor>;
  view: TimeView;
  /** Further actions on the transcription. */
  children: ReactNode;
}) {
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const [isPlayed, setIsPlayed] = useState(false);
  const [lanePx, setLanePx] = useState(() => fittingLanePx(found));
  const roll = useMemo(
    () => pianoRoll(found, { beats, downbeats }, lanePx),
    [found, beats, downbeats, lanePx],
  );
  useNotePlayer(player, found.notes, isPlayed);
  const audition = useAudition();
  const canvas = useRef<HTMLCanvasElement>(null);
  const keys = useRef<HTMLCanvasElement>(null);
  const ruler = useRef<HTMLCanvasElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  useScope(
    (scope) => {
      if (canvas.current) openRollCanvas(scope, canvas.current, roll, durationSeconds, () => view.window);
      if (keys.current) openKeysCanvas(scope, keys.current, roll);
    },
    [roll, durationSeconds, view],
  );
  useScope(
    (scope) => {
      const content = { beats, downbeats, sections: [], chords: [], cues: [] };
      if (ruler.current) openTimelineCanvas(scope, ruler.current, content, () => view.window);
    },
    [beats, downbeats, view],
  );
  const partOf = (seconds: number) => (seconds - view.window.fromSeconds) / (view.window.spanSeconds || 1);
  useScope(
    (scope) => {
      const show = ({ seconds, chart: active, row }: ChartCursor) => {
        if (!plot.current || !line.current || !readout.current) return;
        const text =
          seconds === null
            ? roll.summary
            : `${clockText(seconds)} · ${roll.read(seconds, active === roll.id ? row : null)}`;
        line.current.hidden = seconds === null;
        if (seconds !== null) {
          line.current.style.transform = `translateX(${partOf(seconds) * 100}%)`;
          plot.current.setAttribute('aria-valuenow', String(Math.floor(seconds)));
        }
        readout.current.textContent = text;
        plot.current.setAttribute('aria-valuetext', text);
      };
      show(cursor.getState());
      scope.own(cursor.subscribe(show));
      let shown = '';
      scope.onAnimationFrame(() => {
        if (!playhead.current || !player) return;
        const transform = `translateX(${(partOf(player.positionSeconds()) * 100).toFixed(2)}%)`;
        if (transform === shown) return;
        shown = transform;
        playhead.current.style.transform = transform;
      });
    },
    [roll, cursor, player, view],
  );
  const at = (event: PointerEvent | MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const down = Math.min(0.999, Math.max(0, (event.clientY - box.top) / box.height));
    const { fromSeconds, spanSeconds } = view.window;
    return { seconds: fromSeconds + part * spanSeconds, row: Math.floor(down * roll.rows) };
  };
  const follow = (event: PointerEvent) => cursor.setState({ ...at(event), chart: roll.id });
  const press = (event: MouseEvent) => {
    const { seconds, row } = at(event);
    const note = roll.noteAt(seconds, row);
    if (note) audition(note.pitch, note.velocity);
    else player?.seek(seconds);
  };
  const hideCursor = () => cursor.setState(noCursor);
  const zoomKeys = (step: 1 | -1) =>
    setLanePx((now) => lanePixels[lanePixels.findIndex((pixels) => pixels === now) + step] ?? now);
  return (
    <figure className={chartStyles['figure']} data-chart={roll.id}>
      <figcaption className={`${chartStyles['caption']} ${styles['caption']}`}>
        <h4 id={id}>{roll.title}</h4>
        <p ref={readout} className={chartStyles['reading']} data-readout />
        {player && (
          <Button
            small
            icon="music"
            aria-pressed={isPlayed}
            aria-label={`Play notes of ${roll.title}`}
            title="Play the notes with the song"
            onClick={() => setIsPlayed(!isPlayed)}
          >
            Play notes
          </Button>
        )}
        <RollZoom
          title={roll.title}
          view={view}
          centre={() => player?.positionSeconds() ?? 0}
          canEnlarge={lanePx < (lanePixels.at(-1) ?? 0)}
          canReduce={lanePx > lanePixels[0]}
          onKeys={zoomKeys}
        />
        <button
          type="button"
          className={buttonClass({ look: 'quiet', small: true })}
          aria-expanded={isTable}
          aria-label={`${roll.title} as a table`}
          onClick={() => setIsTable(!isTable)}
        >
          Table
        </button>
        {children}
      </figcaption>
      <canvas ref={ruler} className={styles['ruler']} data-bars={downbeats.length > 0} aria-hidden="true" />
      <div className={styles['field']}>
        <canvas
          ref={keys}
          className={styles['keys']}
          style={{ height: roll.heightPx }}
          aria-hidden="true"
          onPointerMove={(event) => {
            event.currentTarget.title = pitchName(roll.highest - at(event).row);
          }}
          onClick={(event) => audition(roll.highest - at(event).row)}
        />
        <div
          ref={plot}
          className={styles['plot']}
          style={{ height: roll.heightPx }}
          role="slider"
          tabIndex={0}
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={Math.floor(durationSeconds)}
          aria-valuenow={0}
          title="Click a note to hear it, elsewhere to seek"
          onPointerMove={follow}
          // A lifted finger leaves too, but keeps the cursor.
          onPointerLeave={(event) => event.pointerType !== 'touch' && hideCursor()}
          onPointerDown={follow}
          onClick={press}
          onKeyDown={(event) => moveCursorByKey(event, { chart: roll, cursor, player, durationSeconds })}
          onBlur={hideCursor}
        >
          <canvas ref={canvas} aria-hidden="true" />
          <div ref={playhead} className={chartStyles['playhead']} data-playhead hidden={!player} />
          <div ref={line} className={chartStyles['cursor']} hidden />
        </div>
      </div>
      {isTable && <DataTable caption={roll.title} table={roll.table()} />}
    </figure>
  );
}
