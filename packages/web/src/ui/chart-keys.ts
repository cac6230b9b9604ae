import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { KeyboardEvent } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { stepFrom, type TimeChart } from '../canvas/time-chart.ts';
import { type ChartCursor, noCursor } from '../state/chart-cursor.state.ts';

/** Seconds by which Page Up and Page Down move the cursor. */
const PAGE_SECONDS = 10;

/**
 * Moves the cursor of a chart by a key: arrows to the next value and row, Page keys by ten seconds, Home and End; Enter
 * seeks, Escape hides the cursor. Other keys do nothing.
 */
export function moveCursorByKey(
  event: KeyboardEvent,
  {
    chart,
    cursor,
    player,
    durationSeconds,
  }: {
    chart: TimeChart;
    cursor: StoreApi<ChartCursor>;
    player: SongPlayer | null;
    durationSeconds: number;
  },
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { seconds, row } = cursor.getState();
  const from = seconds ?? player?.positionSeconds() ?? 0;
  const moveTo = (at: number, toRow: number | null) =>
    cursor.setState({ seconds: at, row: toRow, chart: chart.id });
  const within = (value: number) => Math.min(durationSeconds, Math.max(0, value));
  const nextRow = (step: number) =>
    Math.min(chart.rows - 1, Math.max(0, (row ?? Math.floor(chart.rows / 2)) + step));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => moveTo(stepFrom(chart.stops, from, 1, durationSeconds), row),
    ArrowLeft: () => moveTo(stepFrom(chart.stops, from, -1, durationSeconds), row),
    PageUp: () => moveTo(within(from + PAGE_SECONDS), row),
    PageDown: () => moveTo(within(from - PAGE_SECONDS), row),
    Home: () => moveTo(0, row),
    End: () => moveTo(durationSeconds, row),
    Enter: () => player?.seek(from),
    Escape: () => cursor.setState(noCursor),
    ...(chart.rows > 1 && {
      ArrowUp: () => moveTo(from, nextRow(-1)),
      ArrowDown: () => moveTo(from, nextRow(1)),
    }),
  };
  const act = keys[event.key];
  if (!act) return;
  // Otherwise the player would seek.
  event.preventDefault();
  act();
}
