import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { parseStored, readStored, writeStored } from './browser-storage.ts';

/** Columns of the library that can be shown, hidden and moved, in their initial order. */
export const columnIds = [
  'title',
  'artist',
  'wave',
  'bpm',
  'key',
  'time',
  'rating',
  'tags',
  'state',
  'album',
  'genre',
  'year',
  'plays',
  'played',
  'added',
  'comment',
  'loudness',
  'model',
] as const;
/** One of {@link columnIds}. */
export type ColumnId = (typeof columnIds)[number];

/** Height of the rows: 40 px or 36 px. */
export type Density = 'comfortable' | 'compact';

/** A column and whether it is shown. */
export interface ColumnChoice {
  readonly id: ColumnId;
  readonly isShown: boolean;
}

/** Layout of the library's rows, kept in this browser. */
export interface LibraryColumns {
  readonly density: Density;
  /** All columns in the order of the user, or null while the width of the window determines them. */
  readonly columns: readonly ColumnChoice[] | null;
}

const storageKey = 'stem-studio.library-columns';

const stored = z.object({
  version: z.literal(1),
  density: z.enum(['comfortable', 'compact']),
  // Columns of a later version are ignored.
  columns: z.array(z.object({ id: z.string(), is_shown: z.boolean() })).nullable(),
});

const initial: LibraryColumns = { density: 'comfortable', columns: null };

/** Parses the stored layout; the initial one for invalid text. The title is always shown. */
export function parseColumns(text: string | null | undefined): LibraryColumns {
  const data = parseStored(text, stored);
  if (!data) return initial;
  return { density: data.density, columns: data.columns && complete(data.columns) };
}

/** Returns every column exactly once: those of a choice in its order, then the missing ones, hidden. */
function complete(chosen: readonly { id: string; is_shown: boolean }[]): ColumnChoice[] {
  const byId = new Map<ColumnId, boolean>();
  for (const { id, is_shown } of chosen) {
    const column = columnIds.find((name) => name === id);
    if (column && !byId.has(column)) byId.set(column, is_shown);
  }
  for (const id of columnIds) if (!byId.has(id)) byId.set(id, false);
  return [...byId].map(([id, isShown]) => ({ id, isShown: isShown || id === 'title' }));
}

/** Returns the text in which a layout is stored. */
export function columnsText({ density, columns }: LibraryColumns): string {
  const list = columns && columns.map(({ id, isShown }) => ({ id, is_shown: isShown }));
  return JSON.stringify({ version: 1, density, columns: list } satisfies z.input<typeof stored>);
}

/** The layout of the library's rows. */
export const libraryColumns = createStore<LibraryColumns>(() => parseColumns(readStored(storageKey)));

function change(changed: Partial<LibraryColumns>): void {
  libraryColumns.setState(changed);
  writeStored(storageKey, columnsText(libraryColumns.getState()));
}

/** Changes the height of the rows. */
export function setDensity(density: Density): void {
  change({ density });
}

/** Changes the columns; null returns to those that the width of the window determines. */
export function setColumns(columns: readonly ColumnChoice[] | null): void {
  change({ columns });
}

/** Returns columns with one shown or hidden; the title stays. */
export function withShown(
  columns: readonly ColumnChoice[],
  id: ColumnId,
  isShown: boolean,
): readonly ColumnChoice[] {
  return columns.map((column) => (column.id === id && id !== 'title' ? { id, isShown } : column));
}

/** Returns columns with one moved by `steps` positions, negative towards the beginning, as far as there are any. */
export function withMoved(
  columns: readonly ColumnChoice[],
  id: ColumnId,
  steps: number,
): readonly ColumnChoice[] {
  const from = columns.findIndex((column) => column.id === id);
  const moved = columns[from];
  if (!moved) return columns;
  const others = columns.filter((column) => column.id !== id);
  const to = Math.min(others.length, Math.max(0, from + steps));
  return [...others.slice(0, to), moved, ...others.slice(to)];
}

/** Returns columns with one moved to the position of another, as a drop of its header does. */
export function withDropped(
  columns: readonly ColumnChoice[],
  id: ColumnId,
  onto: ColumnId,
): readonly ColumnChoice[] {
  const at = (wanted: ColumnId) => columns.findIndex((column) => column.id === wanted);
  return withMoved(columns, id, at(onto) - at(id));
}
