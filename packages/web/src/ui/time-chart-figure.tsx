import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { clockText } from '../base/format.ts';
import { openChartCanvas } from '../canvas/chart-canvas.ts';
import type { ChartPlayhead } from '../canvas/chart-playhead.ts';
import type { TimeChart } from '../canvas/time-chart.ts';
import { type ChartCursor, noCursor } from '../state/chart-cursor.state.ts';
import { buttonClass } from './button.tsx';
import styles from './chart-figure.module.css';
import { moveCursorByKey } from './chart-keys.ts';
import { DataTable } from './data-table.tsx';
import { useScope } from './use-scope.ts';

/** A chart over the time of a song, with the values at the cursor, the playhead, and all values as a table. */
export function TimeChartFigure({
  chart,
  durationSeconds,
  player,
  cursor,
  clock,
}: {
  chart: TimeChart;
  durationSeconds: number;
  player: SongPlayer | null;
  cursor: StoreApi<ChartCursor>;
  clock: ChartPlayhead;
}) {
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);

  useScope(
    (scope) => {
      if (canvas.current) openChartCanvas(scope, canvas.current, durationSeconds, chart.draw);
    },
    [chart, durationSeconds],
  );
  useScope(
    (scope) => {
      if (playhead.current) clock.add(scope, playhead.current);
    },
    [clock],
  );
  useScope(
    (scope) => {
      const show = ({ seconds, chart: active, row }: ChartCursor) => {
        if (!plot.current || !line.current || !readout.current) return;
        line.current.hidden = seconds === null;
        if (seconds === null) {
          readout.current.textContent = chart.summary;
          plot.current.setAttribute('aria-valuetext', chart.summary);
          return;
        }
        const text = `${clockText(seconds)} · ${chart.read(seconds, active === chart.id ? row : null)}`;
        line.current.style.transform = `translateX(${(seconds / durationSeconds) * 100}%)`;
        line.current.dataset['label'] = chart.labelAt?.(seconds) ?? '';
        line.current.dataset['side'] = seconds > durationSeconds / 2 ? 'left' : 'right';
        readout.current.textContent = text;
        plot.current.setAttribute('aria-valuenow', String(Math.floor(seconds)));
        plot.current.setAttribute('aria-valuetext', text);
      };
      show(cursor.getState());
      scope.own(cursor.subscribe(show));
    },
    [chart, durationSeconds, cursor],
  );

  const moveTo = (seconds: number, row: number | null) => cursor.setState({ seconds, row, chart: chart.id });
  const followPointer = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const down = Math.min(0.999, Math.max(0, (event.clientY - box.top) / box.height));
    moveTo(part * durationSeconds, chart.rows > 1 ? Math.floor(down * chart.rows) : null);
  };
  const hideCursor = () => cursor.setState(noCursor);
  const onKeyDown = (event: KeyboardEvent) =>
    moveCursorByKey(event, { chart, cursor, player, durationSeconds });

  return (
    <figure className={styles['figure']} data-chart={chart.id}>
      <figcaption className={styles['caption']}>
        <h4 id={id}>{chart.title}</h4>
        <p ref={readout} className={styles['reading']} data-readout />
        <button
          type="button"
          className={buttonClass({ look: 'quiet', small: true })}
          aria-expanded={isTable}
          aria-label={`${chart.title} as a table`}
          onClick={() => setIsTable(!isTable)}
        >
          Table
        </button>
      </figcaption>
      <div className={styles['field']}>
        <div className={styles['labels']} aria-hidden="true">
          {chart.labels.map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <div
          ref={plot}
          className={styles['plot']}
          style={{ height: chart.heightPx }}
          role="slider"
          tabIndex={0}
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={Math.floor(durationSeconds)}
          aria-valuenow={0}
          title="Click to seek"
          onPointerMove={followPointer}
          // A lifted finger leaves too, but keeps the cursor.
          onPointerLeave={(event) => event.pointerType !== 'touch' && hideCursor()}
          onPointerDown={followPointer}
          onClick={() => {
            const { seconds } = cursor.getState();
            if (seconds !== null) player?.seek(seconds);
          }}
          onKeyDown={onKeyDown}
          onBlur={hideCursor}
        >
          <canvas ref={canvas} aria-hidden="true" />
          <div ref={playhead} className={styles['playhead']} data-playhead hidden={!player} />
          <div ref={line} className={styles['cursor']} hidden />
        </div>
      </div>
      {isTable && <DataTable caption={chart.title} table={chart.table()} />}
    </figure>
  );
}
