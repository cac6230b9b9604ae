/** Mean of a repeated measurement, in total and per column. */
export interface MeansOverTime {
  /** Total mean; 0 without values. */
  readonly whole: number;
  /** Mean of each column; the last one may have fewer values. */
  readonly columns: readonly number[];
}

/** Reduces a stream of values to its mean and to column means. */
export interface ColumnMeans {
  /** Adds the next value. */
  add(value: number): void;
  /** Returns the means of all values. */
  finish(): MeansOverTime;
}

/**
 * Creates the reduction; memory grows only with the number of columns.
 *
 * @param perColumn values per column, 1 or more
 */
export function createColumnMeans(perColumn: number): ColumnMeans {
  const columns: number[] = [];
  let total = 0;
  let count = 0;
  let columnSum = 0;
  let inColumn = 0;
  const close = (): void => {
    columns.push(columnSum / inColumn);
    columnSum = 0;
    inColumn = 0;
  };
  return {
    add(value) {
      total += value;
      count++;
      columnSum += value;
      if (++inColumn === perColumn) close();
    },
    finish() {
      if (inColumn > 0) close();
      return { whole: count > 0 ? total / count : 0, columns };
    },
  };
}
