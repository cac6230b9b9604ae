import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { clockText } from '../base/format.ts';
import { openChartCanvas } from '../canvas/chart-canvas.ts';
import type { ChartPlayhead } from '../canvas/chart-playhead.ts';
import { stepFrom, type TimeChart } from '../canvas/time-chart.ts';
import { type ChartCursor, noCursor } from '../state/chart-cursor.state.ts';
import { buttonClass } from './button.tsx';
import styles from './chart-figure.module.css';
import { DataTable } from './data-table.tsx';
import { useScope } from './use-scope.ts';

/** Page Up and Page Down move the reading so far. */
const PAGE_SECONDS = 10;

/** One picture over the time of a song: what it shows, its numbers where it is read, and all of them as a table. */
export function TimeChartFigure({
  picture,
  durationSeconds,
  player,
  reading,
  clock,
}: {
  picture: TimeChart;
  durationSeconds: number;
  player: SongPlayer | null;
  reading: StoreApi<ChartCursor>;
  clock: ChartPlayhead;
}) {
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLParagraphElement>(null);

  useScope(
    (scope) => {
      if (canvas.current) openChartCanvas(scope, canvas.current, durationSeconds, picture.draw);
    },
    [picture, durationSeconds],
  );
  useScope(
    (scope) => {
      if (playhead.current) clock.add(scope, playhead.current);
    },
    [clock],
  );
  useScope(
    (scope) => {
      const show = ({ seconds, picture: source, row }: ChartCursor) => {
        if (!plot.current || !cursor.current || !words.current) return;
        cursor.current.hidden = seconds === null;
        if (seconds === null) {
          words.current.textContent = picture.summary;
          plot.current.setAttribute('aria-valuetext', picture.summary);
          return;
        }
        const text = `${clockText(seconds)} · ${picture.read(seconds, source === picture.id ? row : null)}`;
        cursor.current.style.transform = `translateX(${(seconds / durationSeconds) * 100}%)`;
        cursor.current.dataset['label'] = picture.labelAt?.(seconds) ?? '';
        cursor.current.dataset['side'] = seconds > durationSeconds / 2 ? 'left' : 'right';
        words.current.textContent = text;
        plot.current.setAttribute('aria-valuenow', String(Math.floor(seconds)));
        plot.current.setAttribute('aria-valuetext', text);
      };
      show(reading.getState());
      scope.own(reading.subscribe(show));
    },
    [picture, durationSeconds, reading],
  );

  const read = (seconds: number, row: number | null) =>
    reading.setState({ seconds, row, picture: picture.id });
  const readAt = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const down = Math.min(0.999, Math.max(0, (event.clientY - box.top) / box.height));
    read(part * durationSeconds, picture.rows > 1 ? Math.floor(down * picture.rows) : null);
  };
  const stopReading = () => reading.setState(noCursor);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { seconds, row } = reading.getState();
    const from = seconds ?? player?.positionSeconds() ?? 0;
    const within = (value: number) => Math.min(durationSeconds, Math.max(0, value));
    const toRow = (step: number) =>
      Math.min(picture.rows - 1, Math.max(0, (row ?? Math.floor(picture.rows / 2)) + step));
    const keys: Readonly<Record<string, () => void>> = {
      ArrowRight: () => read(stepFrom(picture.stops, from, 1, durationSeconds), row),
      ArrowLeft: () => read(stepFrom(picture.stops, from, -1, durationSeconds), row),
      PageUp: () => read(within(from + PAGE_SECONDS), row),
      PageDown: () => read(within(from - PAGE_SECONDS), row),
      Home: () => read(0, row),
      End: () => read(durationSeconds, row),
      Enter: () => player?.seek(from),
      Escape: stopReading,
      ...(picture.rows > 1 && {
        ArrowUp: () => read(from, toRow(-1)),
        ArrowDown: () => read(from, toRow(1)),
      }),
    };
    const act = keys[event.key];
    if (!act) return;
    // The page's own arrows would move the song.
    event.preventDefault();
    act();
  };

  return (
    <figure className={styles['figure']} data-picture={picture.id}>
      <figcaption className={styles['caption']}>
        <h4 id={id}>{picture.title}</h4>
        <p ref={words} className={styles['reading']} data-readout />
        <button
          type="button"
          className={buttonClass({ look: 'quiet', small: true })}
          aria-expanded={isTable}
          aria-label={`${picture.title} as a table`}
          onClick={() => setIsTable(!isTable)}
        >
          Table
        </button>
      </figcaption>
      <div className={styles['field']}>
        <div className={styles['labels']} aria-hidden="true">
          {picture.labels.map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <div
          ref={plot}
          className={styles['plot']}
          style={{ height: picture.heightPx }}
          role="slider"
          tabIndex={0}
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={Math.floor(durationSeconds)}
          aria-valuenow={0}
          title="Click to play from here"
          onPointerMove={readAt}
          // A finger that is lifted has left too; what it showed stays.
          onPointerLeave={(event) => event.pointerType !== 'touch' && stopReading()}
          onPointerDown={readAt}
          onClick={() => {
            const { seconds } = reading.getState();
            if (seconds !== null) player?.seek(seconds);
          }}
          onKeyDown={onKeyDown}
          onBlur={stopReading}
        >
          <canvas ref={canvas} aria-hidden="true" />
          <div ref={playhead} className={styles['playhead']} data-playhead hidden={!player} />
          <div ref={cursor} className={styles['cursor']} hidden />
        </div>
      </div>
      {isTable && <DataTable caption={picture.title} table={picture.table()} />}
    </figure>
  );
}
