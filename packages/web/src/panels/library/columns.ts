import { type ColumnChoice, type ColumnId, columnIds } from '../../state/library-columns.state.ts';
import type { SortField } from './library.state.ts';

/** Properties of a column of the library. */
export interface Column {
  readonly id: ColumnId;
  /** Text of its header. */
  readonly name: string;
  /** Name in the menu of columns and in tooltips. */
  readonly label: string;
  /** Order that a press on the header requests; null if the service does not sort by it. */
  readonly sort: SortField | null;
  /** Smallest width in pixels. */
  readonly minPx: number;
  /** Part of the spare width that the column gets; 0 for a fixed width. */
  readonly grows: number;
  readonly isNumeric: boolean;
}

const column = (
  name: string,
  label: string,
  sort: SortField | null,
  minPx: number,
  grows = 0,
  isNumeric = false,
) => ({ name, label, sort, minPx, grows, isNumeric });

const definitions: Readonly<Record<ColumnId, Omit<Column, 'id'>>> = {
  title: column('Title', 'Title', 'title', 148, 2.2),
  artist: column('Artist', 'Artist', 'artist', 96, 1.3),
  album: column('Album', 'Album', 'album', 96, 1.2),
  wave: column('Waveform', 'Waveform', null, 140),
  bpm: column('BPM', 'Tempo in BPM', 'bpm', 52, 0, true),
  key: column('Key', 'Key', 'key', 108),
  time: column('Time', 'Length', 'duration', 48, 0, true),
  rating: column('Rating', 'Rating', 'rating', 88),
  tags: column('Tags', 'Tags', null, 80, 1),
  state: column('Stems', 'Stems and jobs', null, 176),
  genre: column('Genre', 'Genre', 'genre', 96, 0.6),
  year: column('Year', 'Year', 'year', 48, 0, true),
  plays: column('Plays', 'Play count', 'play_count', 48, 0, true),
  played: column('Last played', 'Last played', 'last_played_at', 96),
  added: column('Added', 'Date added', 'created_at', 96),
  comment: column('Comment', 'Comment', null, 120, 1.2),
  loudness: column('Loudness', 'Loudness', 'loudness_lufs', 84, 0, true),
  model: column('Model', 'Separation model', 'separation_model', 92),
};

/** All columns in their initial order. */
export const allColumns: readonly Column[] = columnIds.map((id) => ({ id, ...definitions[id] }));

/** Cells of a card on a phone. */
export const cardColumns: readonly Column[] = allColumns.filter(({ id }) =>
  ['title', 'artist', 'bpm', 'key', 'time', 'state'].includes(id),
);

const byId = new Map(allColumns.map((one) => [one.id, one]));

/** Columns shown by default, the most important first. */
const byImportance: readonly ColumnId[] = [
  'title',
  'bpm',
  'key',
  'artist',
  'time',
  'state',
  'wave',
  'tags',
  'rating',
];

/** Widths of cover, actions, gaps and padding in pixels; the style sheet has the same. */
const COVER_PX = 32;
const ACTIONS_PX = 28;
const GAP_PX = 12;
const PADDING_PX = 32;

/** Returns the smallest width of a row with these columns, in pixels. */
export function minWidthOf(columns: readonly Column[]): number {
  const gaps = (columns.length + 1) * GAP_PX;
  return columns.reduce((sum, { minPx }) => sum + minPx, COVER_PX + ACTIONS_PX + PADDING_PX + gaps);
}

/** Returns the default columns that fit a width in pixels, the most important ones first to be kept. */
export function columnsThatFit(widthPx: number): readonly Column[] {
  const kept = new Set<ColumnId>();
  const shown = () => allColumns.filter(({ id }) => kept.has(id));
  for (const id of byImportance) {
    kept.add(id);
    if (kept.size > 3 && minWidthOf(shown()) > widthPx) {
      kept.delete(id);
      break;
    }
  }
  return shown();
}

/** Returns the columns that a choice shows, in its order. */
export function shownColumns(choice: readonly ColumnChoice[]): readonly Column[] {
  return choice.flatMap(({ id, isShown }) => (isShown ? (byId.get(id) ?? []) : []));
}

/** Returns the choice that shows exactly these columns, with the others behind them. */
export function choiceOf(shown: readonly Column[]): readonly ColumnChoice[] {
  const ids = shown.map(({ id }) => id);
  const others = columnIds.filter((id) => !ids.includes(id));
  return [...ids.map((id) => ({ id, isShown: true })), ...others.map((id) => ({ id, isShown: false }))];
}

/** Returns the CSS grid template of a row with these columns between the cover and the actions. */
export function templateOf(columns: readonly Column[]): string {
  const tracks = columns.map(({ minPx, grows }) =>
    grows > 0 ? `minmax(${minPx}px, ${grows}fr)` : `${minPx}px`,
  );
  return `${COVER_PX}px ${tracks.join(' ')} ${ACTIONS_PX}px`;
}
