import { createStore, type StoreApi } from 'zustand/vanilla';

/** Where all pictures of a song are read. */
export interface ChartCursor {
  /** Null while nothing is read. */
  seconds: number | null;
  /** The picture under the pointer or the focus; the others are read at the same time. */
  picture: string | null;
  /** The row of that picture, from the top; null for the one that says most. */
  row: number | null;
}

/** Where nothing is read. */
export const noCursor: ChartCursor = { seconds: null, picture: null, row: null };

/** The one reading of an open song. */
export function createChartCursor(): StoreApi<ChartCursor> {
  return createStore<ChartCursor>(() => noCursor);
}
