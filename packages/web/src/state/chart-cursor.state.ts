import { createStore, type StoreApi } from 'zustand/vanilla';

/** Position at which all charts of a track show their values. */
export interface ChartCursor {
  /** Null while no value is shown. */
  seconds: number | null;
  /** Id of the chart under the pointer or with the focus; the others show the same position. */
  chart: string | null;
  /** Row of that chart, from the top; null for the row with the highest value. */
  row: number | null;
}

/** No position. */
export const noCursor: ChartCursor = { seconds: null, chart: null, row: null };

/** Creates the cursor of an open track. */
export function createChartCursor(): StoreApi<ChartCursor> {
  return createStore<ChartCursor>(() => noCursor);
}
